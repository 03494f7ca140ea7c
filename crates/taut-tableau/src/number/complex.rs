use super::{DoubleDouble, Scalar};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A complex number: in extended precision where coefficients are found, of `f64` where they are used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<T = DoubleDouble> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

impl<T> Complex<T> {
    /// The number re + i im.
    pub const fn new(re: T, im: T) -> Self {
        Self { re, im }
    }
}

impl<T: Neg<Output = T>> Complex<T> {
    /// The conjugate.
    pub fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }
}

impl Complex<f64> {
    /// 0.
    pub const ZERO: Self = Self::new(0.0, 0.0);

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

impl Complex {
    /// The n-th roots of unity exp(2 pi i k / n), k = 0 .. n-1.
    pub(crate) fn roots_of_unity(n: usize) -> Vec<Self> {
        let count = Self::from(n as f64);
        (0..n)
            .map(|k| {
                let angle = std::f64::consts::TAU * k as f64 / n as f64;
                let start = Self::new(angle.cos().into(), angle.sin().into());
                // Newton for z^n = 1, z^-1 replaced by the conjugate: two steps square the error of f64 away.
                (0..2).fold(start, |z, _| {
                    let power = (0..n).fold(Self::from(1.0), |power, _| power * z);
                    z - (power - Self::from(1.0)) * z * power.conjugate() / count
                })
            })
            .collect()
    }
}

impl<T: From<f64>> From<f64> for Complex<T> {
    fn from(re: f64) -> Self {
        Self::new(T::from(re), T::from(0.0))
    }
}

impl From<DoubleDouble> for Complex {
    fn from(value: DoubleDouble) -> Self {
        Self::new(value, DoubleDouble::ZERO)
    }
}

impl<T: Add<Output = T>> Add for Complex<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl<T: Neg<Output = T>> Neg for Complex<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl<T: Sub<Output = T>> Sub for Complex<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Mul for Complex<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Mul<f64> for Complex<f64> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

impl Div for Complex {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let square = other.re * other.re + other.im * other.im;
        let product = self * other.conjugate();
        Self::new(product.re / square, product.im / square)
    }
}

impl<T> AddAssign for Complex<T>
where
    Self: Copy + Add<Output = Self>,
{
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T> SubAssign for Complex<T>
where
    Self: Copy + Sub<Output = Self>,
{
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Complex {
    fn magnitude(self) -> f64 {
        self.re.to_f64().hypot(self.im.to_f64())
    }
}
