//! Backward differentiation formulas with variable step and variable order.
//!
//! The polynomial through the new state and the newest k states satisfies the equations at the new time:
//! y' = c₀ (y − y*), with the leading coefficient c₀ = Σ 1/(tₙ₊₁ − tₙ₊₁₋ᵢ), i = 1 … k, and y* from the past. So a step is one
//! stage y = y* + (1/c₀) y' of a diagonally implicit method, and is solved as such; the coefficients follow the uneven
//! times exactly (Brenan, Campbell and Petzold 1996, section 5.2).
//!
//! A run begins with one step of Radau IIA with three stages, whose stages are a past for order 3.

mod beginning;
mod choice;
mod formula;

use super::history::{COLUMNS, History};
use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::bdf_pace::Pace;
use crate::control::error_norm::Scales;
use crate::control::first_step::Start;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::newton::implicit_core::ImplicitCore;
use crate::newton::reuse::{Factored, Policy, Reuse};
use crate::newton::simplified::Newton;
use crate::options::Options;
use crate::snapshot::{Fields, SnapshotError};
use crate::springs::TreatedSprings;
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StepEquations;

/// After so many failures in a row the past is forgotten: there is a kink.
const FAILURES_BEFORE_RESTART: usize = 4;
/// After so many failures in a row it is not the length of the step that hinders Newton's iteration.
const PATIENT_AFTER: usize = 2;
/// Smaller errors of a step are lost in the rounding of differences: on the squeezer 3e-13 leads to steps without end.
const LEAST_ERROR: f64 = 6e-13;
/// What users are told who ask for more.
const LEAST_TOLERANCE_TOLD: &str = "bdf takes the steps of a tolerance of 1.9e-10: smaller errors of a step are lost in the \
                                    rounding of differences; radau is more accurate";
/// Newton's iteration is not asked for more than this.
const LEAST_NEWTON_TOLERANCE: f64 = 100.0 * f64::EPSILON;
/// Newton's iteration may stand still at so many times its tolerance: rounding.
const STANDSTILL: f64 = 10.0;

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
    /// blocks, and factors for leading coefficients
    reuse: Reuse,
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
        (t, y): (f64, &[f64]),
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = equations.layout();
        let mut y = y.to_vec();
        equations.complete(t, &mut y, count)?;
        equations.settle(t, &mut y, count)?;
        let mut newton = Newton::new(options.newton.clone()).mind_friction();
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
            scales: Scales::of(options, &layout),
            options: options.clone(),
            history: History::new(COLUMNS, t, &y),
            pace: Pace::new(order, fixed, options.multistep.margin),
            predicted: vec![0.0; length],
            past: vec![0.0; length],
            error: vec![0.0; layout.differential()],
            attempted: Attempted { t, y: y.clone(), is_start: true, error: 0.0 },
            reuse: Reuse::new(Policy::multistep(&options.multistep)),
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
        let options = &self.options.multistep;
        (options.error_share * self.scales.rtol().powf(options.error_power)).max(LEAST_ERROR)
    }

    /// What Newton's last update may be.
    fn newton_tolerance(&self) -> f64 {
        if self.options.solves_to_rounding() {
            return LEAST_NEWTON_TOLERANCE;
        }
        (self.options.multistep.newton_share * self.error_tolerance()).max(LEAST_NEWTON_TOLERANCE)
    }
}

impl<E: StepEquations> Multistep<E> {
    /// Goes on from a snapshot of time t, whose factors were those of such a leading coefficient.
    fn go_on(&mut self, t: f64, leading: f64) -> Result<(), SnapshotError> {
        if self.reuse.age().is_some() && leading != 0.0 {
            // Factors of another leading coefficient than the next one's: the same bits need the same matrix.
            let start = (t, 1.0 / leading, self.y.as_slice());
            self.equations.factor_again(&self.stage, start, &self.unknowns)?;
            self.reuse.factored_again(Factored { length: leading, method: 0 });
        }
        (self.last_start, self.last_order) = (t, self.pace.order);
        Ok(())
    }
}

impl<E: StepEquations> Stepper for Multistep<E> {
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
        self.starter.reject(refresh, false);
        self.pace.reject();
        if refresh {
            self.newton.forget();
            self.reuse.forget_blocks();
        }
        if self.pace.rejections >= FAILURES_BEFORE_RESTART {
            let t = self.history.time();
            self.history.restart(t, &self.y);
            self.starter.reject(true, false);
        }
    }

    /// What is known of the past are states on smooth motion: a formula through them would go on like that.
    fn leave_smooth_motion(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let t = self.history.time();
        self.equations.leave_smooth_motion(t, &mut self.y, count)?;
        self.history.restart(t, &self.y);
        Ok(())
    }

    fn next_length(&mut self, _proposed: &mut dyn FnMut() -> f64) -> NextLength {
        NextLength::by(self.pace.factor)
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        self.equations.rate(&mut self.error);
        let (power, tolerance) = (self.starter.method().error_power, self.error_tolerance());
        let span = until - self.history.time();
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.y, rate: &self.error };
        Ok(start.first_step(tolerance, power, span))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let mut t = self.history.time();
        fields.entry("t", &mut [&mut t])?;
        fields.list("y", &mut self.y)?;
        self.history.fields(fields)?;
        self.pace.fields(fields)?;
        let ([eta, contraction], [failures, rejections]) = (self.newton.memory(), self.starter.troubles());
        fields.entry("newton", &mut [eta, contraction])?;
        fields.entry("starter", &mut [failures, rejections])?;
        let mut age = self.reuse.age().unwrap_or(0);
        let mut leading = self.reuse.kept().map_or(0.0, |factored| factored.length);
        fields.entry("factors", &mut [&mut age, &mut leading])?;
        self.reuse.blocks(self.equations.stages(), age, fields)?;
        self.equations.fields(t, &self.y, fields)?;
        match fields.restored() {
            Some(_) => self.go_on(t, leading),
            None => Ok(()),
        }
    }
}

impl<E: StepEquations> Place for Multistep<E> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.history.time()
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn give_away(&mut self, y: &mut [f64], count: &mut Statistics) {
        y.copy_from_slice(&self.y);
        self.equations.refine(self.history.time(), y, count);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.equations.residuals()
    }
}

impl<E: StepEquations> InsideStep for Multistep<E> {
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
}

impl<E: StepEquations> Watched for Multistep<E> {
    fn stages(&self) -> usize {
        self.pace.order
    }

    fn springs(&self) -> Option<&dyn TreatedSprings> {
        self.equations.springs()
    }

    fn warning(&self) -> Option<&str> {
        let options = &self.options.multistep;
        let asked = options.error_share * self.scales.rtol().powf(options.error_power);
        let rounding = asked < LEAST_ERROR && !self.takes_constant_steps();
        self.equations.warning().or(rounding.then_some(LEAST_TOLERANCE_TOLD))
    }
}
