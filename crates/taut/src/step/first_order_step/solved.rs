//! Stages that look solved and are not.
//!
//! Newton's iteration is measured by its updates, and where J is large these are small whatever is left of the equations. That is
//! right as long as J is: but a force that is steep where J was evaluated and flat beside it, like dry friction tanh(v/δ), leaves an
//! iteration with small updates that would go on forever, far from the solution. So the rate of the last stage is compared
//! with that of the state it has led to, f(y). If they differ by much, though not by much less than before the last update, and J takes
//! it for little, the update w that J asks for is tried: what is left, f(y + w) − E(k + (g/h) w), is nothing where J is right, and
//! as much as before where it is not.

use super::FirstOrderStep;
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StageEquations;

/// Rates may differ by so many tolerances within the step.
const NEGLIGIBLE: f64 = 3.0;
/// An update that takes less than this share of the difference away believes in a large J.
const BELIEVED: f64 = 0.1;
/// An update below so many units of rounding of the state has nothing to take away: very large J answer rounding errors with as much.
const ROUNDING: f64 = 100.0 * f64::EPSILON;
/// The last iteration has shown that J is right where it has left less than this share of the difference.
const SHOWN: f64 = 0.25;
/// What may be left of the difference after it.
const MOST_LEFT: f64 = 0.5;

/// After so many steps that looked solved and were not the user is told. (Of the other problems of the library the ring modulator at 1e-3 has
/// 8, the others 5 at most.)
const MANY: usize = 12;

/// The end of a step that was attempted, and the rate there.
pub(super) struct End {
    state: Vec<f64>,
    rate: Vec<f64>,
    known: bool,
    /// so many steps have looked solved and were not
    unsolved: usize,
    /// the variable whose rates differed by most in the last of them
    worst: usize,
    /// what is said of them
    pub(super) warning: Option<String>,
}

/// What is said where many steps were not solved.
fn told(name: &str) -> String {
    format!(
        "the rate of '{name}' changes by much within its tolerance, as with dry friction that is steeper than it, and many steps \
         had to be repeated for that: errors may be some hundred tolerances; take a smaller one, or write a mechanism instead of \
         equations of first order"
    )
}

impl End {
    pub(super) fn of(n: usize) -> Self {
        End { state: vec![0.0; n], rate: vec![0.0; n], known: false, unsolved: 0, worst: 0, warning: None }
    }

    /// Takes over the rate at a state, if it is the one that was looked at.
    pub(super) fn hand_over(&mut self, y: &[f64], rate: &mut [f64]) -> bool {
        let known = std::mem::take(&mut self.known) && self.state == y;
        if known {
            rate.copy_from_slice(&self.rate);
        }
        known
    }
}

impl FirstOrderStep<'_> {
    /// Fails where the last stage is not solved, though updates are small. Only where all variables have derivatives and the last
    /// stage is the end of the step; stages with a Jacobian of their own are solved one by one.
    pub(super) fn check_last_stage(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (n, composition) = (self.x.len(), self.system.composition());
        self.end.known = false;
        if !method.stiffly_accurate || !composition.is_ordinary() || self.stages.turns() {
            return Ok(());
        }
        self.stages.end(method, unknowns, &mut self.end.state);
        if self.system.rate(self.t + self.h, &self.end.state, &mut self.end.rate).is_err() {
            return Ok(());
        }
        count.rhs += 1;
        self.end.known = true;
        let last = &unknowns[unknowns.len() - n..];
        self.error.copy_from_slice(&self.end.rate);
        composition.mass.multiply_add(&composition.mass_values, last, &mut self.error, -1.0);
        let residual = self.h.abs() * self.largest_error(scales);
        if residual <= NEGLIGIBLE * scales.rtol() {
            return Ok(());
        }
        if residual <= SHOWN * self.h.abs() * self.largest(self.stages.last_residual(), scales) {
            return Ok(());
        }
        self.end.worst = self.worst_variable(scales);
        self.filtered(method, scales, count)?;
        let update = self.largest_error(scales);
        if update > BELIEVED * residual || update <= ROUNDING {
            return Ok(());
        }
        let contraction = self.left_after_update(method, last, scales, count) / residual;
        if contraction <= MOST_LEFT {
            return Ok(());
        }
        Err(StepFailure::Newton { contraction, iterations: 1 })
    }

    /// Counts steps that looked solved and were not, and says so where they are many.
    pub(super) fn count_unsolved(&mut self, failure: &StepFailure) {
        if !matches!(failure, StepFailure::Newton { .. }) {
            return;
        }
        self.end.unsolved += 1;
        if self.end.unsolved == MANY {
            self.end.warning = self.system.composition().variables.get(self.end.worst).map(|name| told(name));
        }
    }

    /// The variable whose rates differ by most.
    fn worst_variable(&self, scales: &Scales) -> usize {
        let size = |&(i, scale): &(usize, &f64)| (self.error[i] * scale).abs();
        let variables = scales.inverse().iter().enumerate();
        variables.max_by(|a, b| size(a).total_cmp(&size(b))).map_or(0, |(i, _)| i)
    }

    /// h (f(y + w) − E(k + (g/h) w)) for the update w that was found, in the norm of the largest.
    fn left_after_update(
        &mut self,
        method: &Coefficients,
        last: &[f64],
        scales: &Scales,
        count: &mut Statistics,
    ) -> f64 {
        let (composition, factor) = (self.system.composition(), method.g / self.stages.length());
        for (shifted, (y, w)) in self.shifted.iter_mut().zip(self.end.state.iter().zip(&self.error)) {
            *shifted = y + w;
        }
        for (rate, (k, w)) in self.extrapolated.iter_mut().zip(last.iter().zip(&self.error)) {
            *rate = k + factor * w;
        }
        count.rhs += 1;
        if self.system.rate(self.t + self.h, &self.shifted, &mut self.error).is_err() {
            return 0.0;
        }
        composition.mass.multiply_add(&composition.mass_values, &self.extrapolated, &mut self.error, -1.0);
        self.h.abs() * self.largest_error(scales)
    }
}
