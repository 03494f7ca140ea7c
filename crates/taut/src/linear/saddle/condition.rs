//! How far saddle systems magnify errors: norms of the matrix and of its inverse, by sums over columns.

use super::assembly::Assembly;
use super::{Blocks, ComplexSaddle, ComplexScales, Saddle, SaddlePattern};
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

impl Saddle {
    /// ‖A⁻¹‖₁ of the matrix that was factored last. This takes as many solutions as there are unknowns: for diagnosis, not
    /// for every step.
    pub fn inverse_norm(&self) -> f64 {
        let mut column = vec![0.0; self.size()];
        (0..self.size()).fold(0.0, |norm: f64, k| {
            column.fill(0.0);
            column[k] = 1.0;
            self.solve(&mut column);
            norm.max(column.iter().map(|x| x.abs()).sum())
        })
    }
}

impl ComplexSaddle {
    /// ‖A⁻¹‖₁ of the matrix that was factored last; see [`Saddle::inverse_norm`].
    pub fn inverse_norm(&self) -> f64 {
        let (mut re, mut im) = (vec![0.0; self.size()], vec![0.0; self.size()]);
        (0..self.size()).fold(0.0, |norm: f64, k| {
            re.fill(0.0);
            im.fill(0.0);
            re[k] = 1.0;
            self.solve(&mut re, &mut im);
            norm.max(re.iter().zip(&im).map(|(re, im)| re.hypot(*im)).sum())
        })
    }
}
