//! Functions: a plain value, corrected; or a series after a reduction.

use super::DoubleDouble;

/// π/2 in three parts.
const HALF_PI: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];
/// ln 2 in two parts.
const LN_2: DoubleDouble = DoubleDouble { high: std::f64::consts::LN_2, low: 2.3190468138462996e-17 };
/// Terms of series below this share of the first are of no account.
const NEGLIGIBLE: f64 = 1e-34;

impl DoubleDouble {
    /// The absolute value.
    #[inline]
    pub fn abs(self) -> Self {
        if self.high < 0.0 || self.high == 0.0 && self.low < 0.0 { -self } else { self }
    }

    /// The square root: one step of Newton from the plain root.
    pub fn sqrt(self) -> Self {
        if self.high == 0.0 {
            return self;
        }
        let root = self.high.sqrt();
        let square = DoubleDouble::from(root) * root;
        let correction = (self - square).high / (2.0 * root);
        DoubleDouble::from(root) + correction
    }

    /// The integer power, with 0⁰ = 1.
    pub fn powi(self, k: i32) -> Self {
        let (mut power, mut square, mut left) = (DoubleDouble::ONE, self, k.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power *= square;
            }
            square = square * square;
            left /= 2;
        }
        if k < 0 { DoubleDouble::ONE / power } else { power }
    }

    /// √(x² + y²).
    pub fn hypot(self, y: Self) -> Self {
        (self * self + y * y).sqrt()
    }

    /// e^x.
    pub fn exp(self) -> Self {
        exponential(self)
    }

    /// The natural logarithm.
    pub fn ln(self) -> Self {
        logarithm(self)
    }

    /// Sine and cosine.
    pub fn sin_cos(self) -> (Self, Self) {
        sine_and_cosine(self)
    }

    /// The angle of (x, y), where this is y.
    pub fn atan2(self, x: Self) -> Self {
        angle(self, x)
    }

    /// Hyperbolic sine and cosine.
    pub fn sinh_cosh(self) -> (Self, Self) {
        hyperbolic(self)
    }
}

/// e^x = 2^k (e^(r/256))^256 with |r| ≤ ln(2)/2.
fn exponential(x: DoubleDouble) -> DoubleDouble {
    const HALVINGS: i32 = 8;
    /// beyond, the result is 0 or infinite
    const LARGEST: f64 = 709.0;
    if !(x.high.abs() <= LARGEST) {
        return x.high.exp().into();
    }
    let k = (x.high / LN_2.high).round();
    let reduced = (x - LN_2 * k).times_power_of_two(0.5_f64.powi(HALVINGS));
    // e^r − 1, which doubles as (1 + s)² − 1 = s² + 2 s without loss.
    let (mut term, mut sum, mut j) = (reduced, reduced, 1.0);
    while term.high.abs() > NEGLIGIBLE * reduced.high.abs() {
        j += 1.0;
        term = term * reduced / j;
        sum += term;
    }
    for _ in 0..HALVINGS {
        sum = sum * sum + sum.times_power_of_two(2.0);
    }
    (sum + 1.0).times_power_of_two(2.0_f64.powi(k as i32))
}

/// ln x: Newton's iteration for e^y = x.
fn logarithm(x: DoubleDouble) -> DoubleDouble {
    let y = DoubleDouble::from(x.high.ln());
    if !y.is_finite() {
        return y;
    }
    y + (x * exponential(-y) - 1.0)
}

/// Series on [−π/4, π/4], after a multiple of π/2 was taken away.
fn sine_and_cosine(x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    let quarters = (x.high / HALF_PI[0]).round();
    if !quarters.is_finite() {
        return (f64::NAN.into(), f64::NAN.into());
    }
    let reduced = HALF_PI.iter().fold(x, |x, part| x - DoubleDouble::from(*part) * quarters);
    let square = reduced * reduced;
    let (sine, cosine) = (alternating(reduced, square, 1.0), alternating(1.0.into(), square, 0.0));
    match quarters.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// first (1 − s/((j+1)(j+2)) + …)
fn alternating(first: DoubleDouble, square: DoubleDouble, mut j: f64) -> DoubleDouble {
    let (mut term, mut sum) = (first, first);
    while term.high.abs() > NEGLIGIBLE * first.high.abs() {
        term = -(term * square) / ((j + 1.0) * (j + 2.0));
        sum += term;
        j += 2.0;
    }
    sum
}

/// The angle of (x, y): the plain one, corrected by the sine of what is missing.
fn angle(y: DoubleDouble, x: DoubleDouble) -> DoubleDouble {
    let plain = DoubleDouble::from(y.high.atan2(x.high));
    let radius = x.hypot(y);
    if radius.high == 0.0 || !plain.is_finite() || !radius.is_finite() {
        return plain;
    }
    let (sine, cosine) = sine_and_cosine(plain);
    plain + (y * cosine - x * sine) / radius
}

/// Hyperbolic sine and cosine.
fn hyperbolic(x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    const SMALL: f64 = 0.5;
    let grown = exponential(x);
    let shrunk = DoubleDouble::from(1.0) / grown;
    let cosine = (grown + shrunk).times_power_of_two(0.5);
    if x.high.abs() > SMALL {
        return ((grown - shrunk).times_power_of_two(0.5), cosine);
    }
    // Nothing cancels in the series.
    let square = x * x;
    let (mut term, mut sum, mut j) = (x, x, 1.0);
    while term.high.abs() > NEGLIGIBLE * x.high.abs() {
        term = term * square / ((j + 1.0) * (j + 2.0));
        sum += term;
        j += 2.0;
    }
    (sum, cosine)
}
