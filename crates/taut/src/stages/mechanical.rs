//! The stages of an implicit step for M(q) v' = f − Gᵀλ with constraints, in second-order form.
//!
//! Unknowns of stage i: the acceleration aᵢ and the multipliers Λᵢ. With the Runge-Kutta matrix A,
//! Qᵢ = q + cᵢ h v + h² Σ (A²)ᵢⱼ aⱼ and Vᵢ = v + h Σ Aᵢⱼ aⱼ. Newton's matrix for an eigenvalue μ of A is
//! [M − hμ D − (hμ)² K, Gᵀ; G, −C/(hμ)²]: of size n + m, with a condition that depends neither on h nor on C. A spring with
//! a damper has C/(hμ (hμ + d)) there.

mod inside;
mod known;
mod own_blocks;

use super::coefficients::Coefficients;
use super::stage_equations::{StageEquations, UpdateSize};
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::equations::{Formulation, Layout, Level};
use crate::failure::StepFailure;
use crate::geometry::evaluated::{
    Evaluated, EvaluatedTogether, FrozenBlocks, relaxation_times, row_name, saddle_pattern,
};
use crate::linear::{
    Choice, Combination, Complex, ComplexScales, Pattern, SaddleFamily, SaddlePattern, Scales as BlockScales,
    Stages,
};
use crate::motion::Statistics;
use crate::options::Controller;
use crate::system::{Dynamics, Fault, MechanicalSystem, Terms};
use own_blocks::OwnBlocks;

/// Rounding errors of positions, divided by h, look like updates of velocities; so many units are forgiven.
const FORGIVEN_ROUNDING: f64 = 50.0 * f64::EPSILON;

/// The stages of one step of a mechanical system.
pub(crate) struct MechanicalStages<'a> {
    system: &'a dyn MechanicalSystem,
    layout: Layout,
    levels: Vec<Level>,
    controller: Controller,
    pattern: SaddlePattern,
    compliance: Vec<f64>,
    /// d of damped springs; empty when there is none
    relaxation: Vec<f64>,
    t: f64,
    h: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    stage_q: Vec<f64>,
    stage_v: Vec<f64>,
    initial: Vec<f64>,
    evaluated: Evaluated,
    together: EvaluatedTogether,
    frozen: FrozenBlocks,
    /// one matrix for each eigenvalue
    pub(crate) matrices: SaddleFamily,
    /// positions and velocities that accelerations give, or their updates, stage by stage
    update_q: Vec<f64>,
    update_v: Vec<f64>,
    combination: Combination,
    /// accelerations and multipliers inside of the step
    inside: Vec<f64>,
    /// the blocks of each stage, where one set for all of them does not do
    own: Option<Box<OwnBlocks>>,
    /// constraints are imposed on these levels
    velocity_level: bool,
    acceleration_level: bool,
}

/// x += y
fn add(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y;
    }
}

/// The factors of the blocks in Newton's matrix, z = hμ.
fn real_scales(z: f64) -> BlockScales {
    // An eigenvalue 0 meets no springs: methods that have one are refused there.
    let delta = if z == 0.0 { 0.0 } else { 1.0 / (z * z) };
    BlockScales { alpha: 1.0, beta: -z, gamma: -z * z, delta }
}

/// The same for a complex eigenvalue.
fn complex_scales(z: Complex) -> ComplexScales {
    ComplexScales { alpha: Complex::from(1.0), beta: -z, gamma: -(z * z), delta: (z * z).reciprocal() }
}

