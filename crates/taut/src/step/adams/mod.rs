//! Adams methods with variable step and variable order, for motion that is not stiff.
//!
//! Only the past of accelerations is kept: the polynomial through the newest k of them is integrated once for velocities
//! and twice for positions (Krogh 1969), at uneven times by the integrals of its products. The acceleration at the predicted
//! state, which is one evaluation with its saddle-point system, makes it a polynomial through k + 1 (Shampine and Gordon
//! 1975): order k + 1. The corrected state is moved onto its constraints, and the acceleration there is found with the
//! same factors, since both states differ by no more than an error of a step. First-order systems have rates instead
//! of accelerations, and are integrated once.
//!
//! A run begins with k = 1 and short steps; with constant steps, by steps of the pair of Dormand and Prince of order 8.

mod beginning;
mod choice;
mod formula;
mod integrals;

use std::ops::Range;
use std::sync::Arc;

use pulp::Arch;
use taut_tableau::Tableau;

use super::history::{BLOCK, History, MOST_COLUMNS, Weights};
use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::adams_pace::Pace;
use crate::control::error_norm::Scales;
use crate::control::first_step::Start;
use crate::control::smooth_step;
use crate::control::stiffness::StiffnessWatch;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::Options;
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::field::Field;
use beginning::Beginning;
use formula::{Places, combine, move_block};
use integrals::Integrals;

/// The most accelerations that a step is made from: the difference that judges the next order has one degree more.
const MOST_STEPS: usize = MOST_COLUMNS - 2;
/// The most of them with constant steps, where no order is asked for: order 8, that of the pair they begin with. Higher ones are
/// stable for short steps only.
const USUAL_CONSTANT_STEPS: usize = 7;

/// Steps from the past of accelerations.
pub(crate) struct Adams<F> {
    layout: Layout,
    /// where in the state that lies whose rates are remembered: velocities, or all variables
    remembered: Range<usize>,
    field: F,
    beginning: Beginning,
    scales: Scales,
    /// what the error of a step may be
    allowed: f64,
    constant_step: bool,
    history: History,
    pace: Pace,
    y: Vec<f64>,
    rate: Vec<f64>,
    attempted: Attempted,
    last: LastStep,
    stiffness: StiffnessWatch,
    arch: Arch,
}

/// The step that was computed last.
struct Attempted {
    t: f64,
    y: Vec<f64>,
    /// the rate at the predicted state
    rate: Vec<f64>,
    /// the rate at the corrected state, on its constraints
    projected_rate: Vec<f64>,
    /// the remembered rate at the predicted state less the one that was predicted: the new difference of degree k
    surprise: Vec<f64>,
    integrals: Integrals,
    weights: Weights,
    is_start: bool,
}

/// What the interpolation inside the last accepted step needs.
struct LastStep {
    t: f64,
    start: Vec<f64>,
    /// what the end differs by from the integrated polynomial
    shift: Vec<f64>,
    /// whether `shift` is known
    prepared: bool,
    /// the degree of the polynomial
    degree: usize,
}

impl<F: Field> Adams<F> {
    /// A stepper at a consistent state, with orders up to `order`, or with just this one. `beginning` is the one-step method
    /// that constant steps begin with.
    pub(crate) fn new(
        mut field: F,
        beginning: Arc<Tableau>,
        (order, fixed): (usize, bool),
        options: &Options,
        (t, y): (f64, &[f64]),
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = field.layout();
        let mut y = y.to_vec();
        let mut rate = vec![0.0; layout.differential()];
        field.project(t, &mut y, count)?;
        field.rate(t, &mut y, &mut rate, count)?;
        let remembered = if layout.is_mechanical() { layout.v() } else { layout.q() };
        let constant_step = options.constant_step.is_some();
        let most = if constant_step && !fixed { USUAL_CONSTANT_STEPS } else { MOST_STEPS };
        let highest = order.saturating_sub(1).clamp(1, most);
        Ok(Adams {
            layout,
            field,
            beginning: Beginning::new(beginning),
            scales: Scales::of(options, &layout),
            allowed: options.multistep.adams_error_share * options.rtol,
            constant_step,
            history: History::new(highest + 2, t, &rate[remembered.clone()]),
            pace: Pace::new(highest, fixed),
            attempted: Attempted {
                t,
                y: y.clone(),
                rate: rate.clone(),
                projected_rate: rate.clone(),
                surprise: vec![0.0; remembered.len()],
                integrals: Integrals::new(),
                weights: [0.0; MOST_COLUMNS],
                is_start: false,
            },
            last: LastStep {
                t,
                start: y.clone(),
                shift: vec![0.0; layout.differential()],
                prepared: true,
                degree: 0,
            },
            remembered,
            stiffness: StiffnessWatch::default(),
            arch: Arch::new(),
            y,
            rate,
        })
    }
}

