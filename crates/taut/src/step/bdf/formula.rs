//! One step of a backward differentiation formula.

use super::{Multistep, PATIENT_AFTER};
use crate::control::error_norm::larger;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::stages::stage_equations::StepEquations;
use crate::step::history::COLUMNS;

/// Factors serve as long as the leading coefficient is within this factor of theirs.
const KEEP_FACTORS_WITHIN: f64 = 1.1;
/// So many sets of blocks are tried in a step whose iteration is slow: the state may be beyond a kink.
const USUAL_TRIES: usize = 2;
/// After repeated failures so many are.
const MOST_TRIES: usize = 6;
/// Times are known up to this share of them: somewhat more than the shortest step.
const ROUNDING_OF_TIMES: f64 = 100.0 * f64::EPSILON;
/// Below this share of a step the rounding of times does not matter.
const NOTICEABLE_SHARE: f64 = 1e-3;
/// Blocks are kept as long as Newton's iteration contracts better than this.
const KEEP_BLOCKS_BELOW: f64 = 0.2;
/// Blocks are never older than so many steps (CVODE: 50).
const OLDEST_BLOCKS: usize = 30;

impl<E: StepEquations> Multistep<E> {
    /// Extrapolates the past to the time `to`; returns the leading coefficient.
    fn extrapolate(&mut self, to: f64) -> f64 {
        let order = self.pace.order;
        let (weights, slopes) = (self.history.weights(to), self.history.slopes(to));
        self.history.combine(&weights[..=order], &mut self.predicted);
        let leading = slopes[order];
        let mut shifted = [0.0; COLUMNS];
        for j in 0..order {
            shifted[j] = weights[j] * (1.0 - slopes[j] / leading);
        }
        self.history.combine(&shifted[..order], &mut self.past);
        leading
    }

    /// The unknowns that the prediction gives: rates (accelerations) and multipliers.
    fn predict_unknowns(&mut self, leading: f64) {
        let Self { layout, unknowns, predicted, past, .. } = self;
        let rates = if layout.is_mechanical() { layout.v() } else { layout.q() };
        let (count, m) = (rates.len(), layout.m());
        for (unknown, i) in unknowns[..count].iter_mut().zip(rates) {
            *unknown = leading * (predicted[i] - past[i]);
        }
        unknowns[count..count + m].copy_from_slice(&predicted[layout.multipliers()]);
    }

    /// Solves the equations of the formula; returns the number of iterations.
    fn solve(&mut self, to: f64, leading: f64, count: &mut Statistics) -> Result<usize, StepFailure> {
        let kink = self.pace.rejections >= PATIENT_AFTER;
        let patient = kink || self.takes_constant_steps();
        let tries = if patient { MOST_TRIES } else { USUAL_TRIES };
        self.newton.be_patient(patient);
        let h = 1.0 / leading;
        loop {
            self.predict_unknowns(leading);
            let stages = self.equations.stages();
            stages.begin(to - h, h, &self.past, &self.stage, &self.unknowns);
            let fresh = self.blocks_age.is_none();
            match self.iterate(leading, count) {
                Err(StepFailure::Newton { .. }) if !fresh => self.blocks_age = None,
                Err(StepFailure::Newton { contraction, .. }) if patient || contraction < 1.0 => {
                    return self.try_again(leading, tries, count);
                }
                result => return result,
            }
        }
    }

    /// Newton's iteration from the unknowns at hand, with the blocks at hand where there are any.
    fn iterate(&mut self, leading: f64, count: &mut Statistics) -> Result<usize, StepFailure> {
        let stages = self.equations.stages();
        self.newton.doubt(self.blocks_age.is_some());
        if self.blocks_age.is_none() {
            stages.refresh(&self.stage, 0, &self.unknowns, count)?;
            (self.blocks_age, self.factored_for) = (Some(0), None);
        }
        let near = |factored: f64| {
            let ratio = factored / leading;
            (1.0 / KEEP_FACTORS_WITHIN..=KEEP_FACTORS_WITHIN).contains(&ratio)
        };
        if !self.factored_for.is_some_and(near) {
            stages.factor(&self.stage, count)?;
            self.factored_for = Some(leading);
        }
        let tolerance = self.newton_tolerance();
        let stages = self.equations.stages();
        self.newton.iterate(stages, &self.stage, &mut self.unknowns, &self.scales, tolerance, count)
    }

    /// Goes on with blocks of where the iteration has come to: across a kink the old ones do not lead.
    fn try_again(
        &mut self,
        leading: f64,
        tries: usize,
        count: &mut Statistics,
    ) -> Result<usize, StepFailure> {
        let mut result = Err(StepFailure::Newton { contraction: f64::INFINITY, iterations: 0 });
        for _ in 1..tries {
            self.blocks_age = None;
            result = self.iterate(leading, count);
            if !matches!(result, Err(StepFailure::Newton { .. })) {
                break;
            }
        }
        result
    }

    pub(super) fn attempt_formula(
        &mut self,
        to: f64,
        count: &mut Statistics,
    ) -> Result<(usize, usize), StepFailure> {
        let leading = self.extrapolate(to);
        let iterations = self.solve(to, leading, count)?;
        self.equations.stages().end(&self.stage, &self.unknowns, &mut self.attempted.y);
        self.equations.approach(&self.stage, to, &self.attempted.y, count)?;
        self.equations.weigh(&self.scales);
        self.equations.project(to, &mut self.attempted.y, count)?;
        if !self.takes_constant_steps() {
            self.scales.widen(&self.attempted.y);
            let order = self.pace.order;
            let constant = 1.0 / (leading * (to - self.history.time() + self.history.span(order)));
            for (error, (y, predicted)) in
                self.error.iter_mut().zip(self.attempted.y.iter().zip(&self.predicted))
            {
                *error = constant * (y - predicted);
            }
            let error = self.equations.norm(&self.error, &self.scales) - self.forgiven(to);
            self.attempted.error = larger(0.0, error) / self.error_tolerance();
        }
        Ok((iterations, self.newton.most_iterations(1)))
    }

    /// What the rounding of times alone changes, in the state or in the prediction: states that jump in no time, or come to
    /// rest, end no run.
    pub(super) fn forgiven(&mut self, to: f64) -> f64 {
        let share = ROUNDING_OF_TIMES * to.abs() / (to - self.history.time()).abs();
        if share < NOTICEABLE_SHARE {
            return 0.0;
        }
        let predicted = if self.attempted.is_start { &self.y } else { &self.predicted };
        let states = self.attempted.y.iter().zip(predicted).zip(&self.y);
        for (change, ((new, predicted), old)) in self.error.iter_mut().zip(states) {
            *change = (new - old).abs().max((predicted - old).abs());
        }
        share * self.equations.norm(&self.error, &self.scales)
    }

    /// Commits a step of the formula.
    pub(super) fn accept_formula(&mut self) {
        let h = self.attempted.t - self.history.time();
        self.history.push(self.attempted.t, &self.attempted.y);
        self.last_order = self.pace.order;
        let tired = self.newton.contraction() > KEEP_BLOCKS_BELOW;
        self.blocks_age = self.blocks_age.map(|age| age + 1).filter(|&age| age < OLDEST_BLOCKS && !tired);
        if self.takes_constant_steps() {
            self.pace.go_on();
        } else {
            self.choose_pace(h);
        }
    }
}
