#![doc = include_str!("../README.md")]

pub mod function;
pub mod graph;
pub mod number;
pub mod tape;

#[cfg(test)]
mod testing;
