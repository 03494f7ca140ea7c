//! Extended precision and the small dense algebra that the coefficients are computed with.

mod complex;
mod extended;
mod linear;
mod matrix;
mod polynomial;
mod symmetric;

pub use complex::Complex;
pub use extended::DoubleDouble;
pub use linear::Factored;
pub use matrix::Matrix;
pub use polynomial::Polynomial;

pub(crate) use linear::{determinant, rank};
pub(crate) use polynomial::{determinant_polynomial, from_roots};
pub(crate) use symmetric::symmetric_eigenvalues;

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that the small dense algebra of this crate works with: `f64`, [`DoubleDouble`] or [`Complex`].
pub trait Scalar:
    Copy
    + PartialEq
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + From<f64>
{
    /// The absolute value, to the accuracy of `f64`; used to choose pivots and to compare with tolerances.
    fn magnitude(self) -> f64;
}

impl Scalar for f64 {
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

/// The inner product sum u_i v_i (no conjugation).
pub(crate) fn dot<T: Scalar>(u: &[T], v: &[T]) -> T {
    u.iter().zip(v).fold(T::from(0.0), |sum, (&x, &y)| sum + x * y)
}

#[cfg(test)]
mod tests;
