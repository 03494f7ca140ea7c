use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Number;
use crate::hypotenuse::hypotenuse;

/// A number that formulas can be written for: `f64`, a dual number of any depth, or one that records the formula.
///
/// Constants enter through [`Scalar::constant`] or as the `f64` on the right of an operator: `x * 2.0 - 1.0`.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + 'static
{
    /// How many [`Number`]s hold the same information; see [`Scalar::lane`].
    const LANES: usize;
    /// How many directions of a [`Number`] one lane uses.
    const DEPTH: usize;

    /// The number `value`, which depends on nothing.
    fn constant(value: f64) -> Self;
    /// The plain value, without derivatives. A formula that asks for it, such as to branch on it, cannot be recorded: see
    /// [`Scalar::select`], [`Scalar::min`], [`Scalar::max`], [`Scalar::abs`], [`Scalar::sign`] and [`Scalar::floor`].
    fn value(self) -> f64;

    /// Lane `k` of this number: the value with one slope out of each level of derivatives.
    fn lane(self, k: usize) -> Number;
    /// The number whose lanes these are; the inverse of [`Scalar::lane`].
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self;

    /// Zero.
    #[inline]
    fn zero() -> Self {
        Self::constant(0.0)
    }
    /// x²
    fn square(self) -> Self {
        self * self
    }
    /// The square root.
    fn sqrt(self) -> Self;
    /// e^x
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
    /// Sine and cosine together, cheaper than one after the other.
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
    /// The tangent.
    fn tan(self) -> Self {
        self.sin() / self.cos()
    }
    /// The inverse sine.
    fn asin(self) -> Self;
    /// The inverse cosine.
    fn acos(self) -> Self;
    /// The inverse tangent.
    fn atan(self) -> Self;
    /// The angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;
    /// The hyperbolic sine.
    fn sinh(self) -> Self;
    /// The hyperbolic cosine.
    fn cosh(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// |x|, with slope 0 at 0.
    fn abs(self) -> Self;
    /// x^k for a whole number k.
    fn powi(self, k: i32) -> Self;
    /// x^p for a real number p.
    fn powf(self, p: f64) -> Self;
    /// x^y for a positive x.
    fn pow(self, y: Self) -> Self {
        (y * self.ln()).exp()
    }
    /// √(x² + y²) without overflow.
    fn hypot(self, y: Self) -> Self;
    /// −1, 0 or 1, with slope 0.
    fn sign(self) -> Self {
        let x = self.value();
        Self::constant(if x == 0.0 || x.is_nan() { x * 0.0 } else { x.signum() })
    }
    /// The largest whole number that is not above x, with slope 0.
    fn floor(self) -> Self {
        Self::constant(self.value().floor())
    }
    /// The first number where this one is positive, else the second: a case distinction both branches of which are recorded. The
    /// one that is not taken may have no value.
    fn select(self, positive: Self, otherwise: Self) -> Self {
        positive.either(otherwise, self.value() > 0.0)
    }
    /// This number when `first` holds, else the other one. Whoever knows whether it holds has asked for a value; where formulas
    /// are to be recorded it is [`Scalar::select`] that tells cases apart.
    fn either(self, other: Self, first: bool) -> Self {
        if first { self } else { other }
    }
    /// The smaller of two numbers; NaN when one of them is, so that nothing undefined stays hidden.
    fn min(self, other: Self) -> Self {
        self.either(other, self.value() <= other.value() || self.value().is_nan())
    }
    /// The larger of two numbers; NaN when one of them is.
    fn max(self, other: Self) -> Self {
        self.either(other, self.value() >= other.value() || self.value().is_nan())
    }
}

impl Scalar for f64 {
    const LANES: usize = 1;
    const DEPTH: usize = 0;

    #[inline]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
    fn lane(self, _k: usize) -> Number {
        Number::constant(self)
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        lane(0).value()
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    fn tan(self) -> Self {
        f64::tan(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn acos(self) -> Self {
        f64::acos(self)
    }
    fn atan(self) -> Self {
        f64::atan(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    fn sinh(self) -> Self {
        f64::sinh(self)
    }
    fn cosh(self) -> Self {
        f64::cosh(self)
    }
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    fn abs(self) -> Self {
        f64::abs(self)
    }
    fn powi(self, k: i32) -> Self {
        f64::powi(self, k)
    }
    fn powf(self, p: f64) -> Self {
        f64::powf(self, p)
    }
    fn pow(self, y: Self) -> Self {
        f64::powf(self, y)
    }
    fn hypot(self, y: Self) -> Self {
        hypotenuse(self, y)
    }
}
