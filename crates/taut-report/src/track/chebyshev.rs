//! Polynomials through the extrema of Chebyshev polynomials, which lie inside one another: 1, 2, 4, 8, 16 intervals.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// The most intervals of a piece.
pub const FINEST: usize = 16;
/// The numbers of intervals that a piece may have.
pub const INTERVALS: [usize; 5] = [1, 2, 4, 8, FINEST];

static PLACES: LazyLock<[f64; FINEST]> = LazyLock::new(|| std::array::from_fn(|j| place(j + 1, FINEST)));

/// Point j of so many intervals, from 0 to 1.
fn place(j: usize, intervals: usize) -> f64 {
    if j == intervals { 1.0 } else { 0.5 * (1.0 - (PI * j as f64 / intervals as f64).cos()) }
}

/// All points of a piece behind its first one, from 0 to 1: where dense output is to be looked at.
pub fn places() -> &'static [f64] {
    PLACES.as_slice()
}

/// The values at the finest points of the polynomials through the points of so many intervals: a matrix with
/// `FINEST + 1` rows.
pub(super) struct Refinement {
    intervals: usize,
    matrix: Vec<f64>,
}

impl Refinement {
    pub(super) fn of(intervals: usize) -> Self {
        let mut matrix = Vec::with_capacity((FINEST + 1) * (intervals + 1));
        for fine in 0..=FINEST {
            matrix.extend(basis(place(fine, FINEST), intervals));
        }
        Refinement { intervals, matrix }
    }

    /// The largest distance of a polynomial through every so manieth of the finest values from all of them.
    pub(super) fn error(&self, fine: impl Fn(usize) -> f64) -> f64 {
        let stride = FINEST / self.intervals;
        let row = |j: usize| &self.matrix[j * (self.intervals + 1)..(j + 1) * (self.intervals + 1)];
        let value =
            |j: usize| -> f64 { row(j).iter().enumerate().map(|(k, basis)| basis * fine(k * stride)).sum() };
        let between = (0..=FINEST).filter(|j| j % stride != 0);
        between.map(|j| (value(j) - fine(j)).abs()).fold(0.0, f64::max)
    }
}

/// The Lagrange polynomials of the points of so many intervals, at x from 0 to 1 (barycentric: Berrut and Trefethen 2004).
pub(super) fn basis(x: f64, intervals: usize) -> Vec<f64> {
    let points = (0..=intervals).map(|j| place(j, intervals));
    let mut weights: Vec<f64> = Vec::with_capacity(intervals + 1);
    for (j, point) in points.enumerate() {
        if x == point {
            let mut unit = vec![0.0; intervals + 1];
            unit[j] = 1.0;
            return unit;
        }
        let end = if j == 0 || j == intervals { 0.5 } else { 1.0 };
        let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
        weights.push(sign * end / (x - point));
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// The weights of the integral from 0 to 1 (Clenshaw and Curtis 1960) over all `FINEST + 1` points.
pub fn quadrature() -> Vec<f64> {
    let n = FINEST as f64;
    let weight = |j: usize| {
        let angle = PI * j as f64 / n;
        let terms = (1..=FINEST / 2).map(|k| {
            let (k, half) = (k as f64, if 2 * k == FINEST { 1.0 } else { 2.0 });
            half / (4.0 * k * k - 1.0) * (2.0 * k * angle).cos()
        });
        let end = if j == 0 || j == FINEST { 1.0 } else { 2.0 };
        0.5 * end / n * (1.0 - terms.sum::<f64>())
    };
    (0..=FINEST).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_met_and_integrated() {
        let polynomial = |x: f64| 1.0 - 3.0 * x + x.powi(7);
        for intervals in [8, 16] {
            let points = (0..=intervals).map(|j| polynomial(place(j, intervals)));
            for x in [0.0, 0.123, 0.5, 0.9, 1.0] {
                let value: f64 = basis(x, intervals).iter().zip(points.clone()).map(|(b, y)| b * y).sum();
                assert!((value - polynomial(x)).abs() < 1e-14, "{intervals} {x}");
            }
        }
        let integral: f64 =
            quadrature().iter().enumerate().map(|(j, weight)| weight * polynomial(place(j, FINEST))).sum();
        assert!((integral - (1.0 - 1.5 + 0.125)).abs() < 1e-14);
    }

    #[test]
    fn points_lie_inside_one_another() {
        for intervals in INTERVALS {
            for j in 0..=intervals {
                let fine = place(j * FINEST / intervals, FINEST);
                assert!((place(j, intervals) - fine).abs() < 1e-16);
            }
        }
        assert_eq!(places().last(), Some(&1.0));
    }
}
