//! One step of a fully implicit Runge-Kutta method.

use super::failure::StepFailure;
use super::implicit_core::ImplicitCore;
use super::stage_equations::StepEquations;
use super::stepper::{Attempt, Stepper};
use crate::control::error_norm::Scales;
use crate::control::first_step::first_step;
use crate::control::smooth_step;
use crate::equations::Layout;
use crate::motion::Statistics;
use crate::options::{Controller, Options};
use crate::run::{Snapshot, SnapshotError};

/// RADAU5's share of the tolerance for Newton's iteration.
const CLASSICAL_SHARE: f64 = 0.03;

/// Where there are kinks, the estimate may be this share of the usual: errors of results are then no better than it.
const SHARE_ACROSS_KINKS: f64 = 0.2;

/// Steps of a fully implicit Runge-Kutta method, for whatever equations.
pub(crate) struct Collocation<E> {
    layout: Layout,
    core: ImplicitCore,
    equations: E,
    scales: Scales,
    options: Options,
    t: f64,
    y: Vec<f64>,
    rate: Vec<f64>,
    attempted: (f64, Vec<f64>),
    last: LastStep,
    /// a number of stages, and what [`Collocation::error_tolerance`] is for it without kinks
    tolerance_of: (usize, f64),
}

/// What the interpolation inside the last accepted step needs.
struct LastStep {
    h: f64,
    start: Vec<f64>,
    rates: Vec<f64>,
    /// what the projection changed
    shift: Vec<f64>,
}

impl<E: StepEquations> Collocation<E> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        mut equations: E,
        mut core: ImplicitCore,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = equations.layout();
        let mut y = y.to_vec();
        equations.complete(t, &mut y, count)?;
        equations.settle(t, &mut y, count)?;
        if options.constant_step.is_some() {
            core.take_constant_steps();
        }
        let last = LastStep { h: 0.0, start: y.clone(), rates: Vec::new(), shift: vec![0.0; layout.len()] };
        Ok(Collocation {
            layout,
            core,
            equations,
            scales: Scales::new(options.rtol, options.atol, layout.len()),
            options: options.clone(),
            t,
            rate: vec![0.0; layout.differential()],
            attempted: (t, y.clone()),
            last,
            tolerance_of: (0, 0.0),
            y,
        })
    }

    /// The tolerance of Newton's iteration.
    fn newton_tolerance(&mut self) -> f64 {
        match self.options.controller {
            Controller::Standard | Controller::Reversible => {
                self.options.newton.share_of_tolerance * self.scales.rtol()
            }
            Controller::Classical => {
                let internal = self.error_tolerance();
                internal * (10.0 * f64::EPSILON / internal).max(CLASSICAL_SHARE.min(internal.sqrt()))
            }
        }
    }

    /// How large the embedded error, O(h^(s+1)), may be for the error of the result, of order p, to be rtol.
    fn error_tolerance(&mut self) -> f64 {
        let method = self.core.method();
        if self.tolerance_of.0 != method.stages {
            let (s, p) = (method.stages as f64, method.order as f64);
            let rtol = self.scales.rtol();
            let tolerance = match self.options.controller {
                Controller::Classical => 0.1 * rtol.powf((s + 1.0) / (2.0 * s)),
                Controller::Standard | Controller::Reversible => {
                    self.options.steps.error_share * rtol.powf(((s + 1.0) / p).min(1.0))
                }
            };
            self.tolerance_of = (method.stages, tolerance);
        }
        let across_kinks = self.core.knows_kinks() && self.options.controller != Controller::Classical;
        self.tolerance_of.1 * if across_kinks { SHARE_ACROSS_KINKS } else { 1.0 }
    }
}

