//! Legendre polynomials on [0, 1].

use crate::number::{DoubleDouble, Scalar};

/// The values P_0(x), ..., P_degree(x) of Legendre's polynomials at x in [-1, 1], by their three-term recurrence.
pub(crate) fn legendre<T: Scalar>(degree: usize, x: T) -> Vec<T> {
    let mut values = vec![T::from(1.0), x];
    for k in 1..degree {
        values.push(next_legendre(k, x, values[k], values[k - 1]));
    }
    values.truncate(degree + 1);
    values
}

/// P_{k+1}(x) from P_k(x) and P_{k-1}(x).
pub(crate) fn next_legendre<T: Scalar>(k: usize, x: T, current: T, previous: T) -> T {
    let k = k as f64;
    (T::from(2.0 * k + 1.0) * x * current - T::from(k) * previous) / T::from(k + 1.0)
}

/// The derivatives P_0'(x), ..., P_degree'(x) where `values` are those of [`legendre`]: P_{k+1}' = P_{k-1}' + (2k+1) P_k.
pub(crate) fn legendre_slopes<T: Scalar>(values: &[T]) -> Vec<T> {
    let mut slopes = vec![T::from(0.0), T::from(1.0)];
    for k in 1..values.len().saturating_sub(1) {
        slopes.push(slopes[k - 1] + T::from(2.0 * k as f64 + 1.0) * values[k]);
    }
    slopes.truncate(values.len());
    slopes
}

/// The values p_0(x), ..., p_{count-1}(x) of the orthonormal shifted polynomials, p_k(x) = sqrt(2k+1) P_k(2x - 1).
pub(crate) fn orthonormal(count: usize, x: DoubleDouble) -> Vec<DoubleDouble> {
    let argument = x + x - DoubleDouble::ONE;
    let values = legendre(count, argument);
    (0..count).map(|k| DoubleDouble::from(2 * k + 1).sqrt() * values[k]).collect()
}

/// zeta_k = 1 / (2 sqrt(4k^2 - 1)): the integral of p_k is zeta_{k+1} p_{k+1} - zeta_k p_{k-1} (Hairer and Wanner, IV.5).
pub(crate) fn zeta(k: usize) -> DoubleDouble {
    DoubleDouble::ONE / (DoubleDouble::from(2.0) * DoubleDouble::from(4 * k * k - 1).sqrt())
}
