//! What all fully implicit steps share: prediction, Newton with what is used again, order selection.

mod checkpoint;
mod order;
mod past;
mod turning;

use std::collections::VecDeque;
use std::sync::Arc;

use taut_tableau::{Tableau, TableauError};

use order::Yields;
pub(crate) use order::stages_pay;
use past::Past;
use turning::Turning;

use super::reuse::{Factored, Policy, Reuse, Task};
use super::simplified::Newton;
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::{NewtonOptions, OrderOptions};
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StageEquations;

/// The part of a fully implicit step that does not depend on the equations.
#[derive(Clone, Debug)]
pub(crate) struct ImplicitCore {
    /// the methods in use so far, by ascending order
    methods: Vec<Arc<Coefficients>>,
    /// those of higher order, made ready when they are needed
    higher: VecDeque<Arc<Tableau>>,
    current: usize,
    newton: Newton,
    options: NewtonOptions,
    order: OrderOptions,
    pub(crate) unknowns: Vec<f64>,
    past: Past,
    reuse: Reuse,
    /// contraction of the step before, for the order selection
    contraction_before: f64,
    /// contractions of the last two accepted steps, divided by their lengths
    contractions_per_length: [f64; 2],
    /// a Newton failure forbids to raise the order for a while
    steps_since_failure: usize,
    /// for so many steps; longer each time that there are kinks
    steps_before_raise: usize,
    yields: Yields,
    /// the length of the step that was tried last
    tried: f64,
    /// how often this step was rejected by its error, although it was not longer than the last
    rejections: usize,
    /// how often Newton's iteration has failed lately; what is long ago counts less
    trouble: f64,
    /// failures since the last accepted step
    failures: usize,
    /// steps cannot be made shorter
    constant_steps: bool,
    turning: Turning,
}

/// After so many failures in a row it is not the length of the step that hinders Newton's iteration, but a kink.
const PATIENT_AFTER: usize = 3;

/// Kinks are forgotten after so many times as many steps without one as the order stays for.
const FORGOTTEN_AFTER: usize = 4;
/// Where there were kinks before, it stays for so many times as many steps.
const KINKS_BEFORE: usize = 4;
/// Contractions, divided by the length of steps, are taken to grow at most by this factor from step to step.
const LARGEST_GROWTH: f64 = 1.5;
/// Failures of Newton's iteration count by this factor less with each accepted step;
const MEMORY_OF_TROUBLE: f64 = 0.95;
/// with more of them than these, nearly each step fails: polynomials of many stages do not lead on, as where dry friction
/// holds a body.
const MOST_TROUBLE: f64 = 12.0;
/// A step that is so many times as long as the last may well be rejected more than once.
const GROWN: f64 = 1.5;
/// So many stages are taken across kinks.
const STAGES_ACROSS_KINKS: usize = 3;

impl ImplicitCore {
    /// `tableaux` are the methods to choose from, by ascending order; number `first` is begun with.
    pub(crate) fn new(
        tableaux: &[Arc<Tableau>],
        first: usize,
        newton: NewtonOptions,
        order: OrderOptions,
    ) -> Result<Self, TableauError> {
        let most_stages = tableaux.iter().map(|tableau| tableau.stages()).max().unwrap_or(0);
        let methods: Result<Vec<_>, _> =
            tableaux.iter().take(first + 1).map(|tableau| Coefficients::shared(tableau)).collect();
        Ok(ImplicitCore {
            higher: tableaux.iter().skip(first + 1).cloned().collect(),
            current: first,
            reuse: Reuse::new(Policy::collocation(&newton)),
            newton: Newton::new(newton.clone()).mind_friction(),
            options: newton,
            steps_before_raise: order.steps_before_raise,
            order,
            unknowns: Vec::new(),
            past: Past::new(most_stages),
            contraction_before: 1.0,
            contractions_per_length: [0.0; 2],
            steps_since_failure: 0,
            yields: Yields::default(),
            tried: 0.0,
            rejections: 0,
            trouble: 0.0,
            failures: 0,
            constant_steps: false,
            turning: Turning::default(),
            methods: methods?,
        })
    }

    /// Newton's iteration gets more iterations, since steps cannot be made shorter.
    pub(crate) fn take_constant_steps(&mut self, to_rounding: bool) {
        self.constant_steps = true;
        self.newton.go_to_rounding(to_rounding);
    }

    /// The next step is predicted from its beginning alone.
    pub(crate) fn forget_past(&mut self) {
        self.past.h = 0.0;
        self.reuse.forget_blocks();
    }

    /// Iterations that stand still below so many tolerances have met rounding, and there may be more of them.
    pub(crate) fn be_lenient(&mut self, tolerances: f64) {
        self.newton.stand_still_below(tolerances);
    }

    /// Makes the method of this number ready; false when there is none.
    fn make_ready(&mut self, number: usize) -> bool {
        while self.methods.len() <= number {
            let Some(Ok(method)) = self.higher.pop_front().map(|tableau| Coefficients::shared(&tableau))
            else {
                return false;
            };
            self.methods.push(method);
        }
        true
    }

