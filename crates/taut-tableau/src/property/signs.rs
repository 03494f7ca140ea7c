//! Signs of polynomials on x > 0.

use crate::number::{DoubleDouble, Polynomial, Scalar};

/// The left end of the first interval of x > 0 on which the polynomial is negative: zero or one of its roots.
///
/// `noise` is the relative accuracy of the coefficients.
pub(crate) fn first_negative(polynomial: &Polynomial, noise: f64) -> Option<f64> {
    let roots = positive_roots(polynomial, noise);
    let left_ends = [0.0].into_iter().chain(roots.iter().copied());
    let right_ends = roots.iter().copied().map(Some).chain([None]);
    let mut intervals = left_ends.zip(right_ends);
    // The sign does not change between roots; any point of the interval will do.
    let inside = |left: f64, right: Option<f64>| right.map_or(2.0 * left + 1.0, |right| 0.5 * (left + right));
    intervals.find(|&(left, right)| value(polynomial, inside(left, right)) < 0.0).map(|(left, _)| left)
}

/// Whether the polynomial is positive for all x > 0.
pub(super) fn is_positive(polynomial: &Polynomial, noise: f64) -> bool {
    positive_roots(polynomial, noise).is_empty() && value(polynomial, 1.0) > 0.0
}

fn value(polynomial: &Polynomial, x: f64) -> f64 {
    polynomial.value(DoubleDouble::from(x)).to_f64()
}

/// The positive real roots, ascending; one of higher multiplicity is listed once.
fn positive_roots(polynomial: &Polynomial, noise: f64) -> Vec<f64> {
    // Double roots split by the square root of the errors of the coefficients, perhaps into the complex.
    let split = 10.0 * noise.sqrt();
    let mut roots: Vec<f64> = polynomial
        .roots()
        .into_iter()
        .filter(|root| root.im.magnitude() <= split * root.magnitude())
        .map(|root| root.re.to_f64())
        .filter(|&root| root > 0.0)
        .collect();
    roots.sort_by(f64::total_cmp);
    // Between two computed copies of one multiple root the sign is noise.
    roots.dedup_by(|right, left| *right - *left <= split * *right);
    roots
}
