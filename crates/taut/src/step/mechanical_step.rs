//! The equations of one projected Runge-Kutta step of a mechanical system (Schropp 2003, eq. 2.5-2.8).

use super::coefficients::Coefficients;
use super::estimate::{Beginning, Estimate};
use super::failure::StepFailure;
use super::manifold::Manifold;
use super::mechanical_stages::MechanicalStages;
use super::stage_equations::{StageEquations, StepEquations};
use crate::control::error_norm::{Scales, root_mean, weighted_square};
use crate::equations::Layout;
use crate::motion::Statistics;
use crate::options::{Controller, Multipliers, Options, Projection};
use crate::system::Mechanism;

/// Stages, error estimate and projection of a mechanical system.
pub(crate) struct MechanicalStep<'a> {
    layout: Layout,
    stages: MechanicalStages<'a>,
    manifold: Manifold<'a>,
    estimate: Estimate<'a>,
    controller: Controller,
    projection: Projection,
    multipliers: Multipliers,
    /// the last stage of the method is the end of the step
    ends_on_constraints: bool,
    /// what is known at the beginning of the next step
    t: f64,
    h: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    load: Vec<f64>,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    /// accelerations and multipliers of an interpolated state
    elsewhere: (Vec<f64>, Vec<f64>),
}

impl<'a> MechanicalStep<'a> {
    pub(crate) fn new(system: &'a dyn Mechanism, options: &Options, projection: Projection) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let stages = MechanicalStages::new(system, options.formulation, options.controller, options.linear);
        MechanicalStep {
            layout: Layout::mechanical(n, m),
            estimate: Estimate::new(structure, &stages, options.linear),
            stages,
            manifold: Manifold::new(system, options.linear),
            controller: options.controller,
            projection: if m == 0 { Projection::None } else { projection },
            multipliers: options.multipliers,
            ends_on_constraints: false,
            t: 0.0,
            h: 0.0,
            q: vec![0.0; n],
            v: vec![0.0; n],
            a: vec![0.0; n],
            load: vec![0.0; n],
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            elsewhere: (vec![0.0; n], vec![0.0; m]),
        }
    }

    /// Keeps what the next step needs to know about its beginning, which was evaluated last.
    fn keep(&mut self, t: f64, y: &[f64]) {
        let (q, v, lambda) = self.layout.split(y);
        self.t = t;
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        let evaluated = self.manifold.evaluated();
        self.mass.copy_from_slice(&evaluated.mass);
        self.jacobian.copy_from_slice(&evaluated.jacobian);
        self.load.copy_from_slice(&evaluated.force);
        self.stages.pattern().jacobian.transpose_multiply_add(&self.jacobian, lambda, &mut self.load, -1.0);
        self.stages.set_initial(&self.a, lambda);
    }

    /// The error along the manifold: normal to it there is none after the projection.
    fn tangent_norm(&mut self, scales: &Scales, count: &mut Statistics) -> f64 {
        if self.layout.m() > 0 {
            self.manifold.project_tangent(&mut self.estimate.q, count);
            self.manifold.project_tangent(&mut self.estimate.v, count);
        }
        let (q_scales, v_scales, _) = self.layout.split(scales.inverse());
        let square_q = weighted_square(&self.estimate.q, q_scales);
        let square_v = weighted_square(&self.estimate.v, v_scales);
        root_mean(square_q.max(square_v), self.layout.n())
    }

    /// RADAU5's norm: velocities weighted with h, multipliers with h².
    fn classical_norm(&self, scales: &Scales) -> f64 {
        let (q_scales, v_scales, lambda_scales) = self.layout.split(scales.inverse());
        let square = weighted_square(&self.estimate.q, q_scales)
            + self.h.powi(2) * weighted_square(&self.estimate.v, v_scales)
            + self.h.powi(4) * weighted_square(self.estimate.multipliers(), lambda_scales);
        root_mean(square, self.layout.len())
    }
}

