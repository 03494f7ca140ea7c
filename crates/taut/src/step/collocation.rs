//! One step of a fully implicit Runge-Kutta method for a mechanical system, with projection.

use super::coefficients::Coefficients;
use super::estimate::{Beginning, Estimate};
use super::failure::StepFailure;
use super::implicit_core::ImplicitCore;
use super::manifold::Manifold;
use super::mechanical_stages::MechanicalStages;
use super::stage_equations::StageEquations;
use super::stepper::{Attempt, Stepper};
use crate::control::error_norm::{Scales, root_mean, weighted_square};
use crate::control::first_step::first_step;
use crate::equations::Layout;
use crate::motion::Statistics;
use crate::options::{Controller, Options, Projection};
use crate::run::{Snapshot, SnapshotError};
use crate::system::Mechanism;

/// Projected Runge-Kutta steps (Schropp 2003, eq. 2.5-2.8) for mechanical systems.
pub(crate) struct Collocation<'a> {
    layout: Layout,
    core: ImplicitCore,
    stages: MechanicalStages<'a>,
    manifold: Manifold<'a>,
    estimate: Estimate<'a>,
    scales: Scales,
    options: Options,
    projection: Projection,
    state: State,
    /// M and G at the state that has been reached
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    attempted: Attempted,
    last: LastStep,
}

/// The state that has been reached.
struct State {
    t: f64,
    y: Vec<f64>,
    a: Vec<f64>,
}

/// The step that was computed last.
struct Attempted {
    h: f64,
    y: Vec<f64>,
    a: Vec<f64>,
}

/// What the interpolation inside the last accepted step needs.
struct LastStep {
    h: f64,
    start: Vec<f64>,
    stage_velocities: Vec<f64>,
    /// what the projection changed
    shift: Vec<f64>,
    weights: Vec<f64>,
}

impl<'a> Collocation<'a> {
    /// A stepper at a consistent state (q, v, λ).
    pub(crate) fn new(
        system: &'a dyn Mechanism,
        core: ImplicitCore,
        options: &Options,
        projection: Projection,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let structure = system.structure();
        let layout = Layout::mechanical(structure.n(), structure.m());
        let stages = MechanicalStages::new(system, options.formulation, options.controller, options.linear);
        let estimate = Estimate::new(structure, &stages, options.linear);
        let n = structure.n();
        let mut stepper = Collocation {
            layout,
            core,
            stages,
            manifold: Manifold::new(system, options.linear),
            estimate,
            scales: Scales::new(options.rtol, options.atol, layout.len()),
            options: options.clone(),
            projection,
            state: State { t, y: y.to_vec(), a: vec![0.0; n] },
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            attempted: Attempted { h: 0.0, y: y.to_vec(), a: vec![0.0; n] },
            last: LastStep {
                h: 0.0,
                start: y.to_vec(),
                stage_velocities: Vec::new(),
                shift: vec![0.0; layout.len()],
                weights: Vec::new(),
            },
        };
        stepper.attempted.y.copy_from_slice(y);
        let (q, v, _) = layout.split(y);
        stepper.manifold.evaluate_geometry(t, q, v)?;
        stepper.manifold.factor(count)?;
        stepper.finish(t, count)?;
        stepper.settle(t);
        Ok(stepper)
    }

    /// Accelerations and multipliers at the end of the attempted step, from the acceleration constraint.
    fn finish(&mut self, t: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(&mut self.attempted.y);
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.accelerations(t, q, v, &mut self.attempted.a, lambda, count)
    }

    /// Makes the attempted state the state.
    fn settle(&mut self, t: f64) {
        self.state.t = t;
        self.state.y.copy_from_slice(&self.attempted.y);
        self.state.a.copy_from_slice(&self.attempted.a);
        self.mass.copy_from_slice(&self.manifold.evaluated().mass);
        self.jacobian.copy_from_slice(&self.manifold.evaluated().jacobian);
    }

    /// The tolerance of Newton's iteration.
    fn newton_tolerance(&self) -> f64 {
        let share = self.options.newton.share_of_tolerance;
        match self.options.controller {
            Controller::Standard => share * self.scales.rtol(),
            Controller::Classical => {
                let internal = self.classical_tolerance();
                internal * (10.0 * f64::EPSILON / internal).max(share.min(internal.sqrt()))
            }
        }
    }

