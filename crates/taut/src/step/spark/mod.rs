//! One step of a SPARK method (Jay 1998, Definition 4.1): structure is preserved, force by force.

mod checkpoint;

mod partitioned;
mod reversible;
mod solving;
#[cfg(test)]
mod tests;

pub(crate) use partitioned::PartitionedStep;

use super::stepper::Stepper;
use crate::control::Attempt;
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::control::first_step::Start;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::inside::spark::Past;
use crate::motion::Statistics;
use crate::newton::iteration::Iteration;
use crate::options::{Controller, Multipliers, Options};
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::spark::arrived::Arrived;
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::equations::SparkEquations;
use crate::stages::spark::frozen::FrozenMatrix;
use crate::stages::spark::matrix::SparkMatrix;
use crate::system::MechanicalSystem;
use reversible::LengthSpace;

/// Matrices up to this size are factored sooner than a few more iterations are made with a frozen one.
const SMALL_MATRIX: usize = 30;
/// Steps of a SPARK method for a mechanical system.
///
/// The equations are solved to rounding: then constraints hold to rounding after every step by construction, and with
/// constant steps and conservative forces the step is symplectic and symmetric.
pub(crate) struct SparkStep<'a> {
    layout: Layout,
    equations: SparkEquations<'a>,
    /// Newton's matrix with one M and one G for all stages, where it is worth trying
    frozen: Option<FrozenMatrix>,
    /// Newton's whole matrix, since it was needed first
    matrix: Option<Box<SparkMatrix>>,
    iteration: Iteration,
    /// the constraints at the end of the step
    manifold: Manifold<'a>,
    /// that is where the next step begins
    manifold_is_here: bool,
    /// the constraints at interpolated states
    elsewhere: Manifold<'a>,
    scales: Scales,
    options: Options,
    t: f64,
    here: Arrived,
    /// the end of the step that was attempted
    attempted: (f64, Arrived),
    /// the unknowns of that step
    x: Vec<f64>,
    /// the length of the step that Newton's matrix was factored for
    factored_for: Option<f64>,
    past: Past,
    /// accelerations of an interpolated state
    sampled_a: Vec<f64>,
    /// multipliers (17h) where they are not wanted
    recomputed: Vec<f64>,
    errors: (Vec<f64>, Vec<f64>),
    length_space: LengthSpace,
}