impl StepEquations for MechanicalStep<'_> {
    fn stages(&mut self) -> &mut dyn StageEquations {
        &mut self.stages
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn settle(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate(t, q, v, count)?;
        let recomputed = &mut self.elsewhere.1;
        recomputed.copy_from_slice(lambda);
        self.manifold.accelerations(t, &mut self.a, recomputed, 2, count)?;
        if self.multipliers == Multipliers::FromAccelerations {
            lambda.copy_from_slice(recomputed);
        }
        self.keep(t, y);
        Ok(())
    }

    fn memory(&self) -> &[f64] {
        &self.a
    }

    fn recall(&mut self, t: f64, y: &[f64], memory: &[f64]) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split(y);
        self.manifold.evaluate(t, q, v, &mut Statistics::default())?;
        for (a, remembered) in self.a.iter_mut().zip(memory) {
            *a = *remembered;
        }
        self.keep(t, y);
        Ok(())
    }

    fn approach(
        &mut self,
        method: &Coefficients,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.h = t - self.t;
        self.ends_on_constraints = method.stiffly_accurate;
        let (q, v, _) = self.layout.split(y);
        if method.stiffly_accurate {
            self.manifold.adopt_geometry(self.stages.last_evaluated());
        } else {
            self.manifold.evaluate_geometry(t, q, v)?;
        }
        self.manifold.factor(count)
    }

    fn estimate(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        scales: &Scales,
        _allowed: f64,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let start = Beginning { v: &self.v, load: &self.load, mass: &self.mass, jacobian: &self.jacobian };
        self.estimate.compute(method, self.h, &start, &self.stages, unknowns, count)?;
        Ok(match self.controller {
            Controller::Standard => self.tangent_norm(scales, count),
            Controller::Classical => self.classical_norm(scales),
        })
    }

    fn filter(
        &mut self,
        method: &Coefficients,
        error: &mut [f64],
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let start = Beginning { v: &self.v, load: &self.load, mass: &self.mass, jacobian: &self.jacobian };
        let errors = error.split_at(self.layout.n());
        self.estimate.filter(method, self.h, &start, &self.stages, errors, count)?;
        Ok(self.tangent_norm(scales, count))
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split_mut(y);
        if self.projection == Projection::None {
            return Ok(());
        }
        // The last stage of a stiffly accurate method solves g = 0 up to Newton's tolerance: with velocity projection the
        // rest of the way to rounding is a correction of that size.
        if self.projection == Projection::Full || self.ends_on_constraints {
            self.manifold.project_positions(t, q, count)?;
        }
        self.manifold.project_velocities(t, q, v, count)
    }

    fn complete(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate_geometry(t, q, v)?;
        self.manifold.factor(count)?;
        if self.projection != Projection::None {
            self.manifold.project_positions(t, q, count)?;
            self.manifold.project_velocities(t, q, v, count)?;
        }
        if self.multipliers == Multipliers::FromAccelerations {
            self.manifold.evaluate(t, q, v, count)?;
            self.manifold.accelerations(t, &mut self.elsewhere.0, lambda, 2, count)?;
        }
        Ok(())
    }

    fn stage_rates(&self, _method: &Coefficients, unknowns: &[f64], rates: &mut [f64]) {
        let (n, size) = (self.layout.n(), self.stages.unknowns());
        let stages = self.stages.stage_velocities().chunks_exact(n).zip(unknowns.chunks_exact(size));
        for (rates, (v, unknowns)) in rates.chunks_exact_mut(self.layout.differential()).zip(stages) {
            rates[self.layout.q()].copy_from_slice(v);
            rates[self.layout.v()].copy_from_slice(&unknowns[..n]);
        }
    }

    fn rate(&self, rate: &mut [f64]) {
        rate[self.layout.q()].copy_from_slice(&self.v);
        rate[self.layout.v()].copy_from_slice(&self.a);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.manifold.residuals(self.t, &self.q, &self.v, &self.a)
    }
}
