//! One step of a backward differentiation formula.

use super::{Multistep, PATIENT_AFTER};
use crate::control::error_norm::larger;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::newton::reuse::{Factored, Task};
use crate::stages::stage_equations::StepEquations;
use crate::step::history::COLUMNS;

/// Times are known up to this share of them: somewhat more than the shortest step.
const ROUNDING_OF_TIMES: f64 = 100.0 * f64::EPSILON;
/// Below this share of a step the rounding of times does not matter.
const NOTICEABLE_SHARE: f64 = 1e-3;

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

    /// Solves the equations of the formula; returns the number of iterations.
    fn solve(&mut self, to: f64, leading: f64, count: &mut Statistics) -> Result<usize, StepFailure> {
        let kink = self.pace.rejections >= PATIENT_AFTER || self.takes_constant_steps();
        self.newton.be_patient(kink);
        let (h, tolerance) = (1.0 / leading, self.newton_tolerance());
        let Self { layout, stage, predicted, past, unknowns, scales, newton, reuse, .. } = self;
        let task = Task {
            equations: self.equations.stages(),
            method: stage,
            begin: &mut |equations, unknowns| {
                predict_unknowns(layout, (predicted, past), leading, unknowns);
                equations.begin(to - h, h, past, stage, unknowns);
            },
            unknowns,
            scales,
            tolerance,
            factored: Factored { length: leading, method: 0 },
        };
        reuse.solve(newton, task, kink, count)
    }

    pub(super) fn attempt_formula(
        &mut self,
        to: f64,
        count: &mut Statistics,
    ) -> Result<(usize, usize), StepFailure> {
        let leading = self.extrapolate(to);
        loop {
            let iterations = self.solve(to, leading, count)?;
            self.measure(to, leading, count)?;
            match self.check_solved(count) {
                // Blocks of an earlier step may be those of what was steep then.
                Err(_) if self.reuse.keeps_blocks() => self.reuse.forget_blocks(),
                checked => return checked.map(|()| (iterations, self.newton.most_iterations(1))),
            }
        }
    }

    /// Fails where a step whose error is small enough looks solved and is not.
    fn check_solved(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        if self.takes_constant_steps() || self.attempted.error >= 1.0 {
            return Ok(());
        }
        self.equations.check_solved(&self.stage, &self.unknowns, &self.scales, count)
    }

    /// Finds the end of the step that was solved, and its error.
    fn measure(&mut self, to: f64, leading: f64, count: &mut Statistics) -> Result<(), StepFailure> {
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
        Ok(())
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
        self.reuse.accept(self.newton.contraction());
        if self.takes_constant_steps() {
            self.pace.go_on();
        } else {
            self.choose_pace(h);
        }
    }
}

/// The unknowns that the prediction gives: rates (accelerations) and multipliers.
fn predict_unknowns(
    layout: &Layout,
    (predicted, past): (&[f64], &[f64]),
    leading: f64,
    unknowns: &mut [f64],
) {
    let rates = if layout.is_mechanical() { layout.v() } else { layout.q() };
    let (count, m) = (rates.len(), layout.m());
    for (unknown, i) in unknowns[..count].iter_mut().zip(rates) {
        *unknown = leading * (predicted[i] - past[i]);
    }
    unknowns[count..count + m].copy_from_slice(&predicted[layout.multipliers()]);
}
