#![doc = include_str!("../README.md")]

pub mod expansion;
pub mod function;
pub mod graph;
mod hypotenuse;
pub mod number;
pub mod settings;
mod sine;
pub mod tape;
mod unit;

#[cfg(test)]
mod testing;
