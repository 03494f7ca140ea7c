//! What a SPARK step of a mechanical system is about.

use super::reversible::LengthSpace;
use super::{Solving, Spark, SparkKind};
use crate::control::error_norm::{Scales, larger, largest_of, root_mean, weighted_square};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::inside::spark::Past;
use crate::linear::Choice;
use crate::motion::Statistics;
use crate::newton::iteration::Given;
use crate::options::{Controller, Multipliers, Options};
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::spark::arrived::Arrived;
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::equations::SparkEquations;
use crate::stages::spark::frozen::FrozenMatrix;
use crate::stages::spark::matrix::SparkMatrix;
use crate::system::MechanicalSystem;

/// Matrices up to this size are factored sooner than a few more iterations are made with a frozen one.
const SMALL_MATRIX: usize = 30;
/// More iterations with a frozen matrix take longer than a dense factorisation of the whole one.
const MOST_FROZEN_ITERATIONS: usize = 12;
/// Accelerations at the end of a step that give multipliers so many times as large as those of the stages are over at once.
const OVER_AT_ONCE: f64 = 100.0;

/// A mechanical system with what its steps need.
pub(crate) struct OfMechanism<'a> {
    pub(super) layout: Layout,
    pub(super) equations: SparkEquations<'a>,
    /// Newton's matrix with one M and one G for all stages, where it is worth trying
    pub(super) frozen: Option<FrozenMatrix>,
    /// Newton's whole matrix, since it was needed first
    pub(super) matrix: Option<Box<SparkMatrix>>,
    pub(super) linear: Choice,
    /// the constraints at the end of the step
    pub(super) manifold: Manifold<'a>,
    /// that is where the next step begins
    manifold_is_here: bool,
    /// and g of the last stage is that of this state
    pub(super) constraint_is_here: bool,
    /// the constraints at interpolated states
    pub(super) elsewhere: Manifold<'a>,
    pub(super) t: f64,
    pub(super) here: Arrived,
    /// the end of the step that was attempted
    pub(super) attempted: (f64, Arrived),
    pub(super) past: Past,
    /// accelerations of an interpolated state
    sampled_a: Vec<f64>,
    /// multipliers (17h) where they are not wanted
    recomputed: Vec<f64>,
    errors: (Vec<f64>, Vec<f64>),
    pub(super) length_space: LengthSpace,
}

impl<'a> Spark<OfMechanism<'a>> {
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
        let mut equations = OfMechanism::new(system, method, options.linear, t, y);
        let number = equations.equations.unknowns.len();
        let solving = Solving::new(number, &equations.layout, options);
        let constant_lengths = !reversible || options.constant_step.is_some();
        let pays = number > SMALL_MATRIX || !system.has_newton_blocks();
        if constant_lengths && !options.spark.whole_matrix && pays {
            equations.frozen = FrozenMatrix::new(&equations.equations, options.linear);
        }
        equations.put_on_constraints(count)?;
        equations.begin_here(options.multipliers, count)?;
        Ok(Spark { equations, solving })
    }
}

impl<'a> OfMechanism<'a> {
    fn new(
        system: &'a dyn MechanicalSystem,
        method: SparkCoefficients,
        linear: Choice,
        t: f64,
        y: &[f64],
    ) -> Self {
        let equations = SparkEquations::new(system, method);
        let (unknowns, n) = (equations.unknowns, equations.unknowns.n);
        let layout = Layout::mechanical(n, unknowns.m);
        OfMechanism {
            layout,
            equations,
            frozen: None,
            matrix: None,
            linear,
            manifold: Manifold::new(system, linear),
            manifold_is_here: false,
            constraint_is_here: false,
            elsewhere: Manifold::new(system, linear),
            t,
            here: Arrived::at(y, n),
            attempted: (t, Arrived::at(y, n)),
            past: Past::none(layout, unknowns, y),
            sampled_a: vec![0.0; n],
            recomputed: vec![0.0; unknowns.m],
            errors: (vec![0.0; n], vec![0.0; n]),
            length_space: LengthSpace::new(unknowns.len(), n),
        }
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

    /// Makes the attempted state that at which the next step begins.
    fn begin_here(&mut self, wanted: Multipliers, count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split(&self.attempted.1.y);
        self.manifold.evaluate_geometry(self.t, q, v)?;
        self.manifold.factor(count)?;
        self.manifold.evaluate_motion(self.attempted.0, q, v, count)?;
        self.settle(wanted, count)?;
        self.here.copy_from(&self.attempted.1);
        self.manifold_is_here = true;
        Ok(())
    }
}

impl OfMechanism<'_> {
    /// Solves for all unknowns but those of the end, with M and G of the beginning.
    fn solve_frozen(
        &mut self,
        h: f64,
        solving: &mut Solving,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.predict(h, &mut solving.x);
        let Some(frozen) = &mut self.frozen else { return Ok(()) };
        let (manifold, Solving { x, iteration, scales, .. }) = (&self.manifold, solving);
        frozen.prepare(manifold, count)?;
        let solve = |residual: &mut [f64], count: &mut Statistics| frozen.solve(manifold, residual, count);
        iteration.run((&mut self.equations, true), solve, x, scales, &mut Given, count)
    }
}

