//! The one way a factorisation can fail.

use std::fmt;

/// A matrix without an inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// The unknown whose column is, in exact or in floating-point arithmetic, a combination of other columns. In a
    /// saddle system it is a coordinate if below n, else constraint `pivot - n`.
    pub pivot: usize,
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the matrix is singular: no pivot for unknown {}", self.pivot)
    }
}

impl std::error::Error for Singular {}
