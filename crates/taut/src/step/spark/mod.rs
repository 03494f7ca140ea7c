//! One step of a SPARK method (Jay 1998, Definition 4.1): structure is preserved, force by force.

mod coefficients;
mod equations;
mod hermite;
mod iteration;
mod matrix;
mod unknowns;

pub(crate) use coefficients::SparkCoefficients;

use taut_tableau::{Spark, TableauError};

use super::failure::StepFailure;
use super::manifold::Manifold;
use super::stepper::{Attempt, Stepper};
use crate::control::error_norm::{Scales, root_mean, weighted_square};
use crate::control::first_step::first_step;
use crate::equations::Layout;
use crate::method::{SparkOptions, Treatment};
use crate::motion::Statistics;
use crate::options::{Multipliers, Options};
use crate::run::{Snapshot, SnapshotError};
use crate::system::Mechanism;
use equations::SparkEquations;
use iteration::Iteration;
use matrix::SparkMatrix;

/// A step is predicted from the last one when it is at most so many times as long.
const LONGEST_EXTRAPOLATION: f64 = 2.0;

/// Steps of a SPARK method for a mechanical system.
///
/// The equations are solved to rounding: then constraints hold to rounding after every step by construction, and with
/// constant steps and conservative forces the step is symplectic and symmetric.
pub(crate) struct SparkStep<'a> {
    layout: Layout,
    equations: SparkEquations<'a>,
    matrix: SparkMatrix,
    iteration: Iteration,
    /// the constraints at the end of the step
    manifold: Manifold<'a>,
    /// the constraints at interpolated states
    elsewhere: Manifold<'a>,
    scales: Scales,
    options: Options,
    t: f64,
    y: Vec<f64>,
    a: Vec<f64>,
    attempted: Attempted,
    /// the unknowns of the step that is computed
    x: Vec<f64>,
    /// the length of the step that Newton's matrix was factored for
    factors: Option<f64>,
    /// length and unknowns of the last accepted step; length 0 when there was none
    past: (f64, Vec<f64>),
    /// state and accelerations at the beginning of the last accepted step
    start: (Vec<f64>, Vec<f64>),
    /// accelerations of an interpolated state
    sampled_a: Vec<f64>,
    /// multipliers (17h) where they are not wanted
    recomputed: Vec<f64>,
    /// states on the continuation of the last step
    along: Vec<f64>,
    errors: (Vec<f64>, Vec<f64>),
}

/// The end of a step that is not accepted yet.
struct Attempted {
    t: f64,
    y: Vec<f64>,
    a: Vec<f64>,
}

impl<'a> SparkStep<'a> {
    /// The coefficients of a method with these options.
    pub(crate) fn coefficients(
        spark: &Spark,
        treatment: Treatment,
        options: &SparkOptions,
    ) -> Result<SparkCoefficients, TableauError> {
        SparkCoefficients::new(spark, treatment, options)
    }

    /// A stepper at a consistent state.
    pub(crate) fn new(
        system: &'a dyn Mechanism,
        method: SparkCoefficients,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let equations = SparkEquations::new(system, method);
        let (unknowns, n) = (equations.unknowns, equations.unknowns.n);
        let layout = Layout::mechanical(n, unknowns.m);
        let zeros = || vec![0.0; n];
        let mut step = SparkStep {
            layout,
            matrix: SparkMatrix::new(&equations, options.linear),
            iteration: Iteration::new(options, unknowns.len()),
            equations,
            manifold: Manifold::new(system, options.linear),
            elsewhere: Manifold::new(system, options.linear),
            scales: Scales::new(options.rtol, options.atol, layout.len()),
            options: options.clone(),
            t,
            y: y.to_vec(),
            a: zeros(),
            attempted: Attempted { t, y: y.to_vec(), a: zeros() },
            x: vec![0.0; unknowns.len()],
            factors: None,
            past: (0.0, vec![0.0; unknowns.len()]),
            start: (y.to_vec(), zeros()),
            sampled_a: zeros(),
            recomputed: vec![0.0; unknowns.m],
            along: y.to_vec(),
            errors: (zeros(), zeros()),
        };
        step.put_on_constraints(count)?;
        step.arrive(count)?;
        Ok(step)
    }

    /// Gets ready at a state where no step has led to.
    fn arrive(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.attempted.t = self.t;
        self.approach(count)?;
        self.settle(count)?;
        self.y.copy_from_slice(&self.attempted.y);
        self.a.copy_from_slice(&self.attempted.a);
        Ok(())
    }

