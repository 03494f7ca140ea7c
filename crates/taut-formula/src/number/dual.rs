use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::lanes::{coefficients, from_coefficients};
use super::{Number, Scalar};

/// A value with `N` first derivatives: a + Σ bₖ εₖ with εₖ εₗ = 0 (forward differentiation).
///
/// Nested in itself it carries second and third derivatives: `Dual<4, Dual<4>>` has 16 mixed second ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize, S = f64> {
    /// a, the value
    pub value: S,
    /// bₖ, the derivatives
    pub slope: [S; N],
}

impl<const N: usize, S: Scalar> Dual<N, S> {
    /// The number `value` with no slope.
    #[inline]
    pub fn lift(value: S) -> Self {
        Dual { value, slope: [S::zero(); N] }
    }

    /// The variable with the slope 1 in direction `k`.
    #[inline]
    pub fn variable(value: S, k: usize) -> Self {
        let mut x = Self::lift(value);
        x.slope[k] = S::constant(1.0);
        x
    }

    /// f(x) from f(a) and f'(a), the chain rule.
    #[inline]
    fn chain(self, value: S, derivative: S) -> Self {
        Dual { value, slope: self.slope.map(|b| b * derivative) }
    }

    /// f(x, y) from its value and its two partial derivatives.
    #[inline]
    fn chain2(self, other: Self, value: S, d_self: S, d_other: S) -> Self {
        Dual { value, slope: std::array::from_fn(|k| self.slope[k] * d_self + other.slope[k] * d_other) }
    }
}

impl<const N: usize, S: Scalar> Add for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn add(self, y: Self) -> Self {
        Dual { value: self.value + y.value, slope: std::array::from_fn(|k| self.slope[k] + y.slope[k]) }
    }
}

impl<const N: usize, S: Scalar> Sub for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn sub(self, y: Self) -> Self {
        Dual { value: self.value - y.value, slope: std::array::from_fn(|k| self.slope[k] - y.slope[k]) }
    }
}

impl<const N: usize, S: Scalar> Mul for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn mul(self, y: Self) -> Self {
        self.chain2(y, self.value * y.value, y.value, self.value)
    }
}

impl<const N: usize, S: Scalar> Div for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn div(self, y: Self) -> Self {
        let inverse = S::constant(1.0) / y.value;
        let value = self.value / y.value;
        self.chain2(y, value, inverse, -(value * inverse))
    }
}

impl<const N: usize, S: Scalar> Neg for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Dual { value: -self.value, slope: self.slope.map(|b| -b) }
    }
}

impl<const N: usize, S: Scalar> Add<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn add(self, y: f64) -> Self {
        Dual { value: self.value + y, slope: self.slope }
    }
}

impl<const N: usize, S: Scalar> Sub<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn sub(self, y: f64) -> Self {
        Dual { value: self.value - y, slope: self.slope }
    }
}

impl<const N: usize, S: Scalar> Mul<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn mul(self, y: f64) -> Self {
        Dual { value: self.value * y, slope: self.slope.map(|b| b * y) }
    }
}

impl<const N: usize, S: Scalar> Div<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn div(self, y: f64) -> Self {
        Dual { value: self.value / y, slope: self.slope.map(|b| b / y) }
    }
}

impl<const N: usize, S: Scalar> AddAssign for Dual<N, S> {
    #[inline]
    fn add_assign(&mut self, y: Self) {
        *self = *self + y;
    }
}

impl<const N: usize, S: Scalar> SubAssign for Dual<N, S> {
    #[inline]
    fn sub_assign(&mut self, y: Self) {
        *self = *self - y;
    }
}

impl<const N: usize, S: Scalar> MulAssign for Dual<N, S> {
    #[inline]
    fn mul_assign(&mut self, y: Self) {
        *self = *self * y;
    }
}

impl<const N: usize, S: Scalar> Scalar for Dual<N, S> {
    const LANES: usize = N * S::LANES;
    const DEPTH: usize = S::DEPTH + 1;

    fn constant(value: f64) -> Self {
        Self::lift(S::constant(value))
    }
    fn value(self) -> f64 {
        self.value.value()
    }
    fn lane(self, k: usize) -> Number {
        let (direction, rest) = (k / S::LANES, k % S::LANES);
        let value = coefficients(self.value.lane(rest).jet());
        let slope = coefficients(self.slope[direction].lane(rest).jet());
        let size = 1 << S::DEPTH;
        let mut all = [0.0; 8];
        all[..size].copy_from_slice(&value[..size]);
        all[size..2 * size].copy_from_slice(&slope[..size]);
        from_coefficients(all).into()
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        let size = 1 << S::DEPTH;
        let part = |k: usize, from: usize| {
            let all = coefficients(lane(k).jet());
            let mut part = [0.0; 8];
            part[..size].copy_from_slice(&all[from..from + size]);
            from_coefficients(part).into()
        };
        Dual {
            value: S::from_lanes(|rest| part(rest, 0)),
            slope: std::array::from_fn(|k| S::from_lanes(|rest| part(k * S::LANES + rest, size))),
        }
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, S::constant(0.5) / root)
    }
    fn exp(self) -> Self {
        let e = self.value.exp();
        self.chain(e, e)
    }
    fn ln(self) -> Self {
        self.chain(self.value.ln(), S::constant(1.0) / self.value)
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    fn asin(self) -> Self {
        let x = self.value;
        self.chain(x.asin(), S::constant(1.0) / (-(x * x) + 1.0).sqrt())
    }
    fn acos(self) -> Self {
        let x = self.value;
        self.chain(x.acos(), S::constant(-1.0) / (-(x * x) + 1.0).sqrt())
    }
    fn atan(self) -> Self {
        let x = self.value;
        self.chain(x.atan(), S::constant(1.0) / (x * x + 1.0))
    }
    fn atan2(self, x: Self) -> Self {
        let r2 = self.value * self.value + x.value * x.value;
        self.chain2(x, self.value.atan2(x.value), x.value / r2, -(self.value / r2))
    }
    fn sinh(self) -> Self {
        self.chain(self.value.sinh(), self.value.cosh())
    }
    fn cosh(self) -> Self {
        self.chain(self.value.cosh(), self.value.sinh())
    }
    fn tanh(self) -> Self {
        let y = self.value.tanh();
        self.chain(y, -(y * y) + 1.0)
    }
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.sign())
    }
    fn powi(self, k: i32) -> Self {
        match k {
            0 => Self::constant(1.0),
            1 => self,
            _ => self.chain(self.value.powi(k), self.value.powi(k - 1) * f64::from(k)),
        }
    }
    fn powf(self, p: f64) -> Self {
        if p == 0.0 {
            return Self::constant(1.0);
        }
        self.chain(self.value.powf(p), self.value.powf(p - 1.0) * p)
    }
    fn hypot(self, y: Self) -> Self {
        let r = self.value.hypot(y.value);
        self.chain2(y, r, self.value / r, y.value / r)
    }
    fn sign(self) -> Self {
        Self::lift(self.value.sign())
    }
    fn floor(self) -> Self {
        Self::lift(self.value.floor())
    }
    fn select(self, positive: Self, otherwise: Self) -> Self {
        let chosen = |positive: S, otherwise: S| self.value.select(positive, otherwise);
        Dual {
            value: chosen(positive.value, otherwise.value),
            slope: std::array::from_fn(|k| chosen(positive.slope[k], otherwise.slope[k])),
        }
    }
    fn either(self, other: Self, first: bool) -> Self {
        Dual {
            value: self.value.either(other.value, first),
            slope: std::array::from_fn(|k| self.slope[k].either(other.slope[k], first)),
        }
    }
}