    /// The method of the next step.
    pub(crate) fn method(&self) -> &Coefficients {
        &self.methods[self.current]
    }

    /// The methods in use so far.
    pub(crate) fn methods(&self) -> &[Arc<Coefficients>] {
        &self.methods
    }

    /// The method of the next step and its number.
    pub(crate) fn numbered_method(&self) -> (usize, &Coefficients) {
        (self.current, self.method())
    }

    /// The next step begins where the last accepted one began, with the same method.
    pub(crate) fn begin_last_step_again(&mut self) {
        self.current = self.past.method;
        self.past.again = true;
    }

    pub(crate) fn most_iterations(&self) -> usize {
        self.newton.most_iterations(self.method().stages)
    }

    /// Solves the stage equations of a step; returns the number of iterations.
    pub(crate) fn solve(
        &mut self,
        equations: &mut dyn StageEquations,
        (t, h, y): (f64, f64, &[f64]),
        scales: &Scales,
        tolerance: f64,
        count: &mut Statistics,
    ) -> Result<usize, StepFailure> {
        self.tried = h;
        if let Some(solved) = self.go_on_turning(equations, (t, h, y), scales, tolerance, count) {
            return solved;
        }
        let kink = self.failures >= PATIENT_AFTER;
        self.newton.be_patient(self.constant_steps || kink);
        let many = self.method().stages > STAGES_ACROSS_KINKS;
        self.newton.polish(many && equations.doubts_first_iteration());
        let Self { methods, current, past, unknowns, reuse, newton, .. } = self;
        let method = &*methods[*current];
        unknowns.resize(method.stages * equations.unknowns(), 0.0);
        let task = Task {
            equations,
            method,
            begin: &mut |equations, unknowns| {
                past.predict(methods, method, &*equations, h, unknowns);
                equations.begin(t, h, y, method, unknowns);
            },
            unknowns,
            scales,
            tolerance,
            factored: Factored { length: h, method: *current },
        };
        let result = reuse.solve(newton, task, kink, count);
        let stages = self.method().stages;
        let iterations = result.as_ref().map_or(self.newton.most_iterations(stages), |k| *k);
        self.yields.work += (stages * iterations) as f64;
        if matches!(result, Err(StepFailure::Newton { .. })) {
            let turned = self.try_turning(equations, (t, h, y), scales, tolerance, count);
            return turned.map_or(result, Ok);
        }
        result
    }

    /// Evaluates the derivative blocks anew for the next step.
    pub(crate) fn forget_blocks(&mut self) {
        self.reuse.forget_blocks();
    }

    /// The step was accepted.
    pub(crate) fn accept(&mut self, h: f64) {
        self.contractions_per_length = [self.contractions_per_length[1], self.newton.contraction() / h.abs()];
        self.yields.time += h.abs();
        self.past.keep(h, self.current, &self.unknowns);
        self.steps_since_failure += 1;
        if self.steps_since_failure > FORGOTTEN_AFTER * self.steps_before_raise {
            self.steps_before_raise = self.order.steps_before_raise;
        }
        self.failures = 0;
        self.rejections = 0;
        self.trouble *= MEMORY_OF_TROUBLE;
        self.turning.accept();
        self.reuse.accept(self.newton.contraction());
    }

    /// The step was rejected, for want of smoothness when it is `rough`.
    pub(crate) fn reject(&mut self, refresh: bool, rough: bool) {
        if refresh {
            self.newton.forget();
            self.reuse.forget_blocks();
            self.steps_since_failure = 0;
            self.failures += 1;
            self.trouble += 1.0;
            if self.trouble > MOST_TROUBLE {
                self.lower_order_across_kink();
                self.trouble = 0.0;
            }
        } else {
            // A step that has grown much says nothing about smoothness.
            let grown = self.order.trust_many_stages && self.tried.abs() > GROWN * self.past.h.abs();
            self.rejections += usize::from(!grown);
            if rough || self.rejections > 1 {
                self.lower_order_across_kink();
            }
        }
    }

    /// There were kinks before this run began.
    pub(crate) fn expect_kinks(&mut self) {
        self.steps_before_raise = KINKS_BEFORE * self.order.steps_before_raise;
    }

    /// Whether there were kinks lately.
    pub(crate) fn knows_kinks(&self) -> bool {
        self.steps_before_raise > self.order.steps_before_raise
    }

    /// Whether blocks and factors would be used again by a step of the same length.
    pub(crate) fn keeps_blocks(&self) -> bool {
        self.reuse.keeps_blocks()
    }

    /// The factor by which the next step may be longer, such that Newton's iteration contracts (Gustafsson and Söderlind
    /// 1997): contractions are about proportional to the step. Where that proportion has grown since the step before, it is
    /// taken to grow on: so steps become shorter before the iteration fails.
    pub(crate) fn largest_factor(&self) -> f64 {
        let [before, last] = self.contractions_per_length;
        let growth = if before > 0.0 { (last / before).clamp(1.0, LARGEST_GROWTH) } else { 1.0 };
        let factor = self.options.sought_contraction / (growth * self.newton.contraction());
        factor.max(self.options.shrink_after_failure)
    }
}