    /// RADAU5's tolerance for the embedded error: 0.1 tol^((s+1)/(2s))
    fn classical_tolerance(&self) -> f64 {
        let s = self.core.method().stages as f64;
        0.1 * self.scales.rtol().powf((s + 1.0) / (2.0 * s))
    }

    /// How large the embedded error, O(h^(s+1)), may be for the error of the result, O(h^p), to be rtol.
    fn error_tolerance(&self) -> f64 {
        match self.options.controller {
            Controller::Classical => self.classical_tolerance(),
            Controller::Standard => {
                let method = self.core.method();
                let exponent = ((method.stages + 1) as f64 / method.order as f64).min(1.0);
                self.options.steps.error_share * self.scales.rtol().powf(exponent)
            }
        }
    }

    /// The estimated error of the attempted step, relative to what is allowed.
    fn estimate_error(&mut self, h: f64, count: &mut Statistics) -> Result<f64, StepFailure> {
        let classical = self.options.controller == Controller::Classical;
        let frozen = self.stages.frozen();
        let (_, v, _) = self.layout.split(&self.state.y);
        let start = Beginning {
            v,
            a: &self.state.a,
            mass: if classical { &frozen.mass } else { &self.mass },
            jacobian: if classical { &frozen.jacobian } else { &self.jacobian },
        };
        let method = self.core.method();
        self.estimate.compute(method, h, &start, &self.stages, &self.core.unknowns, count)?;
        let norm = if classical { self.classical_norm(h) } else { self.tangent_norm(count) };
        Ok(norm / self.error_tolerance())
    }

    /// The error along the manifold: normal to it there is none after the projection.
    fn tangent_norm(&mut self, count: &mut Statistics) -> f64 {
        if self.projection != Projection::None && self.layout.m() > 0 {
            self.manifold.project_tangent(&mut self.estimate.q, count);
            self.manifold.project_tangent(&mut self.estimate.v, count);
        }
        let (q_scales, v_scales, _) = self.layout.split(self.scales.inverse());
        let square_q = weighted_square(&self.estimate.q, q_scales);
        let square_v = weighted_square(&self.estimate.v, v_scales);
        root_mean(square_q.max(square_v), self.layout.n())
    }

    /// RADAU5's norm: velocities weighted with h, multipliers with h².
    fn classical_norm(&self, h: f64) -> f64 {
        let (q_scales, v_scales, lambda_scales) = self.layout.split(self.scales.inverse());
        let square = weighted_square(&self.estimate.q, q_scales)
            + h * h * weighted_square(&self.estimate.v, v_scales)
            + h.powi(4) * weighted_square(self.estimate.multipliers(), lambda_scales);
        root_mean(square, self.layout.len())
    }

    /// M and G near the end of the step, factored.
    fn place_manifold(&mut self, t: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        if self.core.method().stiffly_accurate {
            self.manifold.adopt_geometry(self.stages.last_evaluated());
        } else {
            let (q, v, _) = self.layout.split(&self.attempted.y);
            self.manifold.evaluate_geometry(t, q, v)?;
        }
        self.manifold.factor(count)
    }

    /// Projects the attempted state onto its constraints.
    fn project(&mut self, t: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split_mut(&mut self.attempted.y);
        match self.projection {
            Projection::None => Ok(()),
            _ if self.layout.m() == 0 => Ok(()),
            // The last stage of a stiffly accurate method solves g = 0 up to Newton's tolerance; the rest of the way to
            // rounding is a correction of that size.
            Projection::Velocity | Projection::Full => {
                self.manifold.project_positions(t, q, count)?;
                self.manifold.project_velocities(t, q, v, count)
            }
        }
    }

    fn interpolation_weight(theta: f64) -> f64 {
        theta * theta * (3.0 - 2.0 * theta)
    }
}

