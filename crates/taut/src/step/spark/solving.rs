//! How the equations of a step are solved: predictions, matrices, and when which of them is tried.

use super::SparkStep;
use super::reversible::{FreeLength, length_search};
use crate::failure::StepFailure;
use crate::inside::spark::SAME_LENGTH;
use crate::motion::Statistics;
use crate::newton::iteration::{Given, StepLength};
use crate::options::Options;
use crate::stages::spark::equations::SparkEquations;
use crate::stages::spark::matrix::SparkMatrix;
use crate::stages::spark::whole::WithWholeMatrix;

/// More iterations with a frozen matrix take longer than a dense factorisation of the whole one.
const MOST_FROZEN_ITERATIONS: usize = 12;
/// The length of a reversible step is looked for with at most so many matrices.
const MOST_LENGTHS: usize = 30;

impl SparkStep<'_> {
    /// Predicts constant multipliers and velocities that change with the share `share` of the accelerations.
    fn predict_uniform(&mut self, h: f64, share: f64) {
        let (method, unknowns) = (&self.equations.method, self.equations.unknowns);
        self.past.predict_uniform(method, unknowns, &self.here, h, share, &mut self.x);
    }

    /// Solves the equations of a step of length h.
    pub(super) fn solve(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.begin(h);
        if self.solve_frozen(h, count) {
            return Ok(());
        }
        self.equations.stages_alone = false;
        self.solve_whole(h, count)
    }

    /// Begins a step of length h.
    fn begin(&mut self, h: f64) {
        let known = self.manifold_is_here.then_some(self.manifold.evaluated());
        self.equations.begin(self.t, h, &self.here, known);
    }

    /// Solves with one M and one G for all stages, those of the beginning; false where that does not succeed.
    fn solve_frozen(&mut self, h: f64, count: &mut Statistics) -> bool {
        if self.frozen.as_ref().is_none_or(|frozen| frozen.rest > 0) {
            return false;
        }
        self.predict(h);
        self.factored_for = None;
        self.equations.stages_alone = self.equations.end_is_apart;
        let Some(frozen) = &mut self.frozen else { return false };
        let manifold = &self.manifold;
        let solved = frozen.prepare(manifold, count).and_then(|()| {
            let solve =
                |residual: &mut [f64], count: &mut Statistics| frozen.solve(manifold, residual, count);
            self.iteration.run(
                (&mut self.equations, true),
                solve,
                &mut self.x,
                &self.scales,
                &mut Given,
                count,
            )
        });
        let slow = !manifold.is_sparse() && self.iteration.iterations > MOST_FROZEN_ITERATIONS;
        if solved.is_err() || slow {
            frozen.has_failed();
        }
        solved.is_ok()
    }

    /// Solves the equations of a reversible step, whose length is about h; returns the length, at most `longest`.
    ///
    /// Newton's matrix is set up anew where the length that is found is quite another one, at a new prediction, and where
    /// the length does not settle soon, at the unknowns that were found. A prediction that was no good is improved before
    /// the length is looked for again, as in the first step, which has no good one.
    pub(super) fn solve_with_length(
        &mut self,
        mut h: f64,
        longest: f64,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let mut search = length_search(&self.equations.method, &self.options, longest);
        let mut close = false;
        for round in 0..MOST_LENGTHS {
            if !close {
                self.begin(h);
                self.predict(h);
            }
            self.factor(h, count)?;
            let from = if self.past.h == 0.0 && !close { 3 } else { 1 + round.min(2) };
            let matrix = &*whole_matrix(&mut self.matrix, &self.equations, &self.options);
            let mut free = FreeLength::new(&mut search, h, from, matrix, &mut self.length_space);
            let solve = |residual: &mut [f64], count: &mut Statistics| matrix.whole.solve(residual, count);
            let equations = &mut self.equations;
            self.iteration.run((equations, false), solve, &mut self.x, &self.scales, &mut free, count)?;
            h = self.equations.h;
            close = !free.out_of_reach(&self.equations);
            if free.settled() {
                return Ok(h);
            }
        }
        Err(StepFailure::Newton { contraction: 1.0, iterations: MOST_LENGTHS })
    }
}

impl WithWholeMatrix for SparkStep<'_> {
    /// As a continuation of the last step, or from the accelerations.
    fn predict(&mut self, h: f64) {
        let (method, unknowns) = (&self.equations.method, self.equations.unknowns);
        if !self.past.predict(method, unknowns, &self.here, h, self.frozen.is_some(), &mut self.x) {
            self.predict_uniform(h, 1.0);
        }
    }

    fn predict_constant(&mut self, h: f64) {
        self.predict_uniform(h, 0.0);
    }

    fn factor(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.factored_for = None;
        let matrix = whole_matrix(&mut self.matrix, &self.equations, &self.options);
        matrix.refresh(&mut self.equations, &self.x, count)?;
        matrix.factor(&self.equations, count)?;
        self.factored_for = Some(h);
        Ok(())
    }

    fn iterate(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let matrix = whole_matrix(&mut self.matrix, &self.equations, &self.options);
        let solve = |residual: &mut [f64], count: &mut Statistics| matrix.whole.solve(residual, count);
        self.iteration.run((&mut self.equations, false), solve, &mut self.x, &self.scales, &mut Given, count)
    }

    fn has_factors_for(&self, h: f64) -> bool {
        self.factored_for.is_some_and(|length| (length - h).abs() <= SAME_LENGTH * h.abs())
    }

    fn found(&self) -> &[f64] {
        &self.x
    }
}

/// Newton's whole matrix, made when it is asked for: where the frozen one serves, it never is.
pub(super) fn whole_matrix<'m>(
    matrix: &'m mut Option<Box<SparkMatrix>>,
    equations: &SparkEquations<'_>,
    options: &Options,
) -> &'m mut SparkMatrix {
    matrix.get_or_insert_with(|| Box::new(SparkMatrix::new(equations, options.linear)))
}