impl<'a> MechanicalStages<'a> {
    pub(crate) fn new(
        system: &'a dyn MechanicalSystem,
        formulation: Formulation,
        controller: Controller,
        choice: Choice,
    ) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let levels: Vec<Level> = structure.constraints.iter().map(|c| formulation.level(c)).collect();
        MechanicalStages {
            system,
            layout: Layout::mechanical(n, m),
            velocity_level: levels.contains(&Level::Velocity),
            acceleration_level: levels.contains(&Level::Acceleration),
            levels,
            controller,
            matrices: SaddleFamily::new(&saddle_pattern(structure), choice),
            pattern: saddle_pattern(structure),
            compliance: structure.constraints.iter().map(|c| c.compliance()).collect(),
            relaxation: relaxation_times(structure),
            t: 0.0,
            h: 0.0,
            q: vec![0.0; n],
            v: vec![0.0; n],
            stage_q: Vec::new(),
            stage_v: Vec::new(),
            initial: vec![0.0; n + m],
            evaluated: Evaluated::new(structure),
            together: EvaluatedTogether::default(),
            frozen: FrozenBlocks::new(structure),
            update_q: Vec::new(),
            update_v: Vec::new(),
            combination: Combination::default(),
            inside: Vec::new(),
            own: None,
        }
    }
}

impl MechanicalStages<'_> {
    /// The residual of stage i: M a − f + GᵀΛ, and the constraints divided by powers of h.
    fn stage_residual(
        &mut self,
        t: f64,
        i: usize,
        unknowns: &[f64],
        residual: &mut [f64],
    ) -> Result<(), Fault> {
        let (n, h) = (self.layout.n(), self.h);
        let (q, v) = (&self.stage_q[i * n..(i + 1) * n], &self.stage_v[i * n..(i + 1) * n]);
        let (a, lambda) = unknowns.split_at(n);
        let (balance, rows) = residual.split_at_mut(n);
        if !self.together.holds_all() {
            self.evaluated.dynamics(self.system, t, q, v)?;
        }
        if self.velocity_level || !self.relaxation.is_empty() {
            self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        }
        if self.acceleration_level {
            self.system.curvature(t, q, v, &mut self.evaluated.curvature)?;
        }
        let Evaluated { rate, curvature, .. } = &self.evaluated;
        let [mass, force, constraint, jacobian] = self.together.of(i, &self.evaluated);
        for (balance, f) in balance.iter_mut().zip(force) {
            *balance = -f;
        }
        self.pattern.mass.multiply_add(mass, a, balance, 1.0);
        self.pattern.jacobian.transpose_multiply_add(jacobian, lambda, balance, 1.0);
        if self.acceleration_level {
            rows.fill(0.0);
            self.pattern.jacobian.multiply_add(jacobian, a, rows, 1.0);
        }
        for (k, row) in rows.iter_mut().enumerate() {
            match self.levels[k] {
                Level::Position => {
                    let creep = self.relaxation.get(k).map_or(0.0, |d| d * rate[k]);
                    *row = (constraint[k] + creep - self.compliance[k] * lambda[k]) / (h * h);
                }
                Level::Velocity => *row = rate[k] / h,
                Level::Acceleration => *row += curvature[k],
            }
        }
        Ok(())
    }

    /// What accelerations give: h²A² a for positions, h A a for velocities.
    fn integrate(&mut self, method: &Coefficients, accelerations: &[f64]) {
        let (n, h) = (self.layout.n(), self.h);
        let stages = Stages { values: accelerations, stride: self.unknowns() };
        self.update_q.resize(method.stages * n, 0.0);
        self.update_v.resize(method.stages * n, 0.0);
        self.combination.combine(&method.a_squared, h * h, stages, &mut self.update_q, n);
        self.combination.combine(&method.a, h, stages, &mut self.update_v, n);
    }

    /// Right-hand sides of constraints are divided by a power of the eigenvalue μ, since their rows of the matrix are, and
    /// by μ (μ + d/h) where a damper stands beside a spring.
    fn set_row_factors(&mut self, method: &Coefficients) {
        let Self { levels, relaxation, h, matrices, .. } = self;
        let real = method.spectrum.real.iter().map(|mu| Complex::from(*mu));
        let complex = method.spectrum.complex.iter().map(|(re, im)| Complex::new(*re, -im));
        let factors = real.chain(complex).flat_map(|mu| {
            let inverse = mu.reciprocal();
            let powers = [Complex::from(1.0), inverse, inverse * inverse];
            levels
                .iter()
                .enumerate()
                .map(move |(k, level)| (k, powers[level.integrations() as usize], inverse))
        });
        matrices.set_row_factors(factors.map(|(k, factor, inverse)| match relaxation.get(k) {
            Some(&d) if d > 0.0 => factor * (Complex::from(1.0) + inverse * (d / *h)).reciprocal(),
            _ => factor,
        }));
    }
}

