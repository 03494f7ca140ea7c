//! Interpolation between the points of a table: steps, lines, or a cubic spline.

/// What is between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// the value of the point before
    Steps,
    Linear,
    /// a spline with two continuous derivatives, whose third one is so at the second and at the last but one point ("not a knot")
    Cubic,
}

/// The points of a table and what is between them.
#[derive(Clone, Debug)]
pub(crate) struct Interpolation {
    x: Vec<f64>,
    y: Vec<f64>,
    between: Between,
    /// from each point to the next: a + b s + c s² + d s³, s counted from the point
    coefficients: Vec<[f64; 4]>,
}

impl Interpolation {
    /// Through at least two points with increasing x.
    pub(crate) fn new(x: Vec<f64>, y: Vec<f64>, between: Between) -> Self {
        let coefficients = match between {
            Between::Steps => y[..y.len() - 1].iter().map(|&y| [y, 0.0, 0.0, 0.0]).collect(),
            Between::Linear => {
                (1..x.len()).map(|k| [y[k - 1], (y[k] - y[k - 1]) / (x[k] - x[k - 1]), 0.0, 0.0]).collect()
            }
            Between::Cubic => spline(&x, &y),
        };
        Interpolation { x, y, between, coefficients }
    }

    pub(crate) fn between(&self) -> Between {
        self.between
    }

    /// Where each piece begins, and its coefficients.
    pub(crate) fn pieces(&self) -> Vec<(f64, [f64; 4])> {
        self.x.iter().copied().zip(self.coefficients.iter().copied()).collect()
    }

    /// The first and the last x.
    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.x[0], self.x[self.x.len() - 1]]
    }

    /// The values there.
    pub(crate) fn end_values(&self) -> [f64; 2] {
        [self.y[0], self.y[self.y.len() - 1]]
    }
}

/// The coefficients of the spline, from the second derivatives at the points.
fn spline(x: &[f64], y: &[f64]) -> Vec<[f64; 4]> {
    let second = second_derivatives(x, y);
    let piece = |k: usize| {
        let h = x[k + 1] - x[k];
        let slope = (y[k + 1] - y[k]) / h - h * (2.0 * second[k] + second[k + 1]) / 6.0;
        [y[k], slope, second[k] / 2.0, (second[k + 1] - second[k]) / (6.0 * h)]
    };
    (0..x.len() - 1).map(piece).collect()
}

/// M of h_{k-1} M_{k-1} + 2 (h_{k-1} + h_k) M_k + h_k M_{k+1} = 6 (differences of slopes), with the ends eliminated by
/// (M_1 − M_0)/h_0 = (M_2 − M_1)/h_1 and its mirror image. Three points lie on a parabola, two on a line.
fn second_derivatives(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let slope = |k: usize| (y[k + 1] - y[k]) / h[k];
    match n {
        0..=2 => return vec![0.0; n],
        3 => return vec![2.0 * (slope(1) - slope(0)) / (h[0] + h[1]); 3],
        _ => {}
    }
    let inner = n - 2;
    let (mut below, mut diagonal, mut above) = (vec![0.0; inner], vec![0.0; inner], vec![0.0; inner]);
    let mut right = vec![0.0; inner];
    for k in 0..inner {
        (below[k], diagonal[k], above[k]) = (h[k], 2.0 * (h[k] + h[k + 1]), h[k + 1]);
        right[k] = 6.0 * (slope(k + 1) - slope(k));
    }
    let (first, last) = (h[0] / h[1], h[n - 2] / h[n - 3]);
    diagonal[0] += h[0] * (1.0 + first);
    above[0] -= h[0] * first;
    diagonal[inner - 1] += h[n - 2] * (1.0 + last);
    below[inner - 1] -= h[n - 2] * last;
    for k in 1..inner {
        let factor = below[k] / diagonal[k - 1];
        diagonal[k] -= factor * above[k - 1];
        right[k] -= factor * right[k - 1];
    }
    let mut second = vec![0.0; n];
    for k in (0..inner).rev() {
        let behind = if k + 1 < inner { above[k] * second[k + 2] } else { 0.0 };
        second[k + 1] = (right[k] - behind) / diagonal[k];
    }
    second[0] = (1.0 + first) * second[1] - first * second[2];
    second[n - 1] = (1.0 + last) * second[n - 2] - last * second[n - 3];
    second
}

#[cfg(test)]
mod tests {
    use super::{Between, Interpolation};

    /// A cubic polynomial is its own spline.
    #[test]
    fn a_spline_through_a_cubic_is_the_cubic() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x - 0.25 * x * x * x;
        for x in [vec![0.0, 1.0, 1.5, 3.0], vec![-1.0, 0.0, 0.25, 2.0, 2.5, 4.0]] {
            let y = x.iter().map(|x| cubic(*x)).collect();
            let spline = Interpolation::new(x.clone(), y, Between::Cubic);
            for (k, (from, [a, b, c, d])) in spline.pieces().into_iter().enumerate() {
                for s in [0.1, 0.3, x[k + 1] - x[k]] {
                    let value = a + s * (b + s * (c + s * d));
                    assert!((value - cubic(from + s)).abs() < 1e-13, "{from} + {s}: {value}");
                }
            }
        }
    }

    #[test]
    fn few_points_give_a_line_or_a_parabola() {
        let parabola = Interpolation::new(vec![0.0, 1.0, 3.0], vec![0.0, 1.0, 9.0], Between::Cubic);
        let at_two = parabola.pieces()[1].1;
        assert!((at_two.iter().sum::<f64>() - 4.0).abs() < 1e-14);
        let line = Interpolation::new(vec![0.0, 2.0], vec![1.0, 5.0], Between::Cubic);
        assert_eq!(line.pieces(), [(0.0, [1.0, 2.0, 0.0, 0.0])]);
    }
}
