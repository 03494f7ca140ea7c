//! How many coefficients, and how far they reach.

use super::polynomial::Polynomial;
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::equations::Layout;

/// So many orders more for a digit more.
const FOR_A_DIGIT: f64 = 1.5;
/// So many of the last coefficients say how far a series reaches: two are not enough at symmetric starts, where every other
/// coefficient vanishes.
const LOOKED_AT: usize = 4;
/// Terms before this one say nothing about the length of a step.
const LEAST_TERM: usize = 2;

/// The order that costs least at a tolerance: 6 − 1.5 log₁₀ tol, or 15 − 1.5 log₁₀ tol with rods, where a step costs
/// two factorisations and a projection beside its orders, as much as ten of these; the optimum is flat.
pub(crate) fn order_for(tolerance: f64, constrained: bool, (lowest, highest): (usize, usize)) -> usize {
    let least = if constrained { 15.0 } else { 6.0 };
    let order = (least - FOR_A_DIGIT * tolerance.log10()).ceil();
    order.min(highest as f64).max(lowest as f64) as usize
}

/// The longest step after which the last terms of positions and velocities are a small share of the tolerance. Terms that fall like those of a geometric
/// series of radius r are as small as wanted after r wanted^(1/order). Velocities that are wrong by k qₖ hᵏ⁻¹ move positions by
/// k qₖ hᵏ within another step, which is to be small, too.
pub(super) fn longest(polynomial: &Polynomial, layout: &Layout, scales: &Scales, share: f64) -> f64 {
    let order = polynomial.usable();
    let inverse = scales.inverse();
    let [mut positions, mut velocities] = [f64::INFINITY; 2];
    for k in (order + 1).saturating_sub(LOOKED_AT).max(LEAST_TERM)..=order {
        let of_positions = size(polynomial, &inverse[layout.q()], k);
        if layout.is_mechanical() {
            let of_velocities = size(polynomial, &inverse[layout.v()], k);
            positions = positions.min(log_of_radius(k as f64 * of_positions, k));
            velocities = velocities.min(log_of_radius(k as f64 * of_velocities, k - 1));
        } else {
            positions = positions.min(log_of_radius(of_positions, k));
        }
    }
    let wanted = (share * scales.rtol()).ln();
    (positions + wanted / order as f64).min(velocities + wanted / (order - 1) as f64).exp()
}

/// The root mean square of coefficients of order k in their scales.
pub(super) fn size(polynomial: &Polynomial, inverse_scales: &[f64], k: usize) -> f64 {
    let coefficients = polynomial.positions(k);
    let size = root_mean(weighted_square(coefficients, inverse_scales), inverse_scales.len());
    if size.is_finite() {
        return size;
    }
    // Squares of coefficients of fast motions may be too large for numbers where these are not.
    let weighted = coefficients.iter().zip(inverse_scales).map(|(x, scale)| (x * scale).abs());
    weighted.fold(0.0, larger)
}

/// The logarithm of the radius of a geometric series with a term of order k.
fn log_of_radius(size: f64, k: usize) -> f64 {
    if size > 0.0 { -size.ln() / k as f64 } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::order_for;

    #[test]
    fn orders_rise_with_the_digits_and_with_constraints() {
        assert_eq!([1e-4, 1e-6, 1e-12].map(|tolerance| order_for(tolerance, false, (8, 40))), [12, 15, 24]);
        assert_eq!([1e-4, 1e-6, 1e-12].map(|tolerance| order_for(tolerance, true, (8, 40))), [21, 24, 33]);
        assert_eq!([0.5, 1e-30].map(|tolerance| order_for(tolerance, false, (8, 40))), [8, 40]);
    }
}
