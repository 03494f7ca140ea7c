use super::{DoubleDouble, Scalar};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number in extended precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: DoubleDouble,
    /// The imaginary part.
    pub im: DoubleDouble,
}

impl Complex {
    /// The number re + i im.
    pub fn new(re: DoubleDouble, im: DoubleDouble) -> Self {
        Self { re, im }
    }

    /// The conjugate.
    pub fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }

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

impl From<f64> for Complex {
    fn from(value: f64) -> Self {
        Self::from(DoubleDouble::from(value))
    }
}

impl From<DoubleDouble> for Complex {
    fn from(value: DoubleDouble) -> Self {
        Self::new(value, DoubleDouble::ZERO)
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
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

impl Scalar for Complex {
    fn magnitude(self) -> f64 {
        self.re.to_f64().hypot(self.im.to_f64())
    }
}
