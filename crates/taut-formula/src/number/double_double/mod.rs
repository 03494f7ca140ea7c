//! Numbers of about 31 digits: sums of two plain ones.

mod functions;
mod operators;
#[cfg(test)]
mod tests;
mod text;

use super::{Number, Scalar};
use crate::expansion::Coefficient;

/// A number of about 31 decimal digits, as the sum of two numbers that do not overlap (Dekker 1971).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// The sum of two numbers.
    pub fn new(high: f64, low: f64) -> Self {
        let (high, low) = two_sum(high, low);
        DoubleDouble { high, low }
    }

    /// What is left when [`Scalar::value`] is taken away.
    pub fn rest(self) -> f64 {
        self.low
    }

    /// Whether it is a number.
    pub fn is_finite(self) -> bool {
        self.high.is_finite() && self.low.is_finite()
    }

    /// Times a power of two, without rounding.
    fn times_power_of_two(self, factor: f64) -> Self {
        DoubleDouble { high: self.high * factor, low: self.low * factor }
    }
}

impl From<f64> for DoubleDouble {
    fn from(x: f64) -> Self {
        DoubleDouble { high: x, low: 0.0 }
    }
}

/// a + b and what rounding takes away from it.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The same where |a| ≥ |b|.
#[inline]
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a b and what rounding takes away from it.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

/// A number as the sum of two with half of the digits each.
#[inline]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2²⁷ + 1
    let shifted = SPLITTER * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

impl Coefficient for DoubleDouble {}

impl Scalar for DoubleDouble {
    const LANES: usize = 1;
    const DEPTH: usize = 0;

    fn constant(value: f64) -> Self {
        value.into()
    }
    fn value(self) -> f64 {
        self.high
    }
    fn lane(self, _k: usize) -> Number {
        Number::constant(self.high)
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        lane(0).value().into()
    }
    fn sqrt(self) -> Self {
        functions::root(self)
    }
    fn exp(self) -> Self {
        functions::exponential(self)
    }
    fn ln(self) -> Self {
        functions::logarithm(self)
    }
    fn sin(self) -> Self {
        functions::sine_and_cosine(self).0
    }
    fn cos(self) -> Self {
        functions::sine_and_cosine(self).1
    }
    fn sin_cos(self) -> (Self, Self) {
        functions::sine_and_cosine(self)
    }
    fn asin(self) -> Self {
        self.atan2(((-self + 1.0) * (self + 1.0)).sqrt())
    }
    fn acos(self) -> Self {
        ((-self + 1.0) * (self + 1.0)).sqrt().atan2(self)
    }
    fn atan(self) -> Self {
        self.atan2(DoubleDouble::from(1.0))
    }
    fn atan2(self, x: Self) -> Self {
        functions::angle(self, x)
    }
    fn sinh(self) -> Self {
        functions::hyperbolic(self).0
    }
    fn cosh(self) -> Self {
        functions::hyperbolic(self).1
    }
    fn tanh(self) -> Self {
        let (sine, cosine) = functions::hyperbolic(self);
        sine / cosine
    }
    fn abs(self) -> Self {
        if self.high < 0.0 || self.high == 0.0 && self.low < 0.0 { -self } else { self }
    }
    fn powi(self, k: i32) -> Self {
        let (mut power, mut square, mut left) = (DoubleDouble::from(1.0), self, k.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power *= square;
            }
            square = square * square;
            left /= 2;
        }
        if k < 0 { DoubleDouble::from(1.0) / power } else { power }
    }
    fn powf(self, p: f64) -> Self {
        const LARGEST: f64 = 1e4;
        if p.fract() == 0.0 && p.abs() <= LARGEST { self.powi(p as i32) } else { (self.ln() * p).exp() }
    }
    fn hypot(self, y: Self) -> Self {
        (self * self + y * y).sqrt()
    }
}
