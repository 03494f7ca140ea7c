//! The numbers a linear system is made of.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A complex number, as the eigenvalues of a Runge-Kutta matrix are.
pub type Complex = taut_tableau::number::Complex<f64>;

/// What factorisations ask of a number: they are written once for real and complex matrices.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign + SubAssign + PartialEq
{
    /// 0.
    const ZERO: Self;

    /// A size that is zero for zero only and within a factor of two of the modulus; for comparing pivots.
    fn size(self) -> f64;

    /// 1 / self.
    fn reciprocal(self) -> Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn size(self) -> f64 {
        self.abs()
    }

    #[inline]
    fn reciprocal(self) -> Self {
        1.0 / self
    }
}

impl Number for Complex {
    const ZERO: Self = Self::ZERO;

    #[inline]
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    #[inline]
    fn reciprocal(self) -> Self {
        Self::reciprocal(self)
    }
}
