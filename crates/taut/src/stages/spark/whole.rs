//! The matrix of all unknowns of a step, and when it is set up anew.

use crate::failure::StepFailure;
use crate::linear::{Behind, Blocks, Choice, Pattern, Pivots, Saddle, Scales};
use crate::motion::Statistics;
use crate::snapshot::{Snapshot, SnapshotError};

/// After so many matrices, each at the unknowns that the one before has led to, there is no solution to be found.
const MOST_MATRICES: usize = 4;

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

/// A step whose equations are solved with the matrix of all unknowns.
pub(crate) trait WithWholeMatrix {
    /// Predicts the unknowns of a step of length h.
    fn predict(&mut self, h: f64);

    /// Predicts unknowns that do not change with the rates at the beginning of the step.
    fn predict_constant(&mut self, h: f64);

    /// Newton's matrix at the predicted stages.
    fn factor(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure>;

    /// Iterates with the factors at hand.
    fn iterate(&mut self, count: &mut Statistics) -> Result<(), StepFailure>;

    /// Whether there are factors of a step of this length.
    fn has_factors_for(&self, h: f64) -> bool;

    /// The unknowns.
    fn found(&self) -> &[f64];

    /// Solves the equations of a step of length h, which was begun: with the factors of the last step, then with new ones,
    /// at last from a prediction without rates.
    ///
    /// Strong friction makes accelerations that are over before the step is. Its direction turns on the way to the solution,
    /// so that the matrix is set up anew there.
    fn solve_whole(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.predict(h);
        if self.has_factors_for(h) {
            if self.succeeds(count)? {
                return Ok(());
            }
            self.predict(h);
        }
        self.factor(h, count)?;
        if self.succeeds(count)? {
            return Ok(());
        }
        self.predict_constant(h);
        for _ in 1..MOST_MATRICES {
            self.factor(h, count)?;
            if self.succeeds(count)? {
                return Ok(());
            }
            if !self.found().iter().all(|x| x.is_finite()) {
                break;
            }
        }
        self.factor(h, count)?;
        self.iterate(count)
    }

    /// Whether the iteration finds the solution; a failure that another matrix may mend is none yet.
    fn succeeds(&mut self, count: &mut Statistics) -> Result<bool, StepFailure> {
        match self.iterate(count) {
            Err(failure) if failure.is_fatal() => Err(failure),
            iterated => Ok(iterated.is_ok()),
        }
    }
}
