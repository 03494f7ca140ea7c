//! Taut integrates mechanical systems that are held together by rods and by very stiff springs.
//!
//! The way of the data is the way through the modules: a [`system`] is what a person has, [`equations`] are what is
//! solved, a [`method`] is data, a [`step`] computes, a [`run`] goes from start to end, a [`motion`] comes out. The front
//! door is [`Solver`]; every constant of the controllers is in [`options`].

mod control;
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
mod snapshot;
mod solver;
mod springs;
mod stages;
pub mod start;
pub mod step;
pub mod system;

pub use error::Error;
pub use solver::{LinearMultistep, MultistepError, Solver};

/// The examples of the README are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
