//! What all fully implicit steps share: prediction, reuse of matrices, Newton, order selection, interpolation.

mod checkpoint;
mod order;
mod turning;

use std::collections::VecDeque;
use std::sync::Arc;

use taut_tableau::{Tableau, TableauError};

use order::Yields;
pub(crate) use order::stages_pay;
use turning::Turning;

use super::simplified::Newton;
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::linear::{Combination, Stages};
use crate::motion::Statistics;
use crate::options::{NewtonOptions, OrderOptions};
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StageEquations;

/// The stages of the last accepted step, from which the next ones are predicted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// the length of that step; 0 when there was none
    pub(crate) h: f64,
    /// which method it was taken with
    method: usize,
    /// its stage unknowns
    pub(crate) unknowns: Vec<f64>,
    /// the next step begins where it began: it is taken again
    again: bool,
}

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
    /// of the past stages in the predicted ones, row by row
    weights: Vec<f64>,
    combination: Combination,
    blocks: BlocksAge,
    factored_for: Option<(f64, usize)>,
    /// what matrices were factored for when a snapshot was taken: to do it again is no new work
    factored_before: Option<(f64, usize)>,
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

/// How old the derivative blocks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlocksAge {
    None,
    EarlierStep,
    ThisStep,
}

/// After so many failures in a row it is not the length of the step that hinders Newton's iteration, but a kink.
const PATIENT_AFTER: usize = 3;

/// Then so many sets of blocks are tried.
const MOST_TRIES: usize = 4;

/// After a failure or a change the order stays for so many steps (RADAU: 10).
const STEPS_BEFORE_RAISE: usize = 10;
/// and kinks are forgotten after so many times as many steps without one.
const FORGOTTEN_AFTER: usize = 4;
/// Where there were kinks before, it stays for so many times as many steps.
const KINKS_BEFORE: usize = 4;
/// Contractions, divided by the length of steps, are taken to grow at most by this factor from step to step.
const LARGEST_GROWTH: f64 = 1.5;
/// Stages of steps that are so many times as long as the last one are predicted by a line.
const LONGER: f64 = 1.6;
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
            newton: Newton::new(newton.clone()).mind_friction(),
            options: newton,
            order,
            unknowns: Vec::new(),
            past: Past::default(),
            weights: vec![0.0; most_stages * most_stages],
            combination: Combination::default(),
            blocks: BlocksAge::None,
            factored_for: None,
            factored_before: None,
            contraction_before: 1.0,
            contractions_per_length: [0.0; 2],
            steps_since_failure: 0,
            steps_before_raise: STEPS_BEFORE_RAISE,
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
        self.blocks = BlocksAge::None;
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
        let mut tries = if kink { MOST_TRIES } else { 1 };
        let mut predicted = false;
        loop {
            if !predicted {
                self.predict(equations, h);
                equations.begin(t, h, y, &self.methods[self.current], &self.unknowns);
                predicted = true;
            }
            let method = &self.methods[self.current];
            if self.blocks == BlocksAge::None {
                equations.refresh(method, method.stages / 2, &self.unknowns, count)?;
                self.blocks = BlocksAge::ThisStep;
                (self.factored_for, self.factored_before) = (None, None);
            }
            if self.factored_for != Some((h, self.current)) {
                let known = self.factored_before.take() == Some((h, self.current));
                let mut uncounted = Statistics::default();
                equations.factor(method, if known { &mut uncounted } else { count })?;
                self.factored_for = Some((h, self.current));
            }
            let unknowns = &mut self.unknowns;
            match self.newton.iterate(equations, method, unknowns, scales, tolerance, count) {
                Err(StepFailure::Newton { .. }) if self.blocks == BlocksAge::EarlierStep => {
                    (self.blocks, predicted) = (BlocksAge::None, false);
                }
                // Across a kink blocks of where the iteration has come to lead on.
                Err(StepFailure::Newton { contraction, .. }) if tries > 1 && contraction < 1.0 => {
                    tries -= 1;
                    self.blocks = BlocksAge::None;
                }
                result => {
                    let iterations =
                        result.as_ref().map_or(self.newton.most_iterations(method.stages), |k| *k);
                    self.yields.work += (method.stages * iterations) as f64;
                    if matches!(result, Err(StepFailure::Newton { .. })) {
                        let turned = self.try_turning(equations, (t, h, y), scales, tolerance, count);
                        return turned.map_or(result, Ok);
                    }
                    return result;
                }
            }
        }
    }

    /// Predicts the stage unknowns: the polynomial through those of the last step, extrapolated; or a line, which goes less
    /// astray far outside of that step.
    fn predict(&mut self, equations: &dyn StageEquations, h: f64) {
        let size = equations.unknowns();
        let method = &self.methods[self.current];
        self.unknowns.resize(method.stages * size, 0.0);
        if self.past.h == 0.0 {
            for unknowns in self.unknowns.chunks_exact_mut(size) {
                equations.initial_unknowns(unknowns);
            }
            return;
        }
        let past = &self.methods[self.past.method];
        let begins_at = if self.past.again { 0.0 } else { 1.0 };
        let weights = &mut self.weights[..method.stages * past.stages];
        let ratio = h / self.past.h;
        let by_line = ratio > LONGER && past.stages > STAGES_ACROSS_KINKS && equations.prefers_lines();
        for (c, weights) in method.c.iter().zip(weights.chunks_exact_mut(past.stages)) {
            match by_line {
                true => past.line(begins_at + c * ratio, weights),
                false => past.lagrange(begins_at + c * ratio, weights),
            }
        }
        let stages = Stages { values: &self.past.unknowns, stride: size };
        self.combination.combine_rows(weights, past.stages, 1.0, stages, &mut self.unknowns, size);
    }

    /// Evaluates the derivative blocks anew for the next step.
    pub(crate) fn forget_blocks(&mut self) {
        self.blocks = BlocksAge::None;
    }

    /// The step was accepted.
    pub(crate) fn accept(&mut self, h: f64) {
        self.contractions_per_length = [self.contractions_per_length[1], self.newton.contraction() / h.abs()];
        self.yields.time += h.abs();
        self.past.h = h;
        self.past.again = false;
        self.past.method = self.current;
        self.past.unknowns.clear();
        self.past.unknowns.extend_from_slice(&self.unknowns);
        self.steps_since_failure += 1;
        if self.steps_since_failure > FORGOTTEN_AFTER * self.steps_before_raise {
            self.steps_before_raise = STEPS_BEFORE_RAISE;
        }
        self.failures = 0;
        self.rejections = 0;
        self.trouble *= MEMORY_OF_TROUBLE;
        self.turning.accept();
        let keep = self.newton.contraction() <= self.options.keep_blocks_below;
        self.blocks = if keep { BlocksAge::EarlierStep } else { BlocksAge::None };
    }

    /// The step was rejected, for want of smoothness when it is `rough`.
    pub(crate) fn reject(&mut self, refresh: bool, rough: bool) {
        if refresh {
            self.newton.forget();
            self.blocks = BlocksAge::None;
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
        self.steps_before_raise = KINKS_BEFORE * STEPS_BEFORE_RAISE;
    }

    /// Whether there were kinks lately.
    pub(crate) fn knows_kinks(&self) -> bool {
        self.steps_before_raise > STEPS_BEFORE_RAISE
    }

    /// Whether blocks and factors would be used again by a step of the same length.
    pub(crate) fn keeps_blocks(&self) -> bool {
        self.blocks == BlocksAge::EarlierStep
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
