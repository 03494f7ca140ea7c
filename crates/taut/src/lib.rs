#![doc = include_str!("../README.md")]

mod control;
pub mod equations;
mod error;
pub mod linear;
pub mod method;
pub mod motion;
pub mod options;
pub mod run;
mod solver;
pub mod start;
pub mod step;
pub mod system;

pub use error::Error;
pub use solver::Solver;

/// The examples of the README are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
