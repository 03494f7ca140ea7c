//! The numbers a linear system is made of.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A complex number, as the eigenvalues of a Runge-Kutta matrix are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// 0.
    pub const ZERO: Self = Self { re: 0.0, im: 0.0 };

    /// re + i im.
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// 1 / z, scaled by the larger part so that no square overflows.
    pub fn reciprocal(self) -> Self {
        if self.re.abs() >= self.im.abs() {
            let ratio = self.im / self.re;
            let scaled = 1.0 / (self.re + self.im * ratio);
            Self::new(scaled, -ratio * scaled)
        } else {
            let ratio = self.re / self.im;
            let scaled = 1.0 / (self.re * ratio + self.im);
            Self::new(ratio * scaled, -scaled)
        }
    }

    /// Whether both parts are finite.
    pub fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Self::new(re, 0.0)
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Mul<f64> for Complex {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl AddAssign for Complex {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Complex {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// What the sparse factorisation asks of a number: it is written once for real and complex matrices.
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
