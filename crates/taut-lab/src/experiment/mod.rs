//! Numerics that experiments need and a solver does not: the iterations of the papers, exact solutions to compare with.
//!
//! Everything here is small, dense, in extended precision, and written for insight, not for speed.

pub(crate) mod series;
pub(crate) mod spring;
