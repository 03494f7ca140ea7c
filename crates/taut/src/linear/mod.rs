//! Linear algebra of the steps.
//!
//! A step asks for one thing again and again: the solution of a [`Saddle`] system whose blocks change and whose
//! places do not. [`Pattern`] says where the entries are, [`DenseLu`] and [`SparseLu`] eliminate, and
//! [`ConstraintRank`] tells which constraints are redundant when an elimination finds no pivot.

mod dense;
mod number;
mod ordering;
mod pattern;
mod saddle;
mod singular;
mod sparse;
#[cfg(test)]
mod testing;

pub use dense::{ComplexDenseLu, DenseLu};
pub use number::{Complex, Number};
pub use pattern::Pattern;
pub use saddle::{Blocks, Choice, ComplexSaddle, ComplexScales, Saddle, SaddlePattern, Scales};
pub use singular::Singular;
pub use sparse::SparseLu;