impl Stepper for Collocation<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.state.t
    }

    fn state(&self) -> &[f64] {
        &self.state.y
    }

    fn stages(&self) -> usize {
        self.core.method().stages
    }

    fn attempt(&mut self, h: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let t = self.state.t;
        self.scales.set(&self.state.y);
        let (_, _, lambda) = self.layout.split(&self.state.y);
        self.stages.set_initial(&self.state.a, lambda);
        let tolerance = self.newton_tolerance();
        let converged =
            self.core.solve(&mut self.stages, (t, h, &self.state.y), &self.scales, tolerance, count)?;
        self.stages.end(self.core.method(), &self.core.unknowns, &mut self.attempted.y);
        self.attempted.h = h;
        self.place_manifold(t + h, count)?;
        let error = match self.options.constant_step {
            Some(_) => 0.0,
            None => {
                self.scales.widen(&self.attempted.y);
                self.estimate_error(h, count)?
            }
        };
        Ok(Attempt {
            error,
            power: (self.core.method().stages + 1) as f64,
            iterations: (converged.iterations, self.core.most_iterations()),
        })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (h, t) = (self.attempted.h, self.state.t + self.attempted.h);
        self.last.shift.copy_from_slice(&self.attempted.y);
        self.project(t, count)?;
        self.finish(t, count)?;
        self.last.h = h;
        for (shift, y) in self.last.shift.iter_mut().zip(&self.attempted.y) {
            *shift = y - *shift;
        }
        self.last.start.copy_from_slice(&self.state.y);
        self.last.stage_velocities.clear();
        self.last.stage_velocities.extend_from_slice(self.stages.stage_velocities());
        self.core.accept(h);
        self.settle(t);
        Ok(())
    }

    fn reject(&mut self, refresh: bool) {
        self.core.reject(refresh);
    }

    fn prefers_same_step(&self) -> bool {
        self.core.keeps_blocks()
    }

    fn choose_order(&mut self, factor: f64) -> bool {
        self.core.choose_order(factor)
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        let t = self.state.t - (1.0 - theta) * self.last.h;
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate_geometry(t, q, v)?;
        self.manifold.factor(count)?;
        if self.projection != Projection::None && self.layout.m() > 0 {
            self.manifold.project_positions(t, q, count)?;
            self.manifold.project_velocities(t, q, v, count)?;
        }
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.accelerations(t, q, v, &mut self.attempted.a, lambda, count)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let (method, past) = self.core.past();
        let (n, size) = (self.layout.n(), self.stages.unknowns());
        let mut weights = [0.0; taut_tableau::MOST_STAGES];
        let weights = &mut weights[..method.stages];
        method.continuous.weights(theta, weights);
        y.copy_from_slice(&self.last.start);
        let (q, v, lambda) = self.layout.split_mut(y);
        for (i, weight) in weights.iter().enumerate() {
            let step = self.last.h * weight;
            for k in 0..n {
                q[k] += step * self.last.stage_velocities[i * n + k];
                v[k] += step * past.unknowns[i * size + k];
            }
        }
        method.continuous.slopes(theta, weights);
        lambda.fill(0.0);
        for (weight, unknowns) in weights.iter().zip(past.unknowns.chunks_exact(size)) {
            for (lambda, value) in lambda.iter_mut().zip(&unknowns[n..]) {
                *lambda += weight * value;
            }
        }
        let bump = Self::interpolation_weight(theta);
        for (y, shift) in y[..self.layout.differential()].iter_mut().zip(&self.last.shift) {
            *y += bump * shift;
        }
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        let (q, v, _) = self.layout.split(&self.state.y);
        self.manifold.residuals(self.state.t, q, v, &self.state.a)
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.state.y);
        let power = (self.core.method().stages + 1) as f64;
        let (_, v, _) = self.layout.split(&self.state.y);
        let tolerance = self.error_tolerance();
        Ok(first_step(&self.scales, &self.layout, &self.state.y, v, &self.state.a, tolerance, power, until - self.state.t))
    }

    fn save(&mut self, snapshot: &mut Snapshot) {
        snapshot.put("t", &[self.state.t]);
        snapshot.put("y", &self.state.y);
        snapshot.put("a", &self.state.a);
        self.core.save(snapshot);
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let [t] = snapshot.numbers("t")?;
        snapshot.copy_to("y", &mut self.attempted.y)?;
        snapshot.copy_to("a", &mut self.attempted.a)?;
        self.core.restore(snapshot)?;
        self.settle(t);
        Ok(())
    }
}

/// Coefficients made ready for several numbers of stages.
pub(crate) fn coefficients(
    tableaux: &[taut_tableau::Tableau],
) -> Result<Vec<Coefficients>, taut_tableau::TableauError> {
    tableaux.iter().map(Coefficients::new).collect()
}
