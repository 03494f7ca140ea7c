//! One step of a fully implicit Runge-Kutta method.

use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::error_norm::{Scales, larger};
use crate::control::first_step::Start;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::inside::collocation::Inside;
use crate::motion::Statistics;
use crate::newton::implicit_core::ImplicitCore;
use crate::options::{Controller, Options};
use crate::snapshot::{Fields, Snapshot, SnapshotError};
use crate::springs::TreatedSprings;
use crate::stages::stage_equations::StepEquations;
use crate::system::Fault;

/// RADAU5's share of the tolerance for Newton's iteration.
const CLASSICAL_SHARE: f64 = 0.03;

/// Where there are kinks, the estimate may be this share of the usual: errors of results are then no better than it.
const SHARE_ACROSS_KINKS: f64 = 0.2;

/// The inside of a step is O(h^(s+1)) from the solution, as the estimate is; its end is far better with many stages. So many
/// tolerances are good enough for those who look inside.
const GOOD_INSIDE: f64 = 5.0;

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
    /// the end of the step, the state there, and the norm of the error estimate
    attempted: (f64, Vec<f64>, f64),
    /// whether nothing but the error of stiff components may have been too large in it: that says nothing about smoothness
    only_stiff: bool,
    /// length of the attempt before, from the same state, and the error of stiff components in it; 0 where there was none
    stiff_before: (f64, f64),
    /// the last accepted step
    last: Inside,
    /// the same step taken again as two, where somebody looks into it and its own polynomial is not good enough
    halves: Vec<Inside>,
    refined: bool,
    /// a number of stages, and what [`Collocation::error_tolerance`] is for it without kinks
    tolerance_of: (usize, f64),
}

impl<E: StepEquations> Collocation<E> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        mut equations: E,
        core: ImplicitCore,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let mut y = y.to_vec();
        equations.complete(t, &mut y, count)?;
        equations.settle(t, &mut y, count)?;
        Ok(Self::settled(equations, core, options, t, y))
    }

    /// A stepper at a state at which the equations are ready.
    pub(crate) fn settled(
        equations: E,
        mut core: ImplicitCore,
        options: &Options,
        t: f64,
        y: Vec<f64>,
    ) -> Self {
        let layout = equations.layout();
        if options.constant_step.is_some() {
            core.take_constant_steps(options.solves_to_rounding());
        }
        Collocation {
            layout,
            core,
            equations,
            scales: Scales::of(options, &layout),
            options: options.clone(),
            t,
            rate: vec![0.0; layout.differential()],
            attempted: (t, y.clone(), 0.0),
            only_stiff: false,
            stiff_before: (0.0, 0.0),
            last: Inside::default(),
            halves: Vec::new(),
            refined: true,
            tolerance_of: (0, 0.0),
            y,
        }
    }

    /// The equations of its steps.
    pub(crate) fn equations(&self) -> &E {
        &self.equations
    }

    /// The nodes of the next step.
    pub(crate) fn nodes(&self) -> &[f64] {
        &self.core.method().c
    }

    /// The next step is predicted from its beginning alone.
    pub(crate) fn forget_past(&mut self) {
        self.core.forget_past();
    }

    /// The tolerance of Newton's iteration.
    fn newton_tolerance(&mut self) -> f64 {
        match self.options.controller {
            Controller::Standard | Controller::Reversible => self.options.newton_tolerance(),
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

    /// Takes the last accepted step again as two of half its length, whose polynomials are better by 2^(s+1), and comes back.
    /// Nothing changes for the steps that follow.
    fn take_again_as_two(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (mut here, until, end) = (Snapshot::default(), self.t, self.y.clone());
        self.fields(&mut Fields::Saved(&mut here)).map_err(|error| unusable(until, &error))?;
        let whole = std::mem::take(&mut self.last);
        let mut halves = Vec::with_capacity(2);
        let taken = self.take_halves(&whole, until, &mut halves, count);
        if let Some(second) = halves.get_mut(1) {
            for ((shift, end), y) in second.shift.iter_mut().zip(&end).zip(&self.y) {
                *shift += end - y;
            }
        }
        self.last = whole;
        // Where half a step fails, its whole has to do.
        self.halves = if taken.is_ok() { halves } else { Vec::new() };
        self.refined = true;
        self.fields(&mut Fields::Restored(&here)).map_err(|error| unusable(until, &error))
    }

    fn take_halves(
        &mut self,
        whole: &Inside,
        until: f64,
        halves: &mut Vec<Inside>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.t = until - whole.h;
        self.y.copy_from_slice(&whole.start);
        self.equations.recall(self.t, &self.y, &whole.memory);
        self.core.begin_last_step_again();
        for to in [until - 0.5 * whole.h, until] {
            self.attempt(to, count)?;
            self.accept(count)?;
            halves.push(std::mem::take(&mut self.last));
        }
        Ok(())
    }
}

/// What belongs to a step of the error of stiff components in it. Where a step begins beside what such components follow, for the
/// errors of earlier ones, the estimate sees the distance, and no shorter step makes that smaller: of two lengths from the same state
/// it is what both have in common. It is no error at the end of the step.
fn own_part(((before, larger), (h, stiff)): ((f64, f64), (f64, f64)), power: f64) -> f64 {
    let falls = (h / before).abs().powf(power);
    if stiff < 1.0 || larger == 0.0 || falls >= 1.0 {
        return stiff;
    }
    (larger - stiff).max(0.0) * falls / (1.0 - falls)
}

fn unusable(t: f64, error: &SnapshotError) -> StepFailure {
    Fault::OutsideDomain { t, reason: error.to_string() }.into()
}

impl<E: StepEquations> Stepper for Collocation<E> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = to - self.t;
        self.scales.set(&self.y);
        let tolerance = self.newton_tolerance();
        let start = (self.t, h, self.y.as_slice());
        let iterations = self.core.solve(self.equations.stages(), start, &self.scales, tolerance, count)?;
        let allowed = self.error_tolerance();
        let method = self.core.method();
        let (t, y, estimated) = &mut self.attempted;
        *t = to;
        self.equations.stages().end(method, &self.core.unknowns, y);
        self.equations.approach(method, to, y, count)?;
        let mut error = 0.0;
        if self.options.constant_step.is_none() {
            self.scales.widen(y);
            self.equations.weigh(&self.scales);
            self.equations.expect_kinks(self.core.knows_kinks());
            *estimated =
                self.equations.estimate(method, &self.core.unknowns, &self.scales, allowed, count)?;
            error = *estimated / allowed;
            self.only_stiff = error < 1.0;
            let stiff = self.equations.error_of_stiff_components();
            let own = own_part((self.stiff_before, (h, stiff)), method.error_power);
            self.stiff_before = (h, stiff);
            error = larger(error, own);
        }
        Ok(Attempt {
            error,
            power: method.error_power,
            iterations: (iterations, self.core.most_iterations()),
        })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, y) = (self.attempted.0, &mut self.attempted.1);
        self.last.begin(&mut self.equations, t - self.t, &self.y, y);
        self.equations.project(t, y, count)?;
        self.equations.settle(t, y, count)?;
        self.last.end(&self.equations, self.core.numbered_method(), &self.core.unknowns, y);
        self.halves.clear();
        self.refined =
            self.options.constant_step.is_some() || self.attempted.2 <= GOOD_INSIDE * self.scales.rtol();
        self.core.accept(self.last.h);
        self.stiff_before = (0.0, 0.0);
        if self.equations.turns_fast() {
            self.core.forget_blocks();
        }
        self.t = t;
        self.y.copy_from_slice(y);
        Ok(())
    }

    fn reject(&mut self, refresh: bool) {
        if refresh || !self.only_stiff {
            self.core.reject(refresh, self.equations.is_rough());
        }
    }

    fn leave_smooth_motion(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.stiff_before = (0.0, 0.0);
        self.equations.leave_smooth_motion(self.t, &mut self.y, count)
    }

    fn next_length(&mut self, proposed: &mut dyn FnMut() -> f64) -> NextLength {
        let factor = match self.options.controller {
            Controller::Standard | Controller::Reversible => proposed().min(self.core.largest_factor()),
            Controller::Classical => proposed(),
        };
        let order_changed = self.core.choose_order(factor, self.scales.rtol());
        NextLength { factor, same_is_cheaper: !order_changed && self.core.keeps_blocks() }
    }

    fn first_step(&mut self, until: f64, count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        self.equations.rate(&mut self.rate);
        let (power, tolerance) = (self.core.method().error_power, self.error_tolerance());
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.y, rate: &self.rate };
        let later = |h: f64, rate: &mut [f64]| self.equations.rate_later(self.t + h, rate, count);
        Ok(start.first_step_in_time(tolerance, power, until - self.t, later))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("t", &mut [&mut self.t])?;
        fields.list("y", &mut self.y)?;
        if fields.restored().is_some() {
            self.attempted.1.copy_from_slice(&self.y);
        }
        self.core.fields(self.equations.stages(), fields)?;
        self.equations.fields(self.t, &self.y, fields)
    }
}

