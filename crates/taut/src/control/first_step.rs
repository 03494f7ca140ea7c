//! How long the first step is.

use super::error_norm::{Scales, root_mean, weighted_square};
use crate::equations::Layout;

/// A first step from the sizes of the state and of its derivatives (Hairer, Nørsett and Wanner, section II.4): an Euler
/// step may change the state by 1 percent, and an error of the size of the derivatives times h^power shall stay below
/// `tolerance`.
pub(crate) fn first_step(
    scales: &Scales,
    layout: &Layout,
    y: &[f64],
    rate: &[f64],
    tolerance: f64,
    power: f64,
    span: f64,
) -> f64 {
    let norm = |x: &[f64]| root_mean(weighted_square(x, scales.inverse()), x.len());
    let state = norm(&y[..layout.differential()]);
    // The second derivative of positions is known: it is the rate of the velocities.
    let (first, second) = (norm(rate), norm(&rate[layout.v()]));
    let euler = if state < 1e-5 || first < 1e-5 { 1e-6 * span.abs() } else { 0.01 * state / first };
    let fastest = first.max(second);
    let accurate = if fastest <= 1e-15 { 1e-3 * span.abs() } else { (tolerance / fastest).powf(1.0 / power) };
    (100.0 * euler).min(accurate).min(span.abs()).copysign(span)
}