impl<'a> SparkStep<'a> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        system: &'a dyn MechanicalSystem,
        method: SparkCoefficients,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let usual_weights = options.spark.error_weights.is_none();
        let reversible = options.controller == Controller::Reversible;
        let method = if reversible && usual_weights { method.with_symmetric_weights() } else { method };
        let equations = SparkEquations::new(system, method);
        let (unknowns, n) = (equations.unknowns, equations.unknowns.n);
        let layout = Layout::mechanical(n, unknowns.m);
        let mut step = SparkStep {
            layout,
            frozen: None,
            matrix: None,
            iteration: Iteration::new(options, unknowns.len()),
            equations,
            manifold: Manifold::new(system, options.linear),
            manifold_is_here: false,
            elsewhere: Manifold::new(system, options.linear),
            scales: Scales::of(options, &layout),
            options: options.clone(),
            t,
            here: Arrived::at(y, n),
            attempted: (t, Arrived::at(y, n)),
            x: vec![0.0; unknowns.len()],
            factored_for: None,
            past: Past::none(layout, unknowns, y),
            sampled_a: vec![0.0; n],
            recomputed: vec![0.0; unknowns.m],
            errors: (vec![0.0; n], vec![0.0; n]),
            length_space: LengthSpace::new(unknowns.len(), n),
        };
        if !step.is_reversible() && !options.spark.whole_matrix && unknowns.len() > SMALL_MATRIX {
            step.frozen = FrozenMatrix::new(&step.equations, options.linear);
        }
        step.put_on_constraints(count)?;
        let (q, v, _) = layout.split(&step.attempted.1.y);
        step.manifold.evaluate_geometry(t, q, v)?;
        step.manifold.factor(count)?;
        step.begin_here(count)?;
        Ok(step)
    }

    /// Moves the state at which a run begins onto its constraints: a step takes g(q₀) = 0 for granted.
    fn put_on_constraints(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, (q, v, _)) = (self.t, self.layout.split_mut(&mut self.attempted.1.y));
        self.manifold.evaluate_geometry(t, q, v)?;
        self.manifold.factor(count)?;
        self.manifold.project_positions(t, q, count)?;
        self.manifold.project_velocities(t, q, v, count)?;
        let Arrived { y, p, .. } = &mut self.attempted.1;
        let (q, v, _) = self.layout.split(y);
        Ok(self.equations.momentum(q, v, p)?)
    }

    /// Makes the attempted state that at which the next step begins; M and G were evaluated and factored there.
    fn begin_here(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split(&self.attempted.1.y);
        self.manifold.evaluate_motion(self.attempted.0, q, v, count)?;
        self.settle(count)?;
        self.here.copy_from(&self.attempted.1);
        self.manifold_is_here = true;
        Ok(())
    }

    /// Finds accelerations and multipliers (17h) at the end of the attempted step, which was evaluated.
    fn settle(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, Arrived { y, a, .. }) = &mut self.attempted;
        let (_, _, lambda) = self.layout.split_mut(y);
        match self.options.multipliers {
            Multipliers::FromAccelerations => {
                self.recomputed.copy_from_slice(lambda);
                self.manifold.accelerations(*t, a, lambda, 1, count)?;
                let (_, _, before) = self.layout.split(&self.here.y);
                if is_transient(lambda, &self.recomputed, before) {
                    lambda.copy_from_slice(&self.recomputed);
                }
                Ok(())
            }
            Multipliers::FromStages => {
                // u₁ := U_s (Jay 1998, section 4.3) stays; what (17h) gives is not wanted.
                self.recomputed.copy_from_slice(lambda);
                self.manifold.accelerations(*t, a, &mut self.recomputed, 1, count)
            }
        }
    }

    /// Takes the end of a step to the time `to` from its unknowns.
    fn arrive(&mut self, to: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        let (h, unknowns, stages) = (self.equations.h, self.equations.unknowns, self.stages());
        self.equations.ends = true;
        let evaluated = self.equations.evaluate(&self.x, count);
        self.equations.ends = false;
        evaluated?;
        self.manifold_is_here = false;
        if let Some((mass, jacobian)) = self.equations.geometry_of_end() {
            self.manifold.adopt(mass, jacobian);
            self.manifold.factor(count)?;
        }
        if self.equations.stages_alone {
            let manifold = &self.manifold;
            self.equations.find_end(&mut self.x, |system| manifold.solve(system, count))?;
        }
        let (t, end) = &mut self.attempted;
        *t = to;
        self.equations.end(&self.x, end);
        let (q, v, lambda) = self.layout.split_mut(&mut end.y);
        v.copy_from_slice(&self.x[unknowns.velocities(stages)]);
        for (lambda, impulse) in lambda.iter_mut().zip(&self.x[unknowns.multipliers(stages - 1)]) {
            *lambda = impulse / h;
        }
        if self.equations.geometry_of_end().is_none() {
            self.manifold.evaluate_geometry(to, q, v)?;
            self.manifold.factor(count)?;
        }
        if self.equations.force_of_end(&mut self.sampled_a) {
            return self.manifold.adopt_force(to, q, v, &self.sampled_a);
        }
        self.manifold.evaluate_motion(to, q, v, count)
    }

    /// The length of a step to the time `to`. Constant steps all have the same one: time is rounded, and the difference of
    /// two times late in a long run says little about a short step.
    fn length(&self, to: f64) -> f64 {
        let h = to - self.t;
        let rounding = 4.0 * f64::EPSILON * to.abs().max(self.t.abs());
        match self.options.constant_step.map(f64::abs) {
            Some(constant) if (h.abs() - constant).abs() <= rounding => constant.copysign(h),
            _ => h,
        }
    }

    /// Whether the lengths of steps are found by [`Self::solve_with_length`].
    fn is_reversible(&self) -> bool {
        self.options.controller == Controller::Reversible && self.options.constant_step.is_none()
    }

    /// How large the error estimate, O(h^(p̃+1)), may be for the error of the result, O(h^(2s-2)), to be rtol.
    fn error_tolerance(&self) -> f64 {
        let s = self.equations.unknowns.stages as f64;
        self.options.steps.error_share * self.scales.rtol().powf(self.error_power() / (2.0 * s - 2.0))
    }

    /// p̃ + 1 of the error estimate
    fn error_power(&self) -> f64 {
        self.equations.method.error_power
    }

    /// The norm of the error estimate (38), its momenta as velocities along the constraints.
    fn error(&mut self, count: &mut Statistics) -> f64 {
        let (of_q, of_v) = (&mut self.errors.0, &mut self.errors.1);
        self.equations.estimate(&self.x, of_q, of_v);
        self.manifold.project_tangent(of_q, count);
        self.manifold.tangent_velocities(of_v, count);
        let (q_scales, v_scales, _) = self.layout.split(self.scales.inverse());
        let square = larger(weighted_square(of_q, q_scales), weighted_square(of_v, v_scales));
        root_mean(square, self.layout.n())
    }
}