    /// Moves the state at which a run begins onto its constraints: a step takes g(q₀) = 0 for granted.
    fn put_on_constraints(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, (q, v, _)) = (self.t, self.layout.split_mut(&mut self.attempted.y));
        self.manifold.evaluate_geometry(t, q, v)?;
        self.manifold.factor(count)?;
        self.manifold.project_positions(t, q, count)?;
        self.manifold.project_velocities(t, q, v, count)
    }

    /// Evaluates the system at the end of the attempted step.
    fn approach(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split(&self.attempted.y);
        self.manifold.evaluate(self.attempted.t, q, v, count)?;
        self.manifold.factor(count)
    }

    /// Finds accelerations and multipliers (17h) at the end of the attempted step.
    fn settle(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let Attempted { t, y, a } = &mut self.attempted;
        let (q, v, lambda) = self.layout.split_mut(y);
        match self.options.multipliers {
            Multipliers::FromAccelerations => self.manifold.accelerations(*t, q, v, a, lambda, 1, count),
            Multipliers::FromStages => {
                // u₁ := U_s (Jay 1998, section 4.3) stays; what (17h) gives is not wanted.
                self.recomputed.copy_from_slice(lambda);
                self.manifold.accelerations(*t, q, v, a, &mut self.recomputed, 1, count)
            }
        }
    }

    /// Predicts the unknowns of a step of length h: as a continuation of the last one, or from the accelerations.
    fn predict(&mut self, h: f64) {
        let ratio = h / self.past.0;
        if (0.0..=LONGEST_EXTRAPOLATION).contains(&ratio) {
            self.continue_past(h, ratio);
        } else {
            self.predict_uniform(h, 1.0);
        }
    }

    /// Velocities v₀ + cᵢ h a and multipliers λ₀, a the share `share` of the accelerations.
    fn predict_uniform(&mut self, h: f64, share: f64) {
        let unknowns = self.equations.unknowns;
        let (_, v, lambda) = self.layout.split(&self.y);
        for i in 0..=unknowns.stages {
            let x = &mut self.x[unknowns.velocities(i)];
            x.copy_from_slice(v);
            add_scaled(x, share * self.equations.method.node(i) * h, &self.a);
        }
        for i in 0..unknowns.stages {
            let x = &mut self.x[unknowns.multipliers(i)];
            x.fill(0.0);
            add_scaled(x, h, lambda);
        }
    }

    /// The unknowns of the last step and what the interpolating polynomial adds to them from there to here: stages of
    /// Lobatto IIIB do not lie on a smooth curve, but their distance from it changes little.
    fn continue_past(&mut self, h: f64, ratio: f64) {
        let unknowns = self.equations.unknowns;
        for i in 0..=unknowns.stages {
            let c = self.equations.method.node(i);
            for (theta, sign) in [(c, -1.0), (1.0 + c * ratio, 1.0)] {
                let mut along = std::mem::take(&mut self.along);
                self.interpolate(theta, &mut along);
                let (_, v, lambda) = self.layout.split(&along);
                let x = &mut self.x[unknowns.velocities(i)];
                if sign < 0.0 {
                    x.copy_from_slice(&self.past.1[unknowns.velocities(i)]);
                }
                add_scaled(x, sign, v);
                if i < unknowns.stages {
                    let x = &mut self.x[unknowns.multipliers(i)];
                    if sign < 0.0 {
                        x.fill(0.0);
                        add_scaled(x, ratio, &self.past.1[unknowns.multipliers(i)]);
                    }
                    add_scaled(x, sign * h, lambda);
                }
                self.along = along;
            }
        }
    }

    /// Solves the equations of a step of length h.
    ///
    /// Factors of the last step are tried first, then new ones, at last a prediction of constant velocities: strong
    /// friction makes accelerations that are over before the step is.
    fn solve(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.equations.begin(self.t, h, &self.y)?;
        self.predict(h);
        if self.factors == Some(h) {
            if self.iterate(count).is_ok() {
                return Ok(());
            }
            self.predict(h);
        }
        self.refactor(h, count)?;
        if self.iterate(count).is_ok() {
            return Ok(());
        }
        self.predict_uniform(h, 0.0);
        self.refactor(h, count)?;
        self.iterate(count)
    }

    fn iterate(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.iteration.run(&mut self.equations, &self.matrix, &mut self.x, &self.scales, count)
    }

    /// Newton's matrix at the predicted stages.
    fn refactor(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.factors = None;
        self.matrix.refresh(&mut self.equations, &self.x, count)?;
        self.matrix.factor(&self.equations, count)?;
        self.factors = Some(h);
        Ok(())
    }

    /// How large the error estimate, O(h^s), may be for the error of the result, O(h^(2s-2)), to be rtol.
    fn error_tolerance(&self) -> f64 {
        let s = self.equations.unknowns.stages as f64;
        self.options.steps.error_share * self.scales.rtol().powf(s / (2.0 * s - 2.0))
    }

    /// The norm of the error estimate (38), its momenta as velocities along the constraints.
    fn error(&mut self, count: &mut Statistics) -> f64 {
        let (of_q, of_v) = (&mut self.errors.0, &mut self.errors.1);
        self.equations.estimate(&self.x, of_q, of_v);
        self.manifold.project_tangent(of_q, count);
        self.manifold.tangent_velocities(of_v, count);
        let (q_scales, v_scales, _) = self.layout.split(self.scales.inverse());
        let square = weighted_square(of_q, q_scales).max(weighted_square(of_v, v_scales));
        root_mean(square, self.layout.n())
    }
}

