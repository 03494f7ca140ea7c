use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Number, Scalar};

/// How many coefficients a [`Series`] has: enough for three passes of a smooth start.
pub const SERIES_TERMS: usize = 10;

/// A truncated Taylor series x₀ + x₁ τ + x₂ τ² + … in time: what a quantity does along a motion.
///
/// Formulas evaluated with it give the series of their results, by the usual recursions (Hairer, Nørsett and Wanner,
/// Solving Ordinary Differential Equations I, section I.8), exact up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series(pub [f64; SERIES_TERMS]);

impl Series {
    /// x₀ + x₁ τ
    pub fn linear(value: f64, rate: f64) -> Self {
        let mut series = Series::constant(value);
        series.0[1] = rate;
        series
    }

    /// The series of the derivative; its last coefficient is not known and 0.
    pub fn derivative(self) -> Self {
        let next = |k: usize| self.0.get(k + 1).map_or(0.0, |x| (k + 1) as f64 * x);
        Series(std::array::from_fn(next))
    }

    /// The series whose derivative this is.
    pub fn integral(self, value: f64) -> Self {
        Series(std::array::from_fn(|k| if k == 0 { value } else { self.0[k - 1] / k as f64 }))
    }

    /// value + ∫ x' w, the series of a function of x with the derivative w.
    fn chain(self, value: f64, w: Self) -> Self {
        (self.derivative() * w).integral(value)
    }

    /// Two functions of x, each the derivative of the other up to a sign: sine and cosine, plain or hyperbolic.
    fn pair(self, (s, c): (f64, f64), sign: f64) -> (Self, Self) {
        let (mut sine, mut cosine) = (Series::constant(s), Series::constant(c));
        for k in 1..SERIES_TERMS {
            let (mut to_sine, mut to_cosine) = (0.0, 0.0);
            for j in 1..=k {
                let rate = j as f64 * self.0[j];
                to_sine += rate * cosine.0[k - j];
                to_cosine += rate * sine.0[k - j];
            }
            sine.0[k] = to_sine / k as f64;
            cosine.0[k] = sign * to_cosine / k as f64;
        }
        (sine, cosine)
    }

    fn each(self, f: impl Fn(f64) -> f64) -> Self {
        Series(self.0.map(f))
    }

    fn each_pair(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Series(std::array::from_fn(|k| f(self.0[k], other.0[k])))
    }
}

impl Add for Series {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.each_pair(other, |x, y| x + y)
    }
}

impl Sub for Series {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.each_pair(other, |x, y| x - y)
    }
}

impl Mul for Series {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Series(std::array::from_fn(|k| (0..=k).map(|j| self.0[j] * other.0[k - j]).sum()))
    }
}

impl Div for Series {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let mut quotient = [0.0; SERIES_TERMS];
        for k in 0..SERIES_TERMS {
            let known: f64 = (1..=k).map(|j| other.0[j] * quotient[k - j]).sum();
            quotient[k] = (self.0[k] - known) / other.0[0];
        }
        Series(quotient)
    }
}

impl Neg for Series {
    type Output = Self;
    fn neg(self) -> Self {
        self.each(|x| -x)
    }
}

impl Add<f64> for Series {
    type Output = Self;
    fn add(mut self, other: f64) -> Self {
        self.0[0] += other;
        self
    }
}

impl Sub<f64> for Series {
    type Output = Self;
    fn sub(mut self, other: f64) -> Self {
        self.0[0] -= other;
        self
    }
}

impl Mul<f64> for Series {
    type Output = Self;
    fn mul(self, other: f64) -> Self {
        self.each(|x| x * other)
    }
}

impl Div<f64> for Series {
    type Output = Self;
    fn div(self, other: f64) -> Self {
        self.each(|x| x / other)
    }
}

impl AddAssign for Series {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Series {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Series {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Scalar for Series {
    const LANES: usize = 1;
    /// As many orders as there are derivatives.
    const DEPTH: usize = SERIES_TERMS - 1;

    fn constant(value: f64) -> Self {
        let mut series = [0.0; SERIES_TERMS];
        series[0] = value;
        Series(series)
    }
    fn value(self) -> f64 {
        self.0[0]
    }
    fn lane(self, _k: usize) -> Number {
        Number::constant(f64::NAN)
    }
    fn from_lanes(_lane: impl Fn(usize) -> Number) -> Self {
        Series::constant(f64::NAN)
    }
    fn sqrt(self) -> Self {
        let mut root = Series::constant(self.0[0].sqrt());
        for k in 1..SERIES_TERMS {
            let known: f64 = (1..k).map(|j| root.0[j] * root.0[k - j]).sum();
            root.0[k] = (self.0[k] - known) / (2.0 * root.0[0]);
        }
        root
    }
    fn exp(self) -> Self {
        let mut e = Series::constant(self.0[0].exp());
        for k in 1..SERIES_TERMS {
            let sum: f64 = (1..=k).map(|j| j as f64 * self.0[j] * e.0[k - j]).sum();
            e.0[k] = sum / k as f64;
        }
        e
    }
    fn ln(self) -> Self {
        self.chain(self.0[0].ln(), Series::constant(1.0) / self)
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn sin_cos(self) -> (Self, Self) {
        self.pair(self.0[0].sin_cos(), -1.0)
    }
    fn asin(self) -> Self {
        self.chain(self.0[0].asin(), Series::constant(1.0) / (-(self * self) + 1.0).sqrt())
    }
    fn acos(self) -> Self {
        self.chain(self.0[0].acos(), Series::constant(-1.0) / (-(self * self) + 1.0).sqrt())
    }
    fn atan(self) -> Self {
        self.chain(self.0[0].atan(), Series::constant(1.0) / (self * self + 1.0))
    }
    fn atan2(self, x: Self) -> Self {
        let turning = x * self.derivative() - self * x.derivative();
        (turning / (x * x + self * self)).integral(self.0[0].atan2(x.0[0]))
    }
    fn sinh(self) -> Self {
        self.pair((self.0[0].sinh(), self.0[0].cosh()), 1.0).0
    }
    fn cosh(self) -> Self {
        self.pair((self.0[0].sinh(), self.0[0].cosh()), 1.0).1
    }
    fn tanh(self) -> Self {
        self.sinh() / self.cosh()
    }
    fn abs(self) -> Self {
        let sign = if self.0[0] == 0.0 { 0.0 } else { self.0[0].signum() };
        self * sign
    }
    fn powi(self, k: i32) -> Self {
        let product = (0..k.unsigned_abs()).fold(Series::constant(1.0), |product, _| product * self);
        if k < 0 { Series::constant(1.0) / product } else { product }
    }
    fn powf(self, p: f64) -> Self {
        let mut power = Series::constant(self.0[0].powf(p));
        for k in 1..SERIES_TERMS {
            let term = |j: usize| (p * j as f64 - (k - j) as f64) * self.0[j] * power.0[k - j];
            let sum: f64 = (1..=k).map(term).sum();
            power.0[k] = sum / (k as f64 * self.0[0]);
        }
        power
    }
    fn hypot(self, y: Self) -> Self {
        (self * self + y * y).sqrt()
    }
}
