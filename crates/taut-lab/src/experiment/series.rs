//! Truncated power series in extended precision, in one small parameter.

use std::ops::{Add, Mul, Neg, Sub};

use taut_tableau::number::DoubleDouble;

/// x_0 + x_1 e + ... + x_(K-1) e^(K-1). With K = 1 a plain number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Series<const K: usize>(pub [DoubleDouble; K]);

impl<const K: usize> Series<K> {
    /// Zero.
    pub const ZERO: Self = Series([DoubleDouble::ZERO; K]);

    /// The small parameter itself; zero when nothing is kept of it.
    pub fn parameter() -> Self {
        let mut e = Self::ZERO;
        if let Some(first) = e.0.get_mut(1) {
            *first = DoubleDouble::ONE;
        }
        e
    }

    /// The coefficient without the small parameter.
    pub fn leading(self) -> DoubleDouble {
        self.0[0]
    }

    /// The product with a number.
    pub fn times(self, factor: DoubleDouble) -> Self {
        Series(self.0.map(|x| x * factor))
    }
}

impl<const K: usize> From<DoubleDouble> for Series<K> {
    fn from(value: DoubleDouble) -> Self {
        let mut series = Self::ZERO;
        series.0[0] = value;
        series
    }
}

impl<const K: usize> From<f64> for Series<K> {
    fn from(value: f64) -> Self {
        DoubleDouble::from(value).into()
    }
}

impl<const K: usize> Add for Series<K> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl<const K: usize> Neg for Series<K> {
    type Output = Self;
    fn neg(self) -> Self {
        Series(self.0.map(|x| -x))
    }
}

impl<const K: usize> Sub for Series<K> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const K: usize> Mul for Series<K> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Series(std::array::from_fn(|k| {
            (0..=k).fold(DoubleDouble::ZERO, |sum, i| sum + self.0[i] * other.0[k - i])
        }))
    }
}