impl<E: StepEquations> Place for Collocation<E> {
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

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.equations.residuals()
    }
}

impl<E: StepEquations> InsideStep for Collocation<E> {
    fn refine_interpolation(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        if self.refined { Ok(()) } else { self.take_again_as_two(count) }
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.refine_interpolation(count)?;
        self.interpolate(theta, y);
        self.equations.complete(self.t - (1.0 - theta) * self.last.h, y, count)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let (inside, theta) = match self.halves.as_slice() {
            [first, _] if theta < 0.5 => (first, 2.0 * theta),
            [_, second] => (second, 2.0 * theta - 1.0),
            _ => (&self.last, theta),
        };
        inside.at(self.core.methods(), &self.layout, theta, y);
    }
}

impl<E: StepEquations> Watched for Collocation<E> {
    fn stages(&self) -> usize {
        self.core.method().stages
    }

    fn knows_kinks(&self) -> bool {
        self.core.knows_kinks()
    }

    fn expect_kinks(&mut self) {
        self.core.expect_kinks();
    }

    fn springs(&self) -> Option<&dyn TreatedSprings> {
        self.equations.springs()
    }

    fn warning(&self) -> Option<&str> {
        self.equations.warning()
    }
}

#[cfg(test)]
mod tests {
    use super::own_part;

    #[test]
    fn a_distance_that_no_step_makes_smaller_is_no_error_of_the_step() {
        // the first attempt, and one that is small enough
        assert_eq!(own_part(((0.0, 0.0), (0.1, 5.0)), 6.0), 5.0);
        assert_eq!(own_part(((0.1, 5.0), (0.05, 0.5)), 6.0), 0.5);
        // a distance of 3 beside errors of 64 and 1
        assert!((own_part(((0.1, 67.0), (0.05, 4.0)), 6.0) - 1.0).abs() < 1e-12);
        // a distance alone
        assert_eq!(own_part(((0.1, 3.0), (0.05, 3.0)), 6.0), 0.0);
    }
}
