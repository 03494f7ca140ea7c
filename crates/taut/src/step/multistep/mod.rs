//! Backward differentiation formulas with variable step and variable order.
//!
//! The polynomial through the new state and the newest k states satisfies the equations at the new time:
//! y' = c₀ (y − y*), with the leading coefficient c₀ = Σ 1/(tₙ₊₁ − tₙ₊₁₋ᵢ), i = 1 … k, and y* from the past. So a step is one
//! stage y = y* + (1/c₀) y' of a diagonally implicit method, and is solved as such; the coefficients follow the uneven
//! times exactly (Brenan, Campbell and Petzold 1996, section 5.2).
//!
//! A run begins with one step of Radau IIA with three stages, whose stages are a past for order 3.

mod constant;
mod history;
mod pace;

use super::coefficients::Coefficients;
use super::failure::StepFailure;
use super::implicit_core::ImplicitCore;
use super::newton::Newton;
use super::stage_equations::StepEquations;
use super::stepper::{Attempt, Stepper};
use crate::control::error_norm::Scales;
use crate::control::first_step::first_step;
use crate::equations::Layout;
use crate::motion::Statistics;
use crate::options::Options;
use crate::run::{Snapshot, SnapshotError};
pub use constant::{AlgebraicRows, LinearMultistep, MultistepError};
use history::{COLUMNS, History};
use pace::{Errors, Pace};

/// After the first step, steps go on with this share of it, the distance of its last two stages.
const AFTER_START: f64 = 0.4;
/// After so many failures in a row the past is forgotten: there is a kink.
const FAILURES_BEFORE_RESTART: usize = 4;
/// After so many failures in a row it is not the length of the step that hinders Newton's iteration.
const PATIENT_AFTER: usize = 2;
/// Factors serve as long as the leading coefficient is within this factor of theirs.
const KEEP_FACTORS_WITHIN: f64 = 1.1;
/// Then so many sets of blocks are tried.
const MOST_TRIES: usize = 6;
/// Newton's iteration is not asked for more than this.
const LEAST_NEWTON_TOLERANCE: f64 = 100.0 * f64::EPSILON;
/// Newton's iteration may stand still at so many times its tolerance: rounding.
const STANDSTILL: f64 = 10.0;
/// Blocks are kept as long as Newton's iteration contracts better than this.
const KEEP_BLOCKS_BELOW: f64 = 0.2;
/// Blocks are never older than so many steps (CVODE: 50).
const OLDEST_BLOCKS: usize = 30;

/// Steps of variable order, for whatever equations.
pub(crate) struct Multistep<E> {
    layout: Layout,
    equations: E,
    /// Radau IIA, for the beginning
    starter: ImplicitCore,
    /// y* + (1/c₀) y'
    stage: Coefficients,
    newton: Newton,
    scales: Scales,
    options: Options,
    history: History,
    pace: Pace,
    y: Vec<f64>,
    /// what is extrapolated to the end of the step
    predicted: Vec<f64>,
    past: Vec<f64>,
    unknowns: Vec<f64>,
    error: Vec<f64>,
    rates: Vec<f64>,
    attempted: Attempted,
    /// steps since the blocks were evaluated; nothing when there are none
    blocks_age: Option<usize>,
    /// the leading coefficient that the matrix was factored for
    factored_for: Option<f64>,
    /// where the last accepted step began
    last_start: f64,
    last_order: usize,
}

/// The step that was computed last.
struct Attempted {
    t: f64,
    y: Vec<f64>,
    is_start: bool,
    error: f64,
}

impl<E: StepEquations> Multistep<E> {
    /// A stepper at a consistent state, with orders up to `order`, or with just this one.
    pub(crate) fn new(
        mut equations: E,
        starter: ImplicitCore,
        (order, fixed): (usize, bool),
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = equations.layout();
        let mut y = y.to_vec();
        equations.complete(t, &mut y, count)?;
        equations.settle(t, &mut y, count)?;
        let mut newton = Newton::new(options.newton.clone());
        newton.stand_still_below(STANDSTILL);
        let (length, stages) = (layout.len(), starter.method().stages);
        Ok(Multistep {
            layout,
            unknowns: vec![0.0; equations.stages().unknowns()],
            stage: Coefficients::single_stage(1.0, true, order),
            rates: vec![0.0; stages * layout.differential()],
            equations,
            starter,
            newton,
            scales: Scales::new(options.rtol, options.atol, length),
            options: options.clone(),
            history: History::new(t, &y),
            pace: Pace::new(order, fixed),
            predicted: vec![0.0; length],
            past: vec![0.0; length],
            error: vec![0.0; layout.differential()],
            attempted: Attempted { t, y: y.clone(), is_start: true, error: 0.0 },
            blocks_age: None,
            factored_for: None,
            last_start: t,
            last_order: 1,
            y,
        })
    }

    fn takes_constant_steps(&self) -> bool {
        self.options.constant_step.is_some()
    }

    /// Whether the past is too short for a step.
    fn must_start(&self) -> bool {
        let needed = if self.takes_constant_steps() { self.pace.order + 1 } else { 2 };
        self.history.points() < needed
    }

