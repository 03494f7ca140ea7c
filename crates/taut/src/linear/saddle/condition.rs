//! How far saddle systems magnify errors: the norm of the matrix, by sums over columns.

use super::assembly::Assembly;
use super::{Blocks, ComplexScales, SaddlePattern};
use crate::linear::Complex;

impl SaddlePattern {
    /// ‖A‖₁, the largest sum of absolute values in a column. With the norm of the inverse it is the condition number
    /// ‖A‖₁‖A⁻¹‖₁.
    pub fn norm(&self, blocks: &Blocks<'_>, scales: ComplexScales) -> f64 {
        let (matrix, assembly) = Assembly::sparse(self);
        let mut values = vec![Complex::ZERO; matrix.nnz()];
        assembly.each(blocks, scales.factors(), |place, scale, value| values[place] += scale * value);
        let mut columns = vec![0.0; self.size()];
        for ((_, column), value) in matrix.entries().zip(&values) {
            columns[column] += value.re.hypot(value.im);
        }
        columns.into_iter().fold(0.0, f64::max)
    }
}