impl<F: Field> Stepper for Adams<F> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        self.attempted.t = to;
        self.attempted.is_start = self.constant_step && !self.pace.is_complete(self.history.points());
        if self.attempted.is_start {
            self.attempt_start(to, count)?;
            return Ok(Attempt { error: 0.0, power: 1.0, iterations: (0, 0) });
        }
        let h = to - self.history.time();
        self.predict(to);
        self.field.rate(to, &mut self.attempted.y, &mut self.attempted.rate, count)?;
        self.correct(h);
        let k = self.pace.steps;
        let mut error = 0.0;
        if !self.constant_step {
            let compared = self.layout.differential();
            self.scales.set_between(&self.y[..compared], &self.attempted.y);
            error = self.attempted_error(k, h);
        }
        Ok(Attempt { error, power: (k + 1) as f64, iterations: (0, 0) })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, begun) = (self.attempted.t, self.history.time());
        self.attempted.projected_rate.copy_from_slice(&self.attempted.rate);
        self.field.project_with_rate(t, &mut self.attempted.y, &mut self.attempted.projected_rate, count)?;
        std::mem::swap(&mut self.rate, &mut self.attempted.projected_rate);
        self.last.t = begun;
        self.last.prepared = false;
        std::mem::swap(&mut self.last.start, &mut self.y);
        std::mem::swap(&mut self.y, &mut self.attempted.y);
        if self.attempted.is_start {
            self.history.push(t, &self.rate[self.remembered.clone()]);
        } else {
            self.history.push_weighted(t, &self.attempted.weights, &self.rate[self.remembered.clone()]);
        }
        self.last.degree = self.pace.steps.min(self.history.points() - 1);
        if self.attempted.is_start {
            self.last.degree = self.history.points() - 1;
        } else {
            self.watch_stiffness();
        }
        self.choose_pace(t - begun);
        Ok(())
    }

    fn reject(&mut self, refresh: bool) {
        let lower = !refresh && self.lower_is_better();
        if self.pace.reject(lower) {
            let t = self.history.time();
            self.history.restart(t, &self.rate[self.remembered.clone()]);
        }
    }

    fn next_length(&mut self, _proposed: &mut dyn FnMut() -> f64) -> NextLength {
        NextLength::by(self.pace.factor)
    }

    fn first_step(&mut self, until: f64, count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        let t = self.history.time();
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.y, rate: &self.rate };
        let mut y = self.y.clone();
        let later = |h: f64, rate: &mut [f64]| self.field.rate(t + h, &mut y, rate, count).is_ok();
        Ok(start.first_step_in_time(self.allowed, 2.0, until - t, later))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("t", &mut [&mut self.history.time()])?;
        fields.list("y", &mut self.y)?;
        fields.list("rate", &mut self.rate)?;
        self.history.fields(fields)?;
        self.pace.fields(fields)?;
        self.stiffness.fields(fields)?;
        fields.pivots(|pivots| self.field.exchange_pivots(pivots))
    }
}

impl<F: Field> Place for Adams<F> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.history.time()
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    /// With multipliers of this very state: the second evaluation has velocities from before their projection.
    fn give_away(&mut self, y: &mut [f64], count: &mut Statistics) {
        y.copy_from_slice(&self.y);
        if self.field.rate(self.history.time(), y, &mut self.attempted.rate, count).is_err() {
            y.copy_from_slice(&self.y);
        }
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.field.residuals(self.history.time(), &self.y)
    }
}

impl<F: Field> InsideStep for Adams<F> {
    fn prepare_interpolation(&mut self, _count: &mut Statistics) -> Result<(), StepFailure> {
        if self.last.prepared {
            return Ok(());
        }
        self.last.shift.fill(0.0);
        let mut end = std::mem::take(&mut self.attempted.y);
        self.interpolate(1.0, &mut end);
        for (shift, (end, y)) in self.last.shift.iter_mut().zip(end.iter().zip(&self.y)) {
            *shift = y - end;
        }
        self.attempted.y = end;
        self.last.prepared = true;
        Ok(())
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.prepare_interpolation(count)?;
        self.interpolate(theta, y);
        let t = self.last.t + theta * (self.history.time() - self.last.t);
        self.field.project(t, y, count)?;
        self.field.rate(t, y, &mut self.attempted.rate, count)
    }

    /// The integrated polynomial through the newest k + 1 accelerations.
    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let (times, degree) = (self.history.times(), self.last.degree);
        let h = theta * (times[0] - self.last.t);
        let mut spans = [0.0; MOST_COLUMNS];
        for (span, time) in spans.iter_mut().zip(times.iter().skip(1)) {
            *span = times[0] - time;
        }
        let mut integrals = Integrals::new();
        integrals.set((times, &spans), (self.last.t + h, h), degree);
        let mut combined = [[0.0; 2]; MOST_COLUMNS];
        for (j, combined) in combined[..=degree].iter_mut().enumerate() {
            *combined = [h * integrals.once[j], h * h * integrals.twice[j]];
        }
        let start = &self.last.start;
        y.copy_from_slice(start);
        let (n, is_mechanical) = (self.remembered.len(), self.layout.is_mechanical());
        for (past, i) in self.history.blocks().zip((0..n).step_by(BLOCK)) {
            let places = Places {
                velocity: self.remembered.start + i,
                position: is_mechanical.then_some(i),
                count: BLOCK.min(n - i),
            };
            move_block(start, h, combine(&combined[..=degree], past), places, y);
        }
        let smooth = smooth_step(theta);
        for (y, shift) in y.iter_mut().zip(&self.last.shift) {
            *y += smooth * shift;
        }
    }
}

impl<F: Field> Watched for Adams<F> {
    fn stages(&self) -> usize {
        self.pace.steps + 1
    }

    fn stiffness(&mut self) -> Option<&mut StiffnessWatch> {
        Some(&mut self.stiffness)
    }
}
