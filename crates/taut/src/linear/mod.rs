//! Linear algebra of the steps.
//!
//! A step asks for one thing again and again: the solution of a `Saddle` system whose blocks change and whose
//! places do not. [`Pattern`] says where the entries are, `DenseLu` and `SparseLu` eliminate, small systems
//! with constraints in an order that is known beforehand. When an elimination
//! finds no pivot, `ConstraintRank` tells which constraints are redundant, and `MinimumNorm` solves all the same.
//!
//! Of these, [`Pattern`] and [`Choice`] are for users; nothing else leaves the library, but for measurements of the
//! elimination itself (`measured`).

mod coloring;
mod combination;
mod definite;
mod dense;
mod elimination;
mod householder;
mod inverse;
mod minimum_norm;
mod number;
mod ordered;
mod ordering;
mod paired;
mod pattern;
mod pivots;
mod rank;
mod recorded;
mod reduction;
mod saddle;
mod singular;
mod singular_values;
mod sparse;
mod symmetric;
#[cfg(test)]
mod testing;

pub(crate) use coloring::Coloring;
pub(crate) use combination::{Combination, Stages};
pub(crate) use dense::{ComplexDenseLu, DenseLu};
pub(crate) use elimination::Elimination;
pub(crate) use inverse::{Inverse, MOST_PIECES, PIECE};
pub(crate) use minimum_norm::MinimumNorm;
pub(crate) use number::{Complex, Number};
pub(crate) use ordering::{Behind, behind_coordinates};
pub use pattern::Pattern;
pub(crate) use pivots::{KeepsPivots, Pivots};
pub(crate) use rank::ConstraintRank;
pub(crate) use recorded::Transformation;
pub(crate) use reduction::{Equation, Reduction};
pub use saddle::Choice;
pub(crate) use saddle::SaddleFamily;
pub(crate) use saddle::{Blocks, ComplexScales, Saddle, SaddlePattern, Scales};
pub use singular::Singular;
pub(crate) use singular_values::SingularValues;
pub(crate) use sparse::SparseLu;
pub(crate) use symmetric::SymmetricEigen;

/// The elimination by itself, for those who measure it or lend it to other integrators; it may change with any version.
#[doc(hidden)]
pub mod measured {
    pub use super::saddle::{Blocks, Saddle, SaddlePattern, Scales};
}
