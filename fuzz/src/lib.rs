//! Hostile inputs and random mechanisms.
//!
//! A [target] takes what a seed makes of its corpus and says what is wrong with what the command did with it.
//! [Mechanisms](mechanism) are made at random, written as model files, run with two methods, and judged by formulas of
//! their own: nothing in the judge comes from the solver. [Minimising](minimise) makes what was found small.
//!
//! Everything follows from a seed: what is found once is found again.

pub mod campaign;
pub mod mechanism;
pub mod minimise;
pub mod mutation;
pub mod random;
pub mod running;
pub mod target;
