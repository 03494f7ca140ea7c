//! How the equations of a step are solved: which predictions and matrices are tried, one after the other.

use super::{Solving, Spark, SparkKind};
use crate::failure::StepFailure;
use crate::inside::spark::SAME_LENGTH;
use crate::motion::Statistics;
use crate::newton::iteration::Iteration;

/// After so many matrices, each at the unknowns that the one before has led to, there is no solution to be found.
const MOST_MATRICES: usize = 4;

impl<E: SparkKind> Spark<E> {
    /// Solves the equations of a step of length h.
    pub(super) fn solve(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.equations.begin(h);
        if self.equations.solve_simply(h, &mut self.solving, count) {
            return Ok(());
        }
        if !self.equations.has_whole_matrix() {
            let Iteration { contraction, iterations, .. } = self.solving.iteration;
            return Err(StepFailure::Newton { contraction, iterations });
        }
        self.solve_whole(h, count)
    }

    /// Solves with the matrix of all unknowns: with the factors of the last step, then with new ones, at last from a prediction
    /// without rates.
    ///
    /// Strong friction makes accelerations that are over before the step is. Its direction turns on the way to the solution,
    /// so that the matrix is set up anew there.
    fn solve_whole(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.equations.predict(h, &mut self.solving.x);
        if self.has_factors_for(h) {
            if self.succeeds(count)? {
                return Ok(());
            }
            self.equations.predict(h, &mut self.solving.x);
        }
        self.solving.factor(&mut self.equations, h, count)?;
        if self.succeeds(count)? {
            return Ok(());
        }
        self.equations.predict_constant(h, &mut self.solving.x);
        for _ in 1..MOST_MATRICES {
            self.solving.factor(&mut self.equations, h, count)?;
            if self.succeeds(count)? {
                return Ok(());
            }
            if !self.solving.x.iter().all(|x| x.is_finite()) {
                break;
            }
        }
        self.solving.factor(&mut self.equations, h, count)?;
        self.equations.iterate(&mut self.solving, count)
    }

    /// Whether there are factors of a step of this length.
    fn has_factors_for(&self, h: f64) -> bool {
        let factored_for = self.solving.factored_for;
        factored_for.is_some_and(|length| (length - h).abs() <= SAME_LENGTH * h.abs())
    }

    /// Whether the iteration finds the solution; a failure that another matrix may mend is none yet.
    fn succeeds(&mut self, count: &mut Statistics) -> Result<bool, StepFailure> {
        match self.equations.iterate(&mut self.solving, count) {
            Err(failure) if failure.is_fatal() => Err(failure),
            iterated => Ok(iterated.is_ok()),
        }
    }
}

impl Solving {
    /// Newton's matrix of a step of length h, at the unknowns as they are.
    pub(super) fn factor(
        &mut self,
        equations: &mut impl SparkKind,
        h: f64,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.factored_for = None;
        equations.factor(&self.x, count)?;
        self.factored_for = Some(h);
        Ok(())
    }
}
