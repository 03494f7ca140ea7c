//! Number types: what a system's formulas are evaluated with.
//!
//! A person writes a formula once, for any [`Scalar`]. Evaluated with `f64` it gives a value, with [`Dual`] a value
//! and its derivatives, with [`Series`] its Taylor series along a motion, with [`Traced`] the formula itself as a graph.

mod double_double;
mod dual;
mod lanes;
mod of_closures;
mod scalar;
mod series;
mod traced;

pub use double_double::DoubleDouble;
pub use dual::Dual;
pub use lanes::through_lanes;
pub use of_closures::{Jet, Number};
pub use scalar::Scalar;
pub use series::{SERIES_TERMS, Series};
pub use traced::{Traced, Unrecorded, record};

#[cfg(test)]
mod tests;
