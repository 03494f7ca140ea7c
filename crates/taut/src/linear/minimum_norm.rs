//! Solutions of systems that do not determine them.

#[cfg(test)]
mod tests;

use super::householder::{PivotedQr, norm};
#[cfg(test)]
use super::saddle::dense_matrix;
#[cfg(test)]
use super::{Blocks, SaddlePattern, Scales};

/// The shortest solution of a consistent linear system of any rank; of an inconsistent one the shortest of those with
/// the least squares of residuals, each equation scaled to length one.
///
/// Redundant constraints make a saddle matrix singular although accelerations and constraint forces are determined: only
/// the share of each multiplier in the force is not. This picks the smallest multipliers (or the smallest change of
/// them). By a complete orthogonal factorisation, dense; it allocates.
#[derive(Clone, Debug)]
pub struct MinimumNorm {
    rows: usize,
    cols: usize,
    row_scales: Vec<f64>,
    /// Of the scaled matrix, columns exchanged: what can be asked of the solution.
    range: PivotedQr,
    /// Of the transposed leading rows of R: the shortest solution.
    shortest: PivotedQr,
}

impl MinimumNorm {
    /// The factors of a column-major matrix. Columns of which less than `tolerance` times their length remains are
    /// counted as dependent.
    pub fn new(rows: usize, cols: usize, mut matrix: Vec<f64>, tolerance: f64) -> Self {
        let row_scales: Vec<f64> = (0..rows)
            .map(|i| reciprocal_or_one((0..cols).map(|j| matrix[i + j * rows].powi(2)).sum::<f64>().sqrt()))
            .collect();
        let mut lengths = vec![1.0; cols];
        for (j, length) in lengths.iter_mut().enumerate() {
            let column = &mut matrix[j * rows..(j + 1) * rows];
            column.iter_mut().zip(&row_scales).for_each(|(entry, scale)| *entry *= scale);
            let scale = reciprocal_or_one(norm(column));
            column.iter_mut().for_each(|entry| *entry *= scale);
            *length = 1.0 / scale;
        }
        let range = PivotedQr::new(rows, cols, matrix, tolerance);
        let rank = range.rank();
        let mut transposed = vec![0.0; cols * rank];
        for (place, &j) in range.order.iter().enumerate() {
            for i in 0..rank.min(place + 1) {
                transposed[j + i * cols] = range.r(i, place) * lengths[j];
            }
        }
        // The rows of R are independent, so that no tolerance is needed here.
        let shortest = PivotedQr::new(cols, rank, transposed, 0.0);
        Self { rows, cols, row_scales, range, shortest }
    }

    /// The factors of a saddle matrix.
    #[cfg(test)]
    pub fn of_saddle(pattern: &SaddlePattern, blocks: &Blocks<'_>, scales: Scales, tolerance: f64) -> Self {
        let size = pattern.size();
        Self::new(size, size, dense_matrix(pattern, blocks, scales), tolerance)
    }

    /// The rank that was found.
    #[cfg(test)]
    pub fn rank(&self) -> usize {
        self.range.rank()
    }

    /// The shortest x with A x = b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut image: Vec<f64> =
            b.iter().zip(&self.row_scales).map(|(b, scale)| b * scale).take(self.rows).collect();
        self.range.apply_transposed(&mut image);
        let mut x = vec![0.0; self.cols];
        for (place, &row) in self.shortest.order.iter().enumerate() {
            x[place] = image[row];
        }
        self.shortest.solve_upper_transposed(&mut x);
        self.shortest.apply(&mut x);
        x
    }
}

fn reciprocal_or_one(length: f64) -> f64 {
    if length > 0.0 { 1.0 / length } else { 1.0 }
}
