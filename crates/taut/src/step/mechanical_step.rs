//! The equations of one projected Runge-Kutta step of a mechanical system (Schropp 2003, eq. 2.5-2.8).

mod crossing;
mod doubt;
mod keeping;
mod norms;
mod springs;
mod told;
mod treatment;
mod way_back;

use super::estimate::{Beginning, Estimate};
use crate::control::error_norm::{Scales, larger};
use crate::equations::{Formulation, Layout};
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::linear::{Choice, Pivots};
use crate::motion::Statistics;
use crate::options::{Controller, Multipliers, Options, Projection, StepOptions};
use crate::snapshot::{Field, Memory};
use crate::springs::TreatedSprings;
use crate::springs::vibrations::VibrationRule;
use crate::stages::coefficients::Coefficients;
use crate::stages::mechanical::MechanicalStages;
use crate::stages::stage_equations::{StageEquations, StepEquations};
use crate::system::MechanicalSystem;
use norms::larger_norm;
use treatment::Treatment;

/// The accelerations of so many stages show the jerk at the end of a step well enough.
const STAGES_FOR_JERK: usize = 5;

/// Stages, error estimate and projection of a mechanical system.
pub(crate) struct MechanicalStep<'a> {
    layout: Layout,
    stages: MechanicalStages<'a>,
    manifold: Manifold<'a>,
    estimate: Estimate<'a>,
    controller: Controller,
    projection: Projection,
    multipliers: Multipliers,
    /// which springs are in smooth motion
    rule: VibrationRule,
    springs: Springs,
    /// the time scale of the fastest vibration that is followed
    fastest_followed: f64,
    strong_friction: bool,
    /// the error of springs that are left to their dampers in the last step, relative to what it may be
    stiff: f64,
    steps: StepOptions,
    choice: Choice,
    /// what becomes of the vibrations of each spring, and when that was decided
    treatment: Treatment,
    /// scales of positions and velocities
    weights: Vec<f64>,
    /// so many steps were repeated for what happens between their stages
    doubts: usize,
    /// what was far off smooth motion, or missed between stages, in words
    warning: Option<String>,
    /// a singular configuration is close by
    crosses: bool,
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

/// Whether it is known which springs are in smooth motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Springs {
    /// not before something moves
    Undecided,
    Decided,
}

impl Field for Springs {
    fn number(&self) -> f64 {
        (*self == Springs::Decided).number()
    }
    fn set(&mut self, number: f64) -> bool {
        let mut decided = false;
        let known = decided.set(number);
        *self = if decided { Springs::Decided } else { Springs::Undecided };
        known
    }
}

impl<'a> MechanicalStep<'a> {
    /// `takes_along` says whether the method can take springs along with the rods when its steps do not resolve their
    /// vibrations.
    pub(crate) fn new(
        system: &'a dyn MechanicalSystem,
        options: &Options,
        projection: Projection,
        takes_along: bool,
    ) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let to_decide = (takes_along || options.constant_step.is_none())
            && options.controller == Controller::Standard
            && options.formulation == Formulation::Index3
            && structure.constraints.iter().any(|c| c.compliance() > 0.0);
        let stages = MechanicalStages::new(system, options.formulation, options.controller, options.linear);
        MechanicalStep {
            layout: Layout::mechanical(n, m),
            estimate: Estimate::new(structure, &stages, options.linear),
            stages,
            manifold: Manifold::new(system, options.linear),
            controller: options.controller,
            projection: if m == 0 { Projection::None } else { projection },
            multipliers: options.multipliers,
            rule: VibrationRule {
                vibrations: options.vibrations,
                options: options.springs,
                rtol: options.rtol,
                constant_step: options.constant_step,
                takes_along,
                may_change: system.frame().is_none(),
            },
            fastest_followed: f64::INFINITY,
            strong_friction: false,
            stiff: 0.0,
            steps: options.steps.clone(),
            choice: options.linear,
            treatment: Treatment::new(m),
            weights: vec![1.0; 2 * n],
            doubts: 0,
            warning: None,
            springs: if to_decide { Springs::Undecided } else { Springs::Decided },
            crosses: false,
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
}

impl StepEquations for MechanicalStep<'_> {
    fn stages(&mut self) -> &mut dyn StageEquations {
        &mut self.stages
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn settle(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split(y);
        self.manifold.evaluate(t, q, v, count)?;
        if self.springs == Springs::Undecided {
            self.decide_on_springs(t, y, count)?;
        }
        self.look_for_smooth_motion(t, y, count)?;
        let (_, _, lambda) = self.layout.split_mut(y);
        self.elsewhere.1.copy_from_slice(lambda);
        self.find_multipliers_of_springs();
        let recomputed = &mut self.elsewhere.1;
        self.manifold.accelerations(t, &mut self.a, recomputed, 2, count)?;
        if self.multipliers == Multipliers::FromAccelerations {
            lambda.copy_from_slice(recomputed);
        }
        self.keep(t, y);
        self.let_dampers_pull(t, y, count)?;
        if self.manifold.has_smooth_springs() {
            self.manifold.neglected.keep(t);
        }
        Ok(())
    }

    /// M, G and the load among it: where directions of the system go along with the motion, they were evaluated with those
    /// of the last step.
    fn memory(&mut self, memory: &mut Memory<'_>) {
        for known in [&mut self.a, &mut self.load, &mut self.mass, &mut self.jacobian] {
            memory.list(known);
        }
        memory.field(&mut self.h);
        memory.field(&mut self.fastest_followed);
        memory.field(&mut self.strong_friction);
        memory.field(&mut self.springs);
        self.treatment.memory(memory);
        self.manifold.neglected.memory(memory);
    }

    fn go_on_from(&mut self, t: f64, y: &[f64]) {
        let (q, v, lambda) = self.layout.split(y);
        self.t = t;
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.stages.set_initial(&self.a, lambda);
        self.select_springs();
        self.manifold.respect_friction(self.strong_friction, self.choice);
    }

    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.stages.matrices.exchange_pivots(pivots);
        self.manifold.exchange_pivots(pivots);
        pivots.exchange(&mut self.estimate.saddle);
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
        self.factor_manifold(count)
    }

