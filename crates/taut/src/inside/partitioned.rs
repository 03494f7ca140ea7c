//! The way between two states of a partitioned system.

use super::hermite::quintic;
use crate::equations::Layout;
use crate::stages::partitioned::reached::Reached;

/// The state at θ of the way between two states, or beyond: y of degree 5, z of degree 3, u linear.
pub(crate) fn interpolate(start: &Reached, end: &Reached, layout: Layout, theta: f64, state: &mut [f64]) {
    let h = end.t - start.t;
    let (y, z, u) = layout.split_mut(state);
    let (from, to) = (layout.split(&start.state), layout.split(&end.state));
    let (weights, _) = quintic(theta);
    for (k, y) in y.iter_mut().enumerate() {
        let ends = [0.0, to.0[k] - from.0[k], h * start.first_rate[k], h * end.first_rate[k]];
        let bends = [h * h * start.bend[k], h * h * end.bend[k]];
        *y = from.0[k] + weights.iter().zip(ends.iter().chain(&bends)).map(|(w, x)| w * x).sum::<f64>();
    }
    let rest = 1.0 - theta;
    let weights = [theta * theta * (3.0 - 2.0 * theta), theta * rest * rest, -theta * theta * rest];
    for (k, z) in z.iter_mut().enumerate() {
        let ends = [to.1[k] - from.1[k], h * start.second_rate[k], h * end.second_rate[k]];
        *z = from.1[k] + weights.iter().zip(ends).map(|(w, x)| w * x).sum::<f64>();
    }
    for (k, u) in u.iter_mut().enumerate() {
        *u = rest * from.2[k] + theta * to.2[k];
    }
}
