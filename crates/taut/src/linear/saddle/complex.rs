//! Saddle systems with complex scales.

use super::SparseOrder;
use super::assembly::Assembly;
use super::{Blocks, Choice, ComplexScales, SaddlePattern};
use crate::linear::pivots::KeepsPivots;
use crate::linear::{Complex, ComplexDenseLu, Singular, SparseLu, ordering};

/// The complex saddle system, one for each pair of complex eigenvalues of a Runge-Kutta matrix; its blocks are real.
///
/// Used like [`Saddle`](super::Saddle), the real and imaginary parts of right-hand side and solution apart.
#[derive(Clone, Debug)]
pub struct ComplexSaddle {
    assembly: Assembly,
    factors: Factors,
}

#[derive(Clone, Debug)]
enum Factors {
    Dense(Box<ComplexDenseLu>),
    Sparse(Box<SparseLu<Complex>>),
}

impl ComplexSaddle {
    /// Storage for matrices of this pattern.
    pub fn new(pattern: &SaddlePattern, choice: Choice) -> Self {
        match choice.sparse_order(pattern) {
            None => {
                let lu = ComplexDenseLu::new(pattern.size());
                Self {
                    assembly: Assembly::dense(pattern, 2 * lu.stride()),
                    factors: Factors::Dense(Box::new(lu)),
                }
            }
            Some(SparseOrder { matrix, assembly, order, .. }) => {
                let behind = ordering::behind_coordinates(pattern);
                let lu = SparseLu::with_order(matrix, order).or_behind(behind);
                Self { assembly, factors: Factors::Sparse(Box::new(lu)) }
            }
        }
    }

    /// Whether the elimination is sparse.
    #[cfg(test)]
    pub(super) fn is_sparse(&self) -> bool {
        matches!(self.factors, Factors::Sparse(_))
    }

    /// Puts the matrix together and factors it.
    ///
    /// # Errors
    /// [`Singular`] names the unknown without a pivot, as in the real system.
    pub fn assemble_and_factor(
        &mut self,
        blocks: &Blocks<'_>,
        scales: ComplexScales,
    ) -> Result<(), Singular> {
        let scales = scales.factors();
        match &mut self.factors {
            Factors::Dense(lu) => {
                let stride = lu.stride();
                let matrix = lu.matrix_mut();
                matrix.fill(0.0);
                self.assembly.each(blocks, scales, |place, scale, value| {
                    matrix[place] += scale.re * value;
                    matrix[place + stride] += scale.im * value;
                });
                lu.factor()
            }
            Factors::Sparse(lu) => {
                let matrix = lu.values_mut();
                matrix.fill(Complex::ZERO);
                self.assembly.each(blocks, scales, |place, scale, value| matrix[place] += scale * value);
                lu.factor()
            }
        }
    }

    /// Replaces the right-hand side `re + i im` (n + m values each) by the solution, for iterations that find out themselves how
    /// good it is. Call after a factorisation that succeeded.
    pub fn solve_once(&self, re: &mut [f64], im: &mut [f64]) {
        match &self.factors {
            Factors::Dense(lu) => lu.solve(re, im),
            Factors::Sparse(lu) => lu.solve_parts_once(re, im),
        }
    }
}

impl KeepsPivots for ComplexSaddle {
    /// The real parts, then the imaginary ones.
    fn chosen_for(&self) -> Vec<f64> {
        match &self.factors {
            Factors::Dense(_) => Vec::new(),
            Factors::Sparse(lu) => {
                let values = lu.chosen_for().iter();
                values.clone().map(|z| z.re).chain(values.map(|z| z.im)).collect()
            }
        }
    }

    fn choose_for(&mut self, values: &[f64]) -> bool {
        let (re, im) = values.split_at(values.len() / 2);
        match &mut self.factors {
            Factors::Dense(_) => values.is_empty(),
            Factors::Sparse(lu) => {
                let values: Vec<Complex> = re.iter().zip(im).map(|(re, im)| Complex::new(*re, *im)).collect();
                lu.choose_for(&values)
            }
        }
    }
}
