//! The exact motion of (1.1), vibrations included, by Taylor polynomials with steps of the length eps.

use taut_tableau::number::DoubleDouble;

use super::jet::{evaluate, inner_product, multiple};
use super::{Plane, State};

/// The degree in time: with steps of the length eps the first term left out is 1/30! of the vibration.
const DEGREE: usize = 30;

/// The states of the motion after each of `count` steps of the length eps.
pub(crate) fn vibrate(start: State, epsilon: f64, count: usize) -> Vec<State> {
    let h = DoubleDouble::from(epsilon);
    let mut at = start;
    (0..count)
        .map(|_| {
            at = evaluate(&taylor(at, h * h), h);
            at
        })
        .collect()
}

/// The state of the motion after a time.
pub(crate) fn vibrate_until(start: State, epsilon: f64, t: f64) -> State {
    let steps = (t / epsilon).ceil().max(1.0);
    let (h, e) = (DoubleDouble::from(t) / DoubleDouble::from(steps), DoubleDouble::from(epsilon));
    (0..steps as usize).fold(start, |at, _| evaluate(&taylor(at, e * e), h))
}

/// The Taylor polynomial of the motion: y'' = -(1 - w) y/e - (0, 1), w = (y.y)^(-1/2).
fn taylor(at: State, e: DoubleDouble) -> Vec<Plane> {
    let mut y = vec![at.y, at.v];
    let mut squares: Vec<DoubleDouble> = Vec::new();
    let mut w: Vec<DoubleDouble> = Vec::new();
    for j in 0..=DEGREE - 2 {
        squares.push(inner_product(&y, &y, j));
        w.push(inverse_root(&squares, &w));
        let pulled = multiple(&w, &y, j);
        let factor = DoubleDouble::from((j + 2) * (j + 1));
        let gravity = DoubleDouble::from(if j == 0 { 1.0 } else { 0.0 });
        let [x, z] = [0, 1].map(|d| (pulled[d] - y[j][d]) / e);
        y.push([x / factor, (z - gravity) / factor]);
    }
    y
}

/// The next coefficient of s^(-1/2) from those of s and those before.
fn inverse_root(s: &[DoubleDouble], before: &[DoubleDouble]) -> DoubleDouble {
    let j = before.len();
    if j == 0 {
        return DoubleDouble::ONE / s[0].sqrt();
    }
    let sum = (1..=j).fold(DoubleDouble::ZERO, |sum, i| {
        let weight = DoubleDouble::from(-0.5 * i as f64 - (j - i) as f64);
        sum + weight * s[i] * before[j - i]
    });
    sum / (DoubleDouble::from(j) * s[0])
}
