//! Taylor polynomials in time.

use taut_tableau::number::DoubleDouble;

use super::{Plane, State, dot, plus};

/// Coefficient j of the product of two polynomials; coefficients beyond their ends are zero.
pub(crate) fn product(a: &[DoubleDouble], b: &[DoubleDouble], j: usize) -> DoubleDouble {
    (0..=j).fold(DoubleDouble::ZERO, |sum, i| match (a.get(i), b.get(j - i)) {
        (Some(&a), Some(&b)) => sum + a * b,
        _ => sum,
    })
}

/// The same for inner products.
pub(crate) fn inner_product(a: &[Plane], b: &[Plane], j: usize) -> DoubleDouble {
    (0..=j).fold(DoubleDouble::ZERO, |sum, i| match (a.get(i), b.get(j - i)) {
        (Some(&a), Some(&b)) => sum + dot(a, b),
        _ => sum,
    })
}

/// The same for numbers times vectors.
pub(crate) fn multiple(a: &[DoubleDouble], b: &[Plane], j: usize) -> Plane {
    (0..=j).fold([DoubleDouble::ZERO; 2], |sum, i| match (a.get(i), b.get(j - i)) {
        (Some(&a), Some(&b)) => plus(sum, a, b),
        _ => sum,
    })
}

/// Value and slope of a polynomial at t.
pub(crate) fn evaluate(jet: &[Plane], t: DoubleDouble) -> State {
    let zero = [DoubleDouble::ZERO; 2];
    let y = jet.iter().rev().fold(zero, |sum, &x| plus(x, t, sum));
    let slopes = jet.iter().enumerate().skip(1).rev();
    let v = slopes.fold(zero, |sum, (j, &x)| plus(x.map(|x| x * DoubleDouble::from(j)), t, sum));
    State { y, v }
}