impl<E: StepEquations> Stepper for Collocation<E> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn give_away(&mut self, y: &mut [f64], count: &mut Statistics) {
        y.copy_from_slice(&self.y);
        self.equations.refine(self.t, y, count);
    }

    fn stages(&self) -> usize {
        self.core.method().stages
    }

    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = to - self.t;
        self.scales.set(&self.y);
        let tolerance = self.newton_tolerance();
        let start = (self.t, h, self.y.as_slice());
        let iterations = self.core.solve(self.equations.stages(), start, &self.scales, tolerance, count)?;
        let allowed = self.error_tolerance();
        let method = self.core.method();
        let (t, y) = &mut self.attempted;
        *t = to;
        self.equations.stages().end(method, &self.core.unknowns, y);
        self.equations.approach(method, to, y, count)?;
        let mut error = 0.0;
        if self.options.constant_step.is_none() {
            self.scales.widen(y);
            self.equations.expect_kinks(self.core.knows_kinks());
            error =
                self.equations.estimate(method, &self.core.unknowns, &self.scales, allowed, count)? / allowed;
        }
        Ok(Attempt {
            error,
            power: method.error_power,
            iterations: (iterations, self.core.most_iterations()),
        })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, y) = (self.attempted.0, &mut self.attempted.1);
        self.last.shift.copy_from_slice(y);
        self.equations.project(t, y, count)?;
        self.equations.settle(t, y, count)?;
        for (shift, y) in self.last.shift.iter_mut().zip(y.iter()) {
            *shift = y - *shift;
        }
        self.last.h = t - self.t;
        self.last.start.copy_from_slice(&self.y);
        let method = self.core.method();
        self.last.rates.resize(method.stages * self.layout.differential(), 0.0);
        self.equations.stage_rates(method, &self.core.unknowns, &mut self.last.rates);
        self.core.accept(self.last.h);
        if self.equations.turns_fast() {
            self.core.forget_blocks();
        }
        self.t = t;
        self.y.copy_from_slice(y);
        Ok(())
    }

    fn reject(&mut self, refresh: bool) {
        self.core.reject(refresh, self.equations.is_rough());
    }

    fn prefers_same_step(&self) -> bool {
        self.core.keeps_blocks()
    }

    fn knows_kinks(&self) -> bool {
        self.core.knows_kinks()
    }

    fn expect_kinks(&mut self) {
        self.core.expect_kinks();
    }

    fn next_factor(&self, proposed: f64) -> f64 {
        match self.options.controller {
            Controller::Standard | Controller::Reversible => proposed.min(self.core.largest_factor()),
            Controller::Classical => proposed,
        }
    }

    fn choose_order(&mut self, factor: f64) -> bool {
        self.core.choose_order(factor, self.scales.rtol())
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        self.equations.complete(self.t - (1.0 - theta) * self.last.h, y, count)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let (method, past) = self.core.past();
        let (differential, size) = (self.layout.differential(), past.unknowns.len() / method.stages);
        let mut weights = [0.0; taut_tableau::MOST_STAGES];
        let weights = &mut weights[..method.stages];
        method.integrated_lagrange(theta, weights);
        y.copy_from_slice(&self.last.start);
        let (integrated, multipliers) = y.split_at_mut(differential);
        for (weight, rates) in weights.iter().zip(self.last.rates.chunks_exact(differential)) {
            for (y, rate) in integrated.iter_mut().zip(rates) {
                *y += self.last.h * weight * rate;
            }
        }
        let smooth = smooth_step(theta);
        for (y, shift) in integrated.iter_mut().zip(&self.last.shift) {
            *y += smooth * shift;
        }
        method.lagrange(theta, weights);
        multipliers.fill(0.0);
        for (weight, unknowns) in weights.iter().zip(past.unknowns.chunks_exact(size)) {
            for (multiplier, value) in multipliers.iter_mut().zip(&unknowns[size - self.layout.m()..]) {
                *multiplier += weight * value;
            }
        }
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.equations.residuals()
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

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        self.equations.rate(&mut self.rate);
        let (power, tolerance) = (self.core.method().error_power, self.error_tolerance());
        Ok(first_step(&self.scales, &self.layout, &self.y, &self.rate, tolerance, power, until - self.t))
    }

    fn save(&mut self, snapshot: &mut Snapshot) {
        snapshot.put("t", &[self.t]);
        snapshot.put("y", &self.y);
        snapshot.put("memory", self.equations.memory());
        self.core.save(self.equations.stages(), snapshot);
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let [t] = snapshot.numbers("t")?;
        snapshot.copy_to("y", &mut self.y)?;
        self.core.restore(self.equations.stages(), snapshot)?;
        self.t = t;
        let recalled = self.equations.recall(t, &self.y, snapshot.get("memory")?);
        recalled.map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }
}
