#![doc = include_str!("../README.md")]

pub mod figure;
mod number;
pub mod page;
pub mod plot;
pub mod scene;
pub mod track;

pub use number::significant;
pub use page::Report;