    fn estimate(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        scales: &Scales,
        allowed: f64,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        self.stiff = 0.0;
        if self.crosses {
            let start = (self.v.as_slice(), self.a.as_slice());
            self.estimate.compute_plainly(method, self.h, start, &self.stages, unknowns);
            return Ok(self.tangent_norm(scales, count));
        }
        let start = Beginning { v: &self.v, load: &self.load, mass: &self.mass, jacobian: &self.jacobian };
        self.estimate.compute(method, self.h, &start, &self.stages, unknowns, count)?;
        // Over less than a vibration, differences of stages would be their rounding errors.
        let long = self.h.abs() >= self.manifold.neglected.slowest;
        if method.stages >= STAGES_FOR_JERK && long && self.manifold.has_smooth_springs() {
            let (slopes, size) = (&method.slope_at_end, self.stages.unknowns());
            self.manifold.probe.know_jerk(slopes, self.h, unknowns, size);
        }
        Ok(match self.controller {
            Controller::Standard | Controller::Reversible => {
                let estimated = self.tangent_norm(scales, count);
                let fast = allowed * self.share_of_fast_errors(method, estimated, scales, count);
                let found = larger(estimated, fast);
                if found > allowed {
                    return Ok(found);
                }
                larger(found, self.doubt(method, unknowns, (estimated, allowed), scales, count)?)
            }
            Controller::Classical => {
                let norm = self.classical_norm(scales);
                // Before a step is rejected RADAU5 filters once more (Hairer and Wanner, eq. IV.8.21; here linearised):
                // off the constraints, where runs without projection are, the drift feigns an error otherwise.
                if norm < allowed || self.projection != Projection::None {
                    return Ok(norm);
                }
                let start =
                    Beginning { v: &self.v, load: &self.load, mass: &self.mass, jacobian: &self.jacobian };
                self.estimate.filter_again(method, self.h, &start, &self.stages, count)?;
                self.classical_norm(scales)
            }
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

    fn norm(&self, error: &[f64], scales: &Scales) -> f64 {
        larger_norm(&self.layout, error.split_at(self.layout.n()), scales)
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        if self.projection == Projection::None {
            return Ok(());
        }
        // The last stage of a stiffly accurate method solves g = 0 up to Newton's tolerance: with velocity projection the
        // rest of the way to rounding is a correction of that size.
        if self.projection == Projection::Full || self.ends_on_constraints {
            self.elsewhere.0.copy_from_slice(q);
            self.manifold.project_positions_along(t, self.h, q, v, lambda, count)?;
            self.notice_jumps_of_springs(t, y);
        }
        let (q, v, _) = self.layout.split_mut(y);
        self.manifold.project_velocities(t, q, v, count)?;
        self.check_smooth_motion(t, count)
    }

    fn complete(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate_geometry(t, q, v)?;
        self.factor_manifold(count)?;
        if self.projection != Projection::None {
            self.manifold.project_positions_along(t, self.h, q, v, lambda, count)?;
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

    fn rate_later(&mut self, t: f64, rate: &mut [f64], count: &mut Statistics) -> bool {
        let (a, lambda) = &mut self.elsewhere;
        let manifold = &mut self.manifold;
        let found = manifold.evaluate(t, &self.q, &self.v, count);
        let found = found.and_then(|()| manifold.factor(count));
        let found = found.and_then(|()| manifold.accelerations(t, a, lambda, 1, count));
        rate[self.layout.v()].copy_from_slice(a);
        found.is_ok()
    }

    fn error_of_stiff_components(&self) -> f64 {
        self.stiff
    }

    fn turns_fast(&self) -> bool {
        self.strong_friction
    }

    fn springs(&self) -> Option<&dyn TreatedSprings> {
        Some(self)
    }

    fn weigh(&mut self, scales: &Scales) {
        let weights = &scales.inverse()[..self.weights.len()];
        self.weights.copy_from_slice(weights);
        self.manifold.weigh_velocities(scales.rtol(), &self.weights[self.layout.n()..]);
    }

    fn leave_smooth_motion(
        &mut self,
        t: f64,
        y: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.follow_what_vibrates(t, y, count)
    }

    fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.manifold.residuals(self.t, &self.q, &self.v, &self.a)
    }
}