/// Newton's whole matrix, made when it is asked for: where the frozen one serves, it never is.
pub(super) fn whole_matrix<'m>(
    matrix: &'m mut Option<Box<SparkMatrix>>,
    equations: &SparkEquations<'_>,
    linear: Choice,
) -> &'m mut SparkMatrix {
    matrix.get_or_insert_with(|| Box::new(SparkMatrix::new(equations, linear)))
}

/// Whether multipliers of accelerations are those of a transient: strong friction answers to what a step leaves of velocities
/// with forces that the stages, which damp them, do not see.
fn is_transient(recomputed: &[f64], of_stages: &[f64], before: &[f64]) -> bool {
    let (stages, before) = (largest_of(of_stages), largest_of(before));
    largest_of(recomputed) > OVER_AT_ONCE * stages.max(before) && stages > 0.0
}

impl SparkKind for OfMechanism<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn stages(&self) -> usize {
        self.equations.unknowns.stages
    }

    fn error_power(&self) -> f64 {
        self.equations.method.error_power
    }

    fn here(&self) -> (f64, &[f64]) {
        (self.t, &self.here.y)
    }

    fn rates(&self) -> [&[f64]; 2] {
        [&self.here.y[self.layout.v()], &self.here.a]
    }

    fn begin(&mut self, h: f64) {
        self.constraint_is_here = false;
        let known = self.manifold_is_here.then_some(self.manifold.evaluated());
        self.equations.begin(self.t, h, &self.here, known);
    }

    /// As a continuation of the last step, or from the accelerations.
    fn predict(&mut self, h: f64, x: &mut [f64]) {
        let (method, unknowns) = (&self.equations.method, self.equations.unknowns);
        if !self.past.predict(method, unknowns, &self.here, h, self.frozen.is_some(), x) {
            self.past.predict_uniform(method, unknowns, &self.here, h, 1.0, x);
        }
    }

    fn predict_constant(&mut self, h: f64, x: &mut [f64]) {
        let (method, unknowns) = (&self.equations.method, self.equations.unknowns);
        self.past.predict_uniform(method, unknowns, &self.here, h, 0.0, x);
    }

    /// With one M and one G for all stages, those of the beginning.
    fn solve_simply(&mut self, h: f64, solving: &mut Solving, count: &mut Statistics) -> bool {
        self.equations.stages_alone = false;
        if self.frozen.as_ref().is_none_or(|frozen| frozen.rest > 0) {
            return false;
        }
        solving.factored_for = None;
        self.equations.stages_alone = self.equations.end_is_apart;
        let solved = match self.equations.balances_at_once {
            true => self.solve_positions(h, solving, count),
            false => self.solve_frozen(h, solving, count),
        };
        let slow = !self.manifold.is_sparse() && solving.iteration.iterations > MOST_FROZEN_ITERATIONS;
        if let Some(frozen) = &mut self.frozen
            && (solved.is_err() || slow)
            && self.equations.system.has_newton_blocks()
        {
            frozen.has_failed();
        }
        if solved.is_err() {
            self.equations.stages_alone = false;
        }
        solved.is_ok()
    }

    fn has_whole_matrix(&self) -> bool {
        self.equations.system.has_newton_blocks()
    }

    fn factor(&mut self, x: &[f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let matrix = whole_matrix(&mut self.matrix, &self.equations, self.linear);
        matrix.refresh(&mut self.equations, x, count)?;
        matrix.factor(&self.equations, count)
    }

    fn iterate(&mut self, solving: &mut Solving, count: &mut Statistics) -> Result<(), StepFailure> {
        let matrix = whole_matrix(&mut self.matrix, &self.equations, self.linear);
        let solve = |residual: &mut [f64], count: &mut Statistics| matrix.whole.solve(residual, count);
        let Solving { x, iteration, scales, .. } = solving;
        iteration.run((&mut self.equations, false), solve, x, scales, &mut Given, count)
    }

    fn solve_with_length(
        &mut self,
        h: f64,
        longest: f64,
        solving: &mut Solving,
        count: &mut Statistics,
    ) -> Option<Result<f64, StepFailure>> {
        Some(self.find_length(h, longest, solving, count))
    }

    fn arrive(&mut self, to: f64, x: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (h, unknowns, stages) = (self.equations.h, self.equations.unknowns, self.stages());
        self.equations.ends = true;
        let evaluated = self.equations.evaluate(x, count);
        self.equations.ends = false;
        evaluated?;
        self.manifold_is_here = false;
        if let Some((mass, jacobian)) = self.equations.geometry_of_end() {
            self.manifold.adopt(mass, jacobian);
            self.manifold.factor(count)?;
        }
        if self.equations.stages_alone {
            let manifold = &self.manifold;
            self.equations.find_end(x, |system| manifold.solve(system, count))?;
        }
        let (t, end) = &mut self.attempted;
        *t = to;
        self.equations.end(x, end);
        let (q, v, lambda) = self.layout.split_mut(&mut end.y);
        v.copy_from_slice(&x[unknowns.velocities(stages)]);
        for (lambda, impulse) in lambda.iter_mut().zip(&x[unknowns.multipliers(stages - 1)]) {
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

    fn attempted(&self) -> &[f64] {
        &self.attempted.1.y
    }

    /// Its momenta as velocities along the constraints.
    fn error(&mut self, x: &[f64], scales: &Scales, count: &mut Statistics) -> Result<f64, StepFailure> {
        let (of_q, of_v) = (&mut self.errors.0, &mut self.errors.1);
        self.equations.estimate(x, of_q, of_v);
        self.manifold.project_tangent(of_q, count);
        self.manifold.tangent_velocities(of_v, count);
        let (q_scales, v_scales, _) = self.layout.split(scales.inverse());
        let square = larger(weighted_square(of_q, q_scales), weighted_square(of_v, v_scales));
        Ok(root_mean(square, self.layout.n()))
    }

    fn settle(&mut self, wanted: Multipliers, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, Arrived { y, a, .. }) = &mut self.attempted;
        let (_, _, lambda) = self.layout.split_mut(y);
        self.recomputed.copy_from_slice(lambda);
        match wanted {
            Multipliers::FromAccelerations => {
                self.manifold.accelerations(*t, a, lambda, 1, count)?;
                let (_, _, before) = self.layout.split(&self.here.y);
                if is_transient(lambda, &self.recomputed, before) {
                    lambda.copy_from_slice(&self.recomputed);
                }
                Ok(())
            }
            // u₁ := U_s (Jay 1998, section 4.3) stays; what (17h) gives is not wanted.
            Multipliers::FromStages => self.manifold.accelerations(*t, a, &mut self.recomputed, 1, count),
        }
    }

    fn keep(&mut self, x: &mut Vec<f64>) {
        let (t, end) = &mut self.attempted;
        self.equations.keep_last_forces();
        self.past.record(self.equations.h, &mut self.here, x);
        if let Some(frozen) = &mut self.frozen {
            frozen.count_step();
        }
        self.t = *t;
        std::mem::swap(&mut self.here, end);
        self.manifold_is_here = true;
        // Rods that move are imposed at the time of the stage, which may be rounded otherwise than that of the end.
        self.constraint_is_here = self.equations.balances_at_once && self.equations.rate_is_gv;
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        self.past.interpolate(&self.here, theta, y);
    }

    fn correct(
        &mut self,
        theta: f64,
        y: &mut [f64],
        wanted: Multipliers,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let t = self.t - (1.0 - theta) * self.past.h;
        let (q, v, lambda) = self.layout.split_mut(y);
        self.elsewhere.evaluate_geometry(t, q, v)?;
        self.elsewhere.factor(count)?;
        self.elsewhere.project_positions(t, q, count)?;
        self.elsewhere.project_velocities(t, q, v, count)?;
        if wanted == Multipliers::FromAccelerations {
            self.elsewhere.evaluate(t, q, v, count)?;
            self.elsewhere.accelerations(t, &mut self.sampled_a, lambda, 2, count)?;
        }
        Ok(())
    }

    /// Not on the manifold where the next step begins: its M and G, as the last stage had them, stay as they were factored. Where
    /// they and the curvature are those of the state, they are not evaluated anew.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        let (q, v, _) = self.layout.split(&self.here.y);
        if self.constraint_is_here {
            return Ok(self.manifold.residuals_of_rods(&self.equations.constraint, v, &self.here.a));
        }
        if self.equations.balances_at_once && self.manifold_is_here {
            return self.manifold.residuals_here(self.t, q, v, &self.here.a);
        }
        self.elsewhere.residuals(self.t, q, v, &self.here.a)
    }

    fn fields(
        &mut self,
        factored_for: &mut Option<f64>,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError> {
        self.exchange(factored_for, fields)
    }
}
