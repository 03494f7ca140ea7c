//! Singular values: of small matrices by rotations of their columns (Hestenes 1958), of larger ones by faer.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::{MatMut, MatRef, Par, Spec};

/// A = U Σ Vᵀ of a matrix with no more columns than rows: values ascending, with their vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingularValues {
    rows: usize,
    cols: usize,
    /// ascending
    pub(crate) values: Vec<f64>,
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Rotations end when columns are orthogonal up to this cosine.
const ORTHOGONAL: f64 = 1e-14;
/// Beyond so many columns rotations take longer than bidiagonal matrices do.
const MOST_ROTATED: usize = 64;
/// Sweeps over all pairs of columns; convergence is quadratic, ten suffice.
const MOST_SWEEPS: usize = 30;

impl SingularValues {
    /// Those of a column-major matrix.
    pub(crate) fn new(rows: usize, cols: usize, a: Vec<f64>) -> Self {
        match cols {
            ..=MOST_ROTATED => None,
            _ => Self::by_bidiagonal_matrix(rows, cols, &a),
        }
        .unwrap_or_else(|| Self::by_rotations(rows, cols, a))
    }

    /// By faer, whose values are exact to rounding of the largest one; nothing where that does not converge.
    fn by_bidiagonal_matrix(rows: usize, cols: usize, a: &[f64]) -> Option<Self> {
        let (mut values, mut left, mut right) =
            (vec![0.0; cols], vec![0.0; rows * cols], vec![0.0; cols * cols]);
        let thin = ComputeSvdVectors::Thin;
        let scratch = svd::svd_scratch::<f64>(rows, cols, thin, thin, Par::Seq, Spec::default());
        svd::svd(
            MatRef::from_column_major_slice(a, rows, cols),
            DiagMut::from_slice_mut(&mut values),
            Some(MatMut::from_column_major_slice_mut(&mut left, rows, cols)),
            Some(MatMut::from_column_major_slice_mut(&mut right, cols, cols)),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Spec::default(),
        )
        .ok()?;
        let ascending = |columns: &[f64], size: usize| -> Vec<f64> {
            columns.chunks_exact(size).rev().flatten().copied().collect()
        };
        let (left, right) = (ascending(&left, rows), ascending(&right, cols));
        values.reverse();
        Some(SingularValues { rows, cols, values, left, right })
    }

    fn by_rotations(rows: usize, cols: usize, mut a: Vec<f64>) -> Self {
        let mut v = vec![0.0; cols * cols];
        (0..cols).for_each(|k| v[k + k * cols] = 1.0);
        for _ in 0..MOST_SWEEPS {
            if !sweep(rows, cols, &mut a, &mut v) {
                break;
            }
        }
        let length = |k: usize| a[k * rows..(k + 1) * rows].iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut order: Vec<(f64, usize)> = (0..cols).map(|k| (length(k), k)).collect();
        order.sort_by(|x, y| x.0.total_cmp(&y.0));
        let pick = |from: &[f64], size: usize| -> Vec<f64> {
            order.iter().flat_map(|(_, k)| from[k * size..(k + 1) * size].iter().copied()).collect()
        };
        let mut left = pick(&a, rows);
        for (column, (value, _)) in left.chunks_exact_mut(rows.max(1)).zip(&order) {
            let scale = if *value > 0.0 { 1.0 / value } else { 0.0 };
            column.iter_mut().for_each(|x| *x *= scale);
        }
        let right = pick(&v, cols);
        SingularValues { rows, cols, values: order.iter().map(|(value, _)| *value).collect(), left, right }
    }

    /// The left vector of the k-th value; zeros, or any across the others, where that vanishes.
    pub(crate) fn left(&self, k: usize) -> &[f64] {
        &self.left[k * self.rows..(k + 1) * self.rows]
    }

    /// The right vector of the k-th value.
    pub(crate) fn right(&self, k: usize) -> &[f64] {
        &self.right[k * self.cols..(k + 1) * self.cols]
    }

