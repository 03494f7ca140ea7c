//! Numbers of about 31 digits: sums of two plain ones.

mod functions;
mod operators;
#[cfg(test)]
mod tests;
mod text;

/// A number of about 31 decimal digits, as the sum of two numbers that do not overlap (Dekker 1971).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = DoubleDouble { high: 0.0, low: 0.0 };
    /// One.
    pub const ONE: Self = DoubleDouble { high: 1.0, low: 0.0 };

    /// The sum of two numbers.
    pub fn new(high: f64, low: f64) -> Self {
        let (high, low) = two_sum(high, low);
        DoubleDouble { high, low }
    }

    /// The quotient of two integers (exact up to 2^53 each), as rational coefficients are given in the literature.
    pub fn ratio(numerator: i64, denominator: i64) -> Self {
        Self::from(numerator as f64) / Self::from(denominator as f64)
    }

    /// The nearest `f64`: the leading part is the sum, rounded to nearest, so that it is rounded exactly once.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// What is left when the nearest `f64` is taken away.
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
    #[inline]
    fn from(x: f64) -> Self {
        DoubleDouble { high: x, low: 0.0 }
    }
}

impl From<usize> for DoubleDouble {
    fn from(x: usize) -> Self {
        Self::from(x as f64)
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
