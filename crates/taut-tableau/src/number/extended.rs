use super::Scalar;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of about 32 decimal digits: the unevaluated sum of two `f64`, the second one at most half a unit in the
/// last place of the first (Dekker 1971, "A floating-point technique for extending the available precision").
///
/// Since the leading part is the sum rounded to nearest, [`DoubleDouble::to_f64`] rounds exactly once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

/// The sum of two numbers and its rounding error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// The same where |a| >= |b| is known (Dekker).
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// The product of two numbers and its rounding error.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };
    /// One.
    pub const ONE: Self = Self { high: 1.0, low: 0.0 };

    /// The quotient of two integers (exact up to 2^53 each), as rational coefficients are given in the literature.
    pub fn ratio(numerator: i64, denominator: i64) -> Self {
        Self::from(numerator as f64) / Self::from(denominator as f64)
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// The absolute value.
    pub fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    /// The square root; zero for numbers that are not positive.
    pub fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        let root = Self::from(self.high.sqrt());
        // One step of Newton's iteration doubles the 53 correct bits.
        root + (self - root * root) / (root + root)
    }

    /// The integer power x^n, with 0^0 = 1 as the simplifying assumptions want it.
    pub fn powi(self, exponent: u32) -> Self {
        (0..exponent).fold(Self::ONE, |power, _| power * self)
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

impl From<usize> for DoubleDouble {
    fn from(value: usize) -> Self {
        Self::from(value as f64)
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, error) = two_sum(self.high, other.high);
        let (low, low_error) = two_sum(self.low, other.low);
        let (high, error) = quick_two_sum(high, error + low);
        let (high, low) = quick_two_sum(high, error + low_error);
        Self { high, low }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.high, other.high);
        let (high, low) = quick_two_sum(product, error + (self.high * other.low + self.low * other.high));
        Self { high, low }
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Long division with three digits of 53 bits.
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        let third = rest.high / other.high;
        let (high, low) = quick_two_sum(first, second);
        Self { high, low } + Self::from(third)
    }
}

impl Scalar for DoubleDouble {
    fn magnitude(self) -> f64 {
        self.high.abs()
    }
}
