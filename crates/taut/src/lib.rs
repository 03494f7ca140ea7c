#![doc = include_str!("../README.md")]

mod compiled;
mod control;
pub mod digits;
pub mod ensemble;
pub mod equations;
mod error;
mod failure;
mod geometry;
mod inside;
pub mod linear;
pub mod method;
pub mod motion;
mod newton;
pub mod options;
pub mod run;
mod seen;
mod snapshot;
mod solver;
mod springs;
mod stages;
pub mod start;
pub mod step;
pub mod system;

pub use ensemble::Ensemble;
pub use error::Error;
pub use solver::{Happening, LinearMultistep, MultistepError, Phases, Solver, run_phases};

/// The examples of the README are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
