//! The matrix of all unknowns of a step.

use crate::failure::StepFailure;
use crate::linear::{Behind, Blocks, Choice, Pattern, Pivots, Saddle, Scales};
use crate::motion::Statistics;
use crate::snapshot::{Snapshot, SnapshotError};

/// A matrix of all unknowns of a step and its factors, dense or sparse.
pub(crate) struct WholeMatrix {
    /// its entries, in pattern order
    pub(crate) values: Vec<f64>,
    factors: Saddle,
}

impl WholeMatrix {
    /// Storage for matrices of this pattern, with an order for sparse ones that has good pivots.
    pub(crate) fn new(pattern: Pattern, choice: Choice, behind: impl FnOnce() -> Option<Behind>) -> Self {
        let values = vec![0.0; pattern.nnz()];
        WholeMatrix { values, factors: Saddle::pencil(pattern, choice, behind) }
    }

    /// Factors the matrix; `name` tells what an unknown without a pivot belongs to.
    pub(crate) fn eliminate(&mut self, name: impl Fn(usize) -> String) -> Result<(), StepFailure> {
        let blocks = Blocks {
            mass: &self.values,
            damping: &[],
            stiffness: &[],
            jacobian: &[],
            compliance: &[],
            relaxation: &[],
        };
        self.factors
            .assemble_and_factor(&blocks, Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 })
            .map_err(|singular| StepFailure::singular(singular, name))
    }

    /// Factors a matrix from a snapshot.
    pub(crate) fn recall(
        &mut self,
        snapshot: &Snapshot,
        name: impl Fn(usize) -> String,
    ) -> Result<(), SnapshotError> {
        snapshot.copy_to("matrix", &mut self.values)?;
        self.eliminate(name).map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }

    /// Hands pivots over, into a snapshot or out of it.
    pub(crate) fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        pivots.exchange(&mut self.factors);
    }

    /// Replaces residuals by the update that takes them away.
    pub(crate) fn solve(&self, residual: &mut [f64], count: &mut Statistics) {
        count.solves += 1;
        self.factors.solve_once(residual);
    }
}

#[cfg(test)]
impl WholeMatrix {
    /// The entries of the factors of a sparse elimination.
    pub(crate) fn fill(&self) -> usize {
        self.factors.fill()
    }
}