/// Accelerations at the end of a step that give multipliers so many times as large as those of the stages are over at once.
const OVER_AT_ONCE: f64 = 100.0;

/// Whether multipliers of accelerations are those of a transient: strong friction answers to what a step leaves of velocities
/// with forces that the stages, which damp them, do not see.
fn is_transient(recomputed: &[f64], of_stages: &[f64], before: &[f64]) -> bool {
    let size = |x: &[f64]| x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let (stages, before) = (size(of_stages), size(before));
    size(recomputed) > OVER_AT_ONCE * stages.max(before) && stages > 0.0
}

impl Stepper for SparkStep<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.here.y
    }

    fn stages(&self) -> usize {
        self.equations.unknowns.stages
    }

    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = self.length(to);
        self.scales.set(&self.here.y);
        self.solve(h, count)?;
        self.arrive(to, count)?;
        let mut error = 0.0;
        if self.options.constant_step.is_none() {
            self.scales.widen(&self.attempted.1.y);
            error = self.error(count) / self.error_tolerance();
        }
        // Newton goes on to rounding whatever the step: its iterations say nothing about the next one.
        Ok(Attempt { error, power: self.error_power(), iterations: (1, 1) })
    }

    fn attempt_near(&mut self, to: f64, until: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        if !self.is_reversible() {
            return self.attempt(to, count);
        }
        let (rest, attempt) =
            (until - self.t, Attempt { error: 0.0, power: self.error_power(), iterations: (1, 1) });
        let longest = self.options.largest_step.unwrap_or(f64::INFINITY).min(2.0 * rest.abs());
        self.scales.set(&self.here.y);
        let h = self.solve_with_length((to - self.t).abs().min(longest).copysign(rest), longest, count)?;
        if rest.abs() <= self.options.steps.stretch_last * h.abs() {
            self.solve(rest, count)?;
            self.arrive(until, count)?;
        } else {
            self.arrive(self.t + h, count)?;
        }
        Ok(attempt)
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.settle(count)?;
        let (t, end) = &self.attempted;
        self.equations.keep_last_forces();
        self.past.record(self.equations.h, &self.here, &self.x);
        if let Some(frozen) = &mut self.frozen {
            frozen.count_step();
        }
        self.t = *t;
        self.here.copy_from(end);
        self.manifold_is_here = true;
        if self.iteration.contraction > self.options.newton.keep_blocks_below {
            self.factored_for = None;
        }
        Ok(())
    }

    fn reject(&mut self, _refresh: bool) {
        self.factored_for = None;
    }

    fn prefers_same_step(&self) -> bool {
        self.factored_for.is_some()
    }

    fn choose_order(&mut self, _factor: f64) -> bool {
        false
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        let t = self.t - (1.0 - theta) * self.past.h;
        let (q, v, lambda) = self.layout.split_mut(y);
        self.elsewhere.evaluate_geometry(t, q, v)?;
        self.elsewhere.factor(count)?;
        self.elsewhere.project_positions(t, q, count)?;
        self.elsewhere.project_velocities(t, q, v, count)?;
        if self.options.multipliers == Multipliers::FromAccelerations {
            self.elsewhere.evaluate(t, q, v, count)?;
            self.elsewhere.accelerations(t, &mut self.sampled_a, lambda, 2, count)?;
        }
        Ok(())
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        self.past.interpolate(&self.here, theta, y);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        // Not on the manifold where the next step begins: its M and G, as the last stage had them, stay as they were factored.
        let (q, v, _) = self.layout.split(&self.here.y);
        self.elsewhere.residuals(self.t, q, v, &self.here.a)
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.here.y);
        let rate = [&self.here.y[self.layout.v()], &self.here.a].concat();
        let (tolerance, power, span) = (self.error_tolerance(), self.error_power(), until - self.t);
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.here.y, rate: &rate };
        Ok(start.first_step(tolerance, power, span))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        self.exchange(fields)
    }
}