    /// What the error of one step may be: errors of tol^(-1/5) steps add up.
    fn error_tolerance(&self) -> f64 {
        self.options.multistep.error_share * self.scales.rtol().powf(self.options.multistep.error_power)
    }

    /// What Newton's last update may be.
    fn newton_tolerance(&self) -> f64 {
        (self.options.multistep.newton_share * self.error_tolerance()).max(LEAST_NEWTON_TOLERANCE)
    }

    /// A step of the one-step method; its own error estimate.
    fn attempt_start(&mut self, to: f64, count: &mut Statistics) -> Result<(usize, usize), StepFailure> {
        let t = self.history.time();
        let mut tolerance = self.newton_tolerance();
        if self.pace.rejections >= PATIENT_AFTER {
            tolerance = tolerance.max(self.options.newton.share_of_tolerance * self.scales.rtol());
        }
        let start = (t, to - t, self.y.as_slice());
        let iterations =
            self.starter.solve(self.equations.stages(), start, &self.scales, tolerance, count)?;
        let allowed = self.error_tolerance();
        let method = self.starter.method();
        self.equations.stages().end(method, &self.starter.unknowns, &mut self.attempted.y);
        self.equations.approach(method, to, &self.attempted.y, count)?;
        if !self.takes_constant_steps() {
            self.scales.widen(&self.attempted.y);
            let unknowns = &self.starter.unknowns;
            let error = self.equations.estimate(method, unknowns, &self.scales, allowed, count)?;
            self.attempted.error = error / allowed;
        }
        Ok((iterations, self.starter.most_iterations()))
    }

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
        let tries = if kink || self.takes_constant_steps() { MOST_TRIES } else { 1 };
        self.newton.be_patient(tries > 1);
        let h = 1.0 / leading;
        loop {
            self.predict_unknowns(leading);
            let stages = self.equations.stages();
            stages.begin(to - h, h, &self.past, &self.stage, &self.unknowns);
            let fresh = self.blocks_age.is_none();
            match self.iterate(leading, count) {
                Err(StepFailure::Newton { .. }) if !fresh => self.blocks_age = None,
                Err(StepFailure::Newton { .. }) if tries > 1 => return self.try_again(leading, tries, count),
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

    fn attempt_formula(&mut self, to: f64, count: &mut Statistics) -> Result<(usize, usize), StepFailure> {
        let leading = self.extrapolate(to);
        let iterations = self.solve(to, leading, count)?;
        self.equations.stages().end(&self.stage, &self.unknowns, &mut self.attempted.y);
        self.equations.approach(&self.stage, to, &self.attempted.y, count)?;
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
            self.attempted.error = self.equations.norm(&self.error, &self.scales) / self.error_tolerance();
        }
        Ok((iterations, self.newton.most_iterations(1)))
    }

    /// The error that the last accepted step would have had with another order.
    fn error_of_order(&mut self, order: Option<usize>) -> Option<f64> {
        let order = order.filter(|&order| self.history.points() > order + 1)?;
        let leading: f64 = (1..=order).map(|i| 1.0 / self.history.span(i)).sum();
        let constant = 1.0 / (leading * self.history.span(order + 1));
        for (error, difference) in self.error.iter_mut().zip(self.history.difference(order + 1)) {
            *error = constant * difference;
        }
        Some(self.equations.norm(&self.error, &self.scales) / self.error_tolerance())
    }

    /// Takes the stages of the first step, moved onto their constraints, into the past.
    fn keep_stages(&mut self, count: &mut Statistics) {
        let method = self.starter.method();
        let (t, h) = (self.history.time(), self.attempted.t - self.history.time());
        let (d, m) = (self.layout.differential(), self.layout.m());
        let size = self.unknowns.len();
        self.equations.stage_rates(method, &self.starter.unknowns, &mut self.rates);
        for i in 0..method.stages - 1 {
            let stage = &mut self.predicted;
            stage.copy_from_slice(&self.y);
            for (j, rates) in self.rates.chunks_exact(d).enumerate() {
                for (y, rate) in stage.iter_mut().zip(rates) {
                    *y += h * method.a[(i, j)] * rate;
                }
            }
            stage[d..].copy_from_slice(&self.starter.unknowns[(i + 1) * size - m..][..m]);
            let time = t + method.c[i] * h;
            // One that cannot be moved there is left out.
            if self.equations.complete(time, stage, count).is_ok() {
                self.history.push(time, stage);
            }
        }
    }

    /// Commits a step of the one-step method.
    fn accept_start(&mut self, count: &mut Statistics) {
        if !self.takes_constant_steps() {
            self.keep_stages(count);
        }
        self.history.push(self.attempted.t, &self.attempted.y);
        self.starter.reject(true);
        self.blocks_age = None;
        self.last_order = self.history.points() - 1;
        if !self.takes_constant_steps() {
            self.pace.begin(self.history.points(), AFTER_START);
        }
    }

    /// Commits a step of the formula, and chooses the order of the next.
    fn accept_formula(&mut self) {
        self.history.push(self.attempted.t, &self.attempted.y);
        self.last_order = self.pace.order;
        let tired = self.newton.contraction() > KEEP_BLOCKS_BELOW;
        self.blocks_age = self.blocks_age.map(|age| age + 1).filter(|&age| age < OLDEST_BLOCKS && !tired);
        let error = self.attempted.error;
        if self.takes_constant_steps() || !self.pace.is_due(error) {
            self.pace.go_on();
            return;
        }
        let (lower, higher) = self.pace.neighbours();
        let lower = self.error_of_order(lower);
        let higher = self.error_of_order(higher);
        self.pace.choose(&Errors { lower, same: error, higher });
    }
}

impl<E: StepEquations> Stepper for Multistep<E> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.history.time()
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn stages(&self) -> usize {
        self.pace.order
    }

    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        self.scales.set(&self.y);
        self.attempted.t = to;
        self.attempted.error = 0.0;
        self.attempted.is_start = self.must_start();
        let (iterations, power) = if self.attempted.is_start {
            (self.attempt_start(to, count)?, self.starter.method().error_power)
        } else {
            (self.attempt_formula(to, count)?, (self.pace.order + 1) as f64)
        };
        Ok(Attempt { error: self.attempted.error, power, iterations })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, begun) = (self.attempted.t, self.history.time());
        if self.attempted.is_start {
            self.equations.project(t, &mut self.attempted.y, count)?;
        }
        self.equations.settle(t, &mut self.attempted.y, count)?;
        if self.attempted.is_start {
            self.accept_start(count);
        } else {
            self.accept_formula();
        }
        self.last_start = begun;
        self.y.copy_from_slice(&self.attempted.y);
        Ok(())
    }

    fn reject(&mut self, refresh: bool) {
        self.starter.reject(refresh);
        self.pace.reject();
        if refresh {
            self.newton.forget();
            self.blocks_age = None;
        }
        if self.pace.rejections >= FAILURES_BEFORE_RESTART {
            let t = self.history.time();
            self.history.restart(t, &self.y);
            self.starter.reject(true);
        }
    }

    fn prefers_same_step(&self) -> bool {
        false
    }

    fn springs(&self) -> Option<&str> {
        self.equations.springs()
    }

    fn warning(&self) -> Option<&str> {
        self.equations.warning()
    }

    fn longest_step(&self) -> f64 {
        self.equations.longest_step()
    }

    fn choose_order(&mut self, _factor: f64) -> bool {
        self.last_order != self.pace.order
    }

    fn next_factor(&self, _proposed: f64) -> f64 {
        self.pace.factor
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        let t = self.last_start + theta * (self.history.time() - self.last_start);
        self.equations.complete(t, y, count)
    }

    /// The polynomial of the formula.
    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let t = self.last_start + theta * (self.history.time() - self.last_start);
        self.history.combine(&self.history.weights(t)[..=self.last_order], y);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.equations.residuals()
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        self.equations.rate(&mut self.error);
        let (power, tolerance) = (self.starter.method().error_power, self.error_tolerance());
        let span = until - self.history.time();
        Ok(first_step(&self.scales, &self.layout, &self.y, &self.error, tolerance, power, span))
    }

    fn save(&mut self, snapshot: &mut Snapshot) {
        snapshot.put("t", &[self.history.time()]);
        snapshot.put("y", &self.y);
        self.history.save(snapshot);
        self.pace.save(snapshot);
        let blocks = if self.blocks_age.is_some() { self.equations.stages().blocks() } else { Vec::new() };
        snapshot.put("blocks", &blocks);
        let age = self.blocks_age.map_or(0.0, |age| age as f64);
        snapshot.put("factors", &[age, self.factored_for.unwrap_or(0.0)]);
        snapshot.put("newton", &self.newton.memory());
        snapshot.put("memory", self.equations.memory());
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let unusable = |failure: StepFailure| SnapshotError::Unusable(failure.to_string());
        let [t] = snapshot.numbers("t")?;
        snapshot.copy_to("y", &mut self.y)?;
        self.history.restore(snapshot)?;
        self.pace.restore(snapshot)?;
        self.newton.recall(snapshot.numbers("newton")?);
        let [age, leading] = snapshot.numbers("factors")?;
        self.factored_for = None;
        self.blocks_age = self.equations.stages().set_blocks(snapshot.get("blocks")?).then_some(age as usize);
        self.equations.recall(t, &self.y, snapshot.get("memory")?).map_err(unusable)?;
        if self.blocks_age.is_some() && leading != 0.0 {
            // Factors of another leading coefficient than the next one's: the same bits need the same matrix.
            let h = 1.0 / leading;
            let stages = self.equations.stages();
            stages.begin(t, h, &self.y, &self.stage, &self.unknowns);
            stages.factor(&self.stage, &mut Statistics::default()).map_err(unusable)?;
            self.factored_for = Some(leading);
        }
        self.last_start = t;
        self.last_order = self.pace.order;
        Ok(())
    }
}