impl StageEquations for MechanicalStages<'_> {
    fn unknowns(&self) -> usize {
        self.layout.n() + self.layout.m()
    }

    fn begin(&mut self, t: f64, h: f64, y: &[f64], method: &Coefficients, unknowns: &[f64]) {
        let (q, v, _) = self.layout.split(y);
        let n = self.layout.n();
        (self.t, self.h) = (t, h);
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.stage_q.resize(method.stages * n, 0.0);
        self.stage_v.resize(method.stages * n, 0.0);
        self.integrate(method, unknowns);
        for i in 0..method.stages {
            let (by_q, by_v) = (&self.update_q[i * n..][..n], &self.update_v[i * n..][..n]);
            let (stage_q, stage_v) = (&mut self.stage_q[i * n..][..n], &mut self.stage_v[i * n..][..n]);
            for k in 0..n {
                stage_q[k] = q[k] + (method.c[i] * h * v[k] + by_q[k]);
                stage_v[k] = v[k] + by_v[k];
            }
        }
    }

    fn initial_unknowns(&self, unknowns: &mut [f64]) {
        unknowns.copy_from_slice(&self.initial);
    }

    fn residual(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        residual: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let size = self.unknowns();
        let stages = unknowns.chunks_exact(size).zip(residual.chunks_exact_mut(size));
        self.together.evaluate(self.system, (self.t, self.h, &method.c), &self.stage_q, &self.stage_v)?;
        for (i, (unknowns, residual)) in stages.enumerate() {
            count.rhs += 1;
            let t = self.t + method.c[i] * self.h;
            self.stage_residual(t, i, unknowns, residual)?;
            if self.own.is_some() {
                count.jacobians += 1;
                self.evaluate_own_blocks(t, i, unknowns)?;
            }
        }
        // Others ask for the last stage.
        self.together.give(method.stages - 1, &mut self.evaluated);
        Ok(())
    }

    fn refresh(
        &mut self,
        method: &Coefficients,
        stage: usize,
        unknowns: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let n = self.layout.n();
        let t = self.t + method.c[stage] * self.h;
        let (q, v) = (&self.stage_q[stage * n..][..n], &self.stage_v[stage * n..][..n]);
        let (a, lambda) = unknowns[stage * self.unknowns()..][..self.unknowns()].split_at(n);
        let FrozenBlocks { mass, damping, stiffness, jacobian } = &mut self.frozen;
        // f and g come with M and G, since these share work.
        let Evaluated { force, constraint, .. } = &mut self.evaluated;
        self.system.dynamics(t, q, v, &mut Dynamics { mass, force, constraint, jacobian })?;
        self.system.newton_blocks(Terms::ACCELERATING, t, q, v, a, lambda, stiffness, damping)?;
        count.jacobians += 1;
        Ok(())
    }

    fn blocks(&self) -> Vec<f64> {
        let FrozenBlocks { mass, damping, stiffness, jacobian } = &self.frozen;
        [mass.as_slice(), damping, stiffness, jacobian].concat()
    }

    fn set_blocks(&mut self, blocks: &[f64]) -> bool {
        let FrozenBlocks { mass, damping, stiffness, jacobian } = &mut self.frozen;
        let places = [mass, damping, stiffness, jacobian];
        if blocks.len() != places.iter().map(|place| place.len()).sum::<usize>() {
            return false;
        }
        let mut rest = blocks;
        for place in places {
            let (own, others) = rest.split_at(place.len());
            place.copy_from_slice(own);
            rest = others;
        }
        true
    }

    fn factor(&mut self, method: &Coefficients, count: &mut Statistics) -> Result<(), StepFailure> {
        if self.own.is_some() {
            return Ok(());
        }
        self.set_row_factors(method);
        let (structure, h) = (self.system.structure(), self.h);
        let blocks = self.frozen.blocks(&self.compliance, &self.relaxation);
        let real = method.spectrum.real.iter().map(|mu| real_scales(h * mu));
        let complex = method.spectrum.complex.iter();
        let complex = complex.map(|(re, im)| complex_scales(Complex::new(h * re, -h * im)));
        count.factorizations += real.len() + complex.len();
        self.matrices
            .assemble_and_factor(&blocks, real, complex)
            .map_err(|s| StepFailure::singular(s, |row| row_name(structure, row)))
    }

    fn solve(&mut self, method: &Coefficients, residual: &mut [f64], count: &mut Statistics) {
        if let Some(own) = &mut self.own {
            own.solve(&self.pattern, method, (self.h, &self.compliance), residual);
            (count.factorizations, count.solves) = (count.factorizations + 1, count.solves + 1);
            return;
        }
        self.matrices.solve_stages(&method.spectrum, method.transformation.as_ref(), residual);
        count.solves += method.spectrum.real.len() + method.spectrum.complex.len();
    }

    fn update(&mut self, method: &Coefficients, update: &[f64], scales: &Scales) -> UpdateSize {
        let (n, size, h) = (self.layout.n(), self.unknowns(), self.h);
        let (q_scales, v_scales, lambda_scales) = self.layout.split(scales.inverse());
        let (mut square_q, mut square_v, mut square_lambda) = (0.0, 0.0, 0.0);
        self.integrate(method, update);
        add(&mut self.stage_q, &self.update_q);
        add(&mut self.stage_v, &self.update_v);
        for i in 0..method.stages {
            square_q += weighted_square(&self.update_q[i * n..][..n], q_scales);
            square_v += weighted_square(&self.update_v[i * n..][..n], v_scales);
            if self.controller == Controller::Classical {
                square_lambda += weighted_square(&update[i * size + n..][..size - n], lambda_scales);
            }
        }
        let count = method.stages * n;
        match self.controller {
            Controller::Standard | Controller::Reversible => {
                let (q_size, v_size) = (root_mean(square_q, count), root_mean(square_v, count));
                let floor = FORGIVEN_ROUNDING * root_mean(weighted_square(&self.q, v_scales), n) / h.abs();
                UpdateSize {
                    contracting: larger(q_size, h.abs() * v_size),
                    against_tolerance: q_size.max((v_size - floor).max(0.0)),
                }
            }
            Controller::Classical => {
                let square = square_q + h * h * square_v + h.powi(4) * square_lambda;
                let norm = root_mean(square, method.stages * self.layout.len());
                UpdateSize { contracting: norm, against_tolerance: norm }
            }
        }
    }

    fn answer_of_friction(&mut self) -> f64 {
        let (n, structure) = (self.layout.n(), self.system.structure());
        if structure.damping.nnz() == 0 {
            return 0.0;
        }
        let update = &self.update_v[self.update_v.len() - n..];
        let product = &mut self.update_q[..n];
        let mut size = |pattern: &Pattern, values: &[f64]| {
            product.fill(0.0);
            pattern.multiply_add(values, update, product, 1.0);
            product.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        let inertia = size(&structure.mass, &self.frozen.mass);
        let friction = size(&structure.damping, &self.frozen.damping);
        if inertia > 0.0 { self.h.abs() * friction / inertia } else { 0.0 }
    }

    fn end(&self, method: &Coefficients, unknowns: &[f64], y: &mut [f64]) {
        let (n, size, h) = (self.layout.n(), self.unknowns(), self.h);
        let (old_lambda, (q, v, lambda)) = (&self.initial[n..], self.layout.split_mut(y));
        for k in 0..n {
            let (mut to_v, mut to_q) = (0.0, 0.0);
            for i in 0..method.stages {
                let a = unknowns[i * size + k];
                to_v += method.b[i] * a;
                to_q += method.b_a[i] * a;
            }
            q[k] = self.q[k] + (h * self.v[k] + h * h * to_q);
            v[k] = self.v[k] + h * to_v;
        }
        let Some(to_end) = &method.to_end else { return };
        let old = method.weight_of_old_multipliers();
        for k in 0..self.layout.m() {
            lambda[k] = old * old_lambda[k];
            for i in 0..method.stages {
                lambda[k] += to_end[i] * unknowns[i * size + n + k];
            }
        }
    }
}
