//! Formulas in numbers of about 31 digits.

#[cfg(test)]
mod tests;

pub use taut_number::DoubleDouble;

use super::{Number, Scalar};
use crate::expansion::Coefficient;

impl Coefficient for DoubleDouble {}

impl Scalar for DoubleDouble {
    const LANES: usize = 1;
    const DEPTH: usize = 0;

    fn constant(value: f64) -> Self {
        value.into()
    }
    fn value(self) -> f64 {
        self.to_f64()
    }
    fn lane(self, _k: usize) -> Number {
        Number::constant(self.to_f64())
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        lane(0).value().into()
    }
    fn sqrt(self) -> Self {
        DoubleDouble::sqrt(self)
    }
    fn exp(self) -> Self {
        DoubleDouble::exp(self)
    }
    fn ln(self) -> Self {
        DoubleDouble::ln(self)
    }
    fn sin(self) -> Self {
        DoubleDouble::sin_cos(self).0
    }
    fn cos(self) -> Self {
        DoubleDouble::sin_cos(self).1
    }
    fn sin_cos(self) -> (Self, Self) {
        DoubleDouble::sin_cos(self)
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
        DoubleDouble::atan2(self, x)
    }
    fn sinh(self) -> Self {
        self.sinh_cosh().0
    }
    fn cosh(self) -> Self {
        self.sinh_cosh().1
    }
    fn tanh(self) -> Self {
        let (sine, cosine) = self.sinh_cosh();
        sine / cosine
    }
    fn abs(self) -> Self {
        DoubleDouble::abs(self)
    }
    fn powi(self, k: i32) -> Self {
        DoubleDouble::powi(self, k)
    }
    fn powf(self, p: f64) -> Self {
        const LARGEST: f64 = 1e4;
        if p.fract() == 0.0 && p.abs() <= LARGEST { self.powi(p as i32) } else { (self.ln() * p).exp() }
    }
    fn hypot(self, y: Self) -> Self {
        DoubleDouble::hypot(self, y)
    }
}