/// x += factor y
fn add_scaled(x: &mut [f64], factor: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += factor * y;
    }
}

impl Stepper for SparkStep<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn stages(&self) -> usize {
        self.equations.unknowns.stages
    }

    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = to - self.t;
        self.scales.set(&self.y);
        self.solve(h, count)?;
        let unknowns = self.equations.unknowns;
        let (q, v, lambda) = self.layout.split_mut(&mut self.attempted.y);
        q.copy_from_slice(self.equations.end_position());
        v.copy_from_slice(&self.x[unknowns.velocities(unknowns.stages)]);
        for (lambda, impulse) in lambda.iter_mut().zip(&self.x[unknowns.multipliers(unknowns.stages - 1)]) {
            *lambda = impulse / h;
        }
        self.attempted.t = to;
        self.approach(count)?;
        let mut error = 0.0;
        if self.options.constant_step.is_none() {
            self.scales.widen(&self.attempted.y);
            error = self.error(count) / self.error_tolerance();
        }
        // Newton goes on to rounding whatever the step: its iterations say nothing about the next one.
        Ok(Attempt { error, power: unknowns.stages as f64, iterations: (0, 0) })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.settle(count)?;
        let h = self.attempted.t - self.t;
        self.start.0.copy_from_slice(&self.y);
        self.start.1.copy_from_slice(&self.a);
        self.past.0 = h;
        self.past.1.copy_from_slice(&self.x);
        self.t = self.attempted.t;
        self.y.copy_from_slice(&self.attempted.y);
        self.a.copy_from_slice(&self.attempted.a);
        if self.iteration.contraction > self.options.newton.keep_blocks_below {
            self.factors = None;
        }
        Ok(())
    }

    fn reject(&mut self, _refresh: bool) {
        self.factors = None;
    }

    fn prefers_same_step(&self) -> bool {
        self.factors.is_some()
    }

    fn choose_order(&mut self, _factor: f64) -> bool {
        false
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        let t = self.t - (1.0 - theta) * self.past.0;
        let (q, v, lambda) = self.layout.split_mut(y);
        self.elsewhere.evaluate_geometry(t, q, v)?;
        self.elsewhere.factor(count)?;
        self.elsewhere.project_positions(t, q, count)?;
        self.elsewhere.project_velocities(t, q, v, count)?;
        if self.options.multipliers == Multipliers::FromAccelerations {
            self.elsewhere.evaluate(t, q, v, count)?;
            self.elsewhere.accelerations(t, q, v, &mut self.sampled_a, lambda, 2, count)?;
        }
        Ok(())
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let h = self.past.0;
        let (weights, rates) = hermite::quintic(theta);
        let (q0, v0, lambda0) = self.layout.split(&self.start.0);
        let (q1, v1, lambda1) = self.layout.split(&self.y);
        let (a0, a1) = (&self.start.1, &self.a);
        let (q, v, lambda) = self.layout.split_mut(y);
        for k in 0..self.layout.n() {
            let ends = [0.0, q1[k] - q0[k], h * v0[k], h * v1[k], h * h * a0[k], h * h * a1[k]];
            let sum = |weights: [f64; 6]| weights.iter().zip(ends).map(|(w, end)| w * end).sum::<f64>();
            q[k] = q0[k] + sum(weights);
            v[k] = if h == 0.0 { v0[k] } else { sum(rates) / h };
        }
        for k in 0..self.layout.m() {
            lambda[k] = (1.0 - theta) * lambda0[k] + theta * lambda1[k];
        }
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        let (q, v, _) = self.layout.split(&self.y);
        self.manifold.residuals(self.t, q, v, &self.a)
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        let rate = [&self.y[self.layout.v()], &self.a].concat();
        let (tolerance, power) = (self.error_tolerance(), self.stages() as f64);
        Ok(first_step(&self.scales, &self.layout, &self.y, &rate, tolerance, power, until - self.t))
    }

    fn save(&mut self, snapshot: &mut Snapshot) {
        snapshot.put("t", &[self.t]);
        snapshot.put("y", &self.y);
        snapshot.put("past step", &[self.past.0]);
        snapshot.put("past unknowns", &self.past.1);
        snapshot.put("past state", &self.start.0);
        snapshot.put("past accelerations", &self.start.1);
        // After a resumption there are no factors: both go on with the same bits when there are none here either.
        self.factors = None;
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        [self.t] = snapshot.numbers("t")?;
        snapshot.copy_to("y", &mut self.y)?;
        [self.past.0] = snapshot.numbers("past step")?;
        snapshot.copy_to("past unknowns", &mut self.past.1)?;
        snapshot.copy_to("past state", &mut self.start.0)?;
        snapshot.copy_to("past accelerations", &mut self.start.1)?;
        self.factors = None;
        self.attempted.y.copy_from_slice(&self.y);
        self.arrive(&mut Statistics::default())
            .map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }
}