    /// The largest value.
    pub(crate) fn largest(&self) -> f64 {
        self.values.last().copied().unwrap_or(0.0)
    }
}

/// Rotates every pair of columns once; whether one had to be.
fn sweep(rows: usize, cols: usize, a: &mut [f64], v: &mut [f64]) -> bool {
    let mut rotated = false;
    for p in 0..cols {
        for q in p + 1..cols {
            let (x, y) = pair(a, rows, p, q);
            let (mut alpha, mut beta, mut gamma) = (0.0, 0.0, 0.0);
            for (x, y) in x.iter().zip(y.iter()) {
                alpha += x * x;
                beta += y * y;
                gamma += x * y;
            }
            if gamma == 0.0 || gamma.abs() <= ORTHOGONAL * (alpha * beta).sqrt() {
                continue;
            }
            rotated = true;
            let zeta = (beta - alpha) / (2.0 * gamma);
            let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            rotate(pair(a, rows, p, q), cosine, cosine * tangent);
            rotate(pair(v, cols, p, q), cosine, cosine * tangent);
        }
    }
    rotated
}

/// Columns p < q of a column-major matrix.
fn pair(matrix: &mut [f64], rows: usize, p: usize, q: usize) -> (&mut [f64], &mut [f64]) {
    let (before, after) = matrix.split_at_mut(q * rows);
    (&mut before[p * rows..(p + 1) * rows], &mut after[..rows])
}

fn rotate((x, y): (&mut [f64], &mut [f64]), cosine: f64, sine: f64) {
    for (x, y) in x.iter_mut().zip(y.iter_mut()) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::SingularValues;

    #[test]
    fn values_and_vectors_give_the_matrix_back() {
        let (rows, cols) = (4, 3);
        let a: Vec<f64> = (0..12).map(|k| ((k * k + 3 * k) as f64).sin()).collect();
        let found = SingularValues::new(rows, cols, a.clone());
        for i in 0..rows {
            for j in 0..cols {
                let sum: f64 =
                    (0..cols).map(|k| found.values[k] * found.left(k)[i] * found.right(k)[j]).sum();
                assert!((sum - a[i + j * rows]).abs() < 1e-14, "entry ({i}, {j})");
            }
        }
        assert!(found.values.is_sorted());
    }

    /// Many columns, two of them dependent on others.
    #[test]
    fn values_of_large_matrices_are_those_of_rotations() {
        let (rows, cols) = (90, 70);
        let mut a: Vec<f64> = (0..rows * cols).map(|k| ((k * k % 977 + 3 * k) as f64).sin()).collect();
        for (copy, column) in [(69, 3), (40, 10)] {
            a.copy_within(column * rows..(column + 1) * rows, copy * rows);
        }
        let (found, rotated) =
            (SingularValues::new(rows, cols, a.clone()), SingularValues::by_rotations(rows, cols, a.clone()));
        for (one, other) in found.values.iter().zip(&rotated.values) {
            assert!((one - other).abs() < 1e-13 * found.largest(), "{one} and {other}");
        }
        assert!(found.values[1] < 1e-13 * found.largest() && found.values[2] > 1e-3);
        for i in 0..rows {
            for j in 0..cols {
                let sum: f64 =
                    (0..cols).map(|k| found.values[k] * found.left(k)[i] * found.right(k)[j]).sum();
                assert!((sum - a[i + j * rows]).abs() < 1e-12, "entry ({i}, {j})");
            }
        }
    }

    #[test]
    fn a_dependent_column_has_the_value_zero() {
        let a = vec![1.0, 0.0, 2.0, 0.0, 1.0, 1.0, 1.0, -1.0, 1.0];
        let found = SingularValues::new(3, 3, a);
        assert!(found.values[0] < 1e-15 * found.largest(), "{:?}", found.values);
        let right = found.right(0);
        assert!((right[0] + right[2]).abs() < 1e-15 && (right[1] - right[2]).abs() < 1e-15, "{right:?}");
    }
}
