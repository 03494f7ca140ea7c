//! Number types: what a system's formulas are evaluated with.
//!
//! A person writes a formula once, for any [`Scalar`]. Evaluated with `f64` it gives a value, with [`Dual`] a value
//! and its derivatives, with [`Series`] its Taylor series along a motion, with [`Dependence`] the list of inputs
//! it depends on, with [`Traced`] the formula itself as a graph.

mod dependence;
mod double_double;
mod dual;
mod lanes;
mod scalar;
mod series;
mod traced;

pub use dependence::{Dependence, WATCHED};
pub use double_double::DoubleDouble;
pub use dual::Dual;
pub use lanes::{Number, through_lanes};
pub use scalar::Scalar;
pub use series::{SERIES_TERMS, Series};
pub use traced::{Traced, record};

#[cfg(test)]
mod tests;
