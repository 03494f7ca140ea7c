//! Arithmetic (Hida, Li and Bailey 2001).

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{DoubleDouble, quick_two_sum, two_product, two_sum};

#[inline]
fn normal((high, low): (f64, f64)) -> DoubleDouble {
    let (high, low) = quick_two_sum(high, low);
    DoubleDouble { high, low }
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (sum, lost) = two_sum(self.high, other.high);
        let (low, lost_below) = two_sum(self.low, other.low);
        let (sum, lost) = quick_two_sum(sum, lost + low);
        normal((sum, lost + lost_below))
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        DoubleDouble { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (product, lost) = two_product(self.high, other.high);
        normal((product, lost + (self.high * other.low + self.low * other.high)))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first;
        let second = rest.high / other.high;
        let rest = rest - other * second;
        let third = rest.high / other.high;
        normal(quick_two_sum(first, second)) + third
    }
}

impl Add<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        let (sum, lost) = two_sum(self.high, other);
        normal((sum, lost + self.low))
    }
}

impl Sub<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        self + -other
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: f64) -> Self {
        let (product, lost) = two_product(self.high, other);
        normal((product, lost + self.low * other))
    }
}

impl Div<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, other: f64) -> Self {
        self / DoubleDouble::from(other)
    }
}

impl AddAssign for DoubleDouble {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for DoubleDouble {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for DoubleDouble {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}
