use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Number, Scalar};

/// How many inputs one trace can watch.
pub const WATCHED: usize = 512;
const WORDS: usize = WATCHED / 64;

/// A number that remembers which inputs it was made of; a formula evaluated with it shows its sparsity.
///
/// It also carries a value, so that formulas with a case distinction take the branch they take at that point.
/// [`Scalar::either`] and what is made of it ([`Scalar::min`], [`Scalar::max`]) remember both branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependence {
    value: f64,
    /// the value is another one elsewhere, whether or not a watched input is the reason
    varies: bool,
    on: [u64; WORDS],
}

impl Dependence {
    /// Input number `k`, watched.
    pub fn input(value: f64, k: usize) -> Self {
        let mut on = [0; WORDS];
        on[k / 64] |= 1 << (k % 64);
        Dependence { value, varies: true, on }
    }

    /// An input that is not watched, like time. It may vanish at the point of a trace, but only by chance.
    pub fn unwatched(value: f64) -> Self {
        Dependence { value, varies: true, on: [0; WORDS] }
    }

    /// The inputs it depends on.
    pub fn inputs(&self) -> impl Iterator<Item = usize> + '_ {
        (0..WATCHED).filter(|k| self.on[k / 64] >> (k % 64) & 1 == 1)
    }

    /// Whether it depends on none of the watched inputs.
    pub fn is_constant(&self) -> bool {
        self.on == [0; WORDS]
    }

    fn is_structural_zero(&self) -> bool {
        self.value == 0.0 && !self.varies
    }

    fn map(self, value: f64) -> Self {
        Dependence { value, ..self }
    }

    fn join(self, other: Self, value: f64) -> Self {
        let on = std::array::from_fn(|k| self.on[k] | other.on[k]);
        Dependence { value, varies: self.varies || other.varies, on }
    }
}

impl Add for Dependence {
    type Output = Self;
    fn add(self, y: Self) -> Self {
        self.join(y, self.value + y.value)
    }
}

impl Sub for Dependence {
    type Output = Self;
    fn sub(self, y: Self) -> Self {
        self.join(y, self.value - y.value)
    }
}

impl Mul for Dependence {
    type Output = Self;
    /// A factor that is zero for every input hides the other one: slopes of things that do not move stay zero.
    fn mul(self, y: Self) -> Self {
        if self.is_structural_zero() || y.is_structural_zero() {
            return Self::constant(0.0);
        }
        self.join(y, self.value * y.value)
    }
}

impl Div for Dependence {
    type Output = Self;
    fn div(self, y: Self) -> Self {
        if self.is_structural_zero() {
            return self;
        }
        self.join(y, self.value / y.value)
    }
}

impl Neg for Dependence {
    type Output = Self;
    fn neg(self) -> Self {
        self.map(-self.value)
    }
}

impl Add<f64> for Dependence {
    type Output = Self;
    fn add(self, y: f64) -> Self {
        self.map(self.value + y)
    }
}

impl Sub<f64> for Dependence {
    type Output = Self;
    fn sub(self, y: f64) -> Self {
        self.map(self.value - y)
    }
}

impl Mul<f64> for Dependence {
    type Output = Self;
    fn mul(self, y: f64) -> Self {
        self * Self::constant(y)
    }
}

impl Div<f64> for Dependence {
    type Output = Self;
    fn div(self, y: f64) -> Self {
        self.map(self.value / y)
    }
}

impl AddAssign for Dependence {
    fn add_assign(&mut self, y: Self) {
        *self = *self + y;
    }
}

impl SubAssign for Dependence {
    fn sub_assign(&mut self, y: Self) {
        *self = *self - y;
    }
}

impl MulAssign for Dependence {
    fn mul_assign(&mut self, y: Self) {
        *self = *self * y;
    }
}

impl Scalar for Dependence {
    const LANES: usize = 1;
    const DEPTH: usize = 0;

    fn constant(value: f64) -> Self {
        Dependence { value, varies: false, on: [0; WORDS] }
    }
    fn value(self) -> f64 {
        self.value
    }
    fn lane(self, _k: usize) -> Number {
        Number::constant(self.value)
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        Self::constant(lane(0).value())
    }
    fn sqrt(self) -> Self {
        self.map(self.value.sqrt())
    }
    fn exp(self) -> Self {
        self.map(self.value.exp())
    }
    fn ln(self) -> Self {
        self.map(self.value.ln())
    }
    fn sin(self) -> Self {
        self.map(self.value.sin())
    }
    fn cos(self) -> Self {
        self.map(self.value.cos())
    }
    fn asin(self) -> Self {
        self.map(self.value.asin())
    }
    fn acos(self) -> Self {
        self.map(self.value.acos())
    }
    fn atan(self) -> Self {
        self.map(self.value.atan())
    }
    fn atan2(self, x: Self) -> Self {
        self.join(x, self.value.atan2(x.value))
    }
    fn sinh(self) -> Self {
        self.map(self.value.sinh())
    }
    fn cosh(self) -> Self {
        self.map(self.value.cosh())
    }
    fn tanh(self) -> Self {
        self.map(self.value.tanh())
    }
    fn abs(self) -> Self {
        self.map(self.value.abs())
    }
    fn powi(self, k: i32) -> Self {
        if k == 0 { Self::constant(1.0) } else { self.map(self.value.powi(k)) }
    }
    fn powf(self, p: f64) -> Self {
        if p == 0.0 { Self::constant(1.0) } else { self.map(self.value.powf(p)) }
    }
    fn hypot(self, y: Self) -> Self {
        self.join(y, self.value.hypot(y.value))
    }
    fn either(self, other: Self, first: bool) -> Self {
        let joined = self.join(other, if first { self.value } else { other.value });
        Dependence { varies: joined.varies || self != other, ..joined }
    }
}
