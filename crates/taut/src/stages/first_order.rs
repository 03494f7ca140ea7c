//! The stages of an implicit step for E x' = f(t, x).
//!
//! Unknowns of stage i: the rates kᵢ, with Xᵢ = x + h Σ Aᵢⱼ kⱼ and E kᵢ = f(t + cᵢh, Xᵢ). Newton's matrix for an
//! eigenvalue μ of A is E − hμ J.

mod turning;

use turning::Turning;

use super::coefficients::Coefficients;
use super::stage_equations::{StageEquations, UpdateSize};
use crate::control::error_norm::{Scales, root_mean, weighted_square};
use crate::failure::StepFailure;
use crate::geometry::pencil::{pencil, pencil_scales};
use crate::linear::{
    Choice, Combination, Complex, ComplexScales, SaddleFamily, SaddlePattern, Scales as BlockScales, Stages,
};
use crate::motion::Statistics;
use crate::options::Controller;
use crate::system::{Fault, FirstOrderSystem};

/// The stages of one step of a first-order system.
pub(crate) struct FirstOrderStages<'a> {
    system: &'a dyn FirstOrderSystem,
    controller: Controller,
    /// the index of each variable, for powers of h in norms
    index: Vec<u8>,
    /// whether one of them is above 1
    higher_index: bool,
    /// these powers
    weights: Vec<f64>,
    /// the weights of updates of all stages in norms; empty before the first update of a step
    norm_weights: Vec<f64>,
    /// E is the identity
    ordinary: bool,
    t: f64,
    h: f64,
    x: Vec<f64>,
    stage_x: Vec<f64>,
    /// of the stages
    times: Vec<f64>,
    jacobian: Vec<f64>,
    /// one matrix for each eigenvalue
    pub(crate) matrices: SaddleFamily,
    /// what updates of the rates change at the stages
    update: Vec<f64>,
    combination: Combination,
    /// what the last iteration found of the equation of the last stage, before its update
    last_residual: Vec<f64>,
    choice: Choice,
    /// a Jacobian for each stage, since it was needed first
    turning: Option<Box<Turning>>,
}

impl<'a> FirstOrderStages<'a> {
    pub(crate) fn new(
        system: &'a dyn FirstOrderSystem,
        index: Vec<u8>,
        controller: Controller,
        choice: Choice,
    ) -> Self {
        let composition = system.composition();
        let n = composition.n();
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        FirstOrderStages {
            system,
            controller,
            higher_index: index.iter().any(|&index| index > 1),
            index,
            weights: vec![1.0; n],
            norm_weights: Vec::new(),
            ordinary: composition.is_ordinary(),
            t: 0.0,
            h: 0.0,
            x: vec![0.0; n],
            stage_x: Vec::new(),
            times: Vec::new(),
            jacobian: vec![0.0; composition.jacobian.nnz()],
            matrices: SaddleFamily::new(&pattern, choice),
            update: Vec::new(),
            combination: Combination::default(),
            last_residual: vec![0.0; n],
            choice,
            turning: None,
        }
    }

    /// ∂f/∂x of the filter of the error estimate, where [`FirstOrderStages::solve_filter`] has none: where the stiff direction
    /// turns, that of the beginning of the step.
    pub(crate) fn jacobian_of_filter(&self) -> &[f64] {
        match &self.turning {
            Some(turning) if turning.on => &turning.at_start,
            _ => &self.jacobian,
        }
    }

    /// Solves with (g/h) E − J, 1/g the real eigenvalue of A; false when there is none.
    pub(crate) fn solve_filter(&self, method: &Coefficients, x: &mut [f64], count: &mut Statistics) -> bool {
        let has_real = !self.turns() && method.spectrum.real_of_inverse.first() == Some(&method.g);
        if has_real {
            self.matrices.solve_first(x);
            if !is_single(method) {
                x.iter_mut().for_each(|x| *x *= self.h / method.g);
            }
            count.solves += 1;
        }
        has_real
    }

    /// What rates give: h A k.
    fn integrate(&mut self, method: &Coefficients, rates: &[f64]) {
        let n = self.x.len();
        self.update.resize(method.stages * n, 0.0);
        let rates = Stages { values: rates, stride: n };
        self.combination.combine(&method.a, self.h, rates, &mut self.update, n);
    }

    /// The powers of h that errors of variables are weighted with: h for index 2, h² for index 3.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// 1 for variables with a derivative or of index 1, 0 for those of higher index.
    pub(crate) fn weight_without_higher_index(&self, i: usize) -> f64 {
        f64::from(u8::from(self.index[i] < 2))
    }

    /// k − f(x) of the last stage as the last iteration found it, before its update; where all variables have derivatives.
    pub(crate) fn last_residual(&self) -> &[f64] {
        &self.last_residual
    }

    /// Times and states of the stages.
    pub(crate) fn states(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.times.iter().copied().zip(self.stage_x.chunks_exact(self.x.len().max(1)))
    }

    /// The length that stages are found with: that of the step, or what takes its place in a formula.
    pub(crate) fn length(&self) -> f64 {
        self.h
    }

    pub(crate) fn size(&self) -> usize {
        self.x.len()
    }
}

/// Whether there is one stage only. Its matrix is (g/h) E − J: with E − hμ J, which differs in rounding only, variables of
/// index 2 of the charge pump were wrong by 4e-4 with `bdf` and atol 1e-13, where voltages are close to rounding errors.
fn is_single(method: &Coefficients) -> bool {
    method.stages == 1
}

impl StageEquations for FirstOrderStages<'_> {
    fn unknowns(&self) -> usize {
        self.x.len()
    }

    fn begin(&mut self, t: f64, h: f64, y: &[f64], method: &Coefficients, unknowns: &[f64]) {
        let n = self.x.len();
        (self.t, self.h) = (t, h);
        for (weight, &index) in self.weights.iter_mut().zip(&self.index).filter(|(_, index)| **index > 1) {
            *weight = h.abs().powi(i32::from(index) - 1);
        }
        self.norm_weights.clear();
        self.turning.iter_mut().for_each(|turning| turning.begins = true);
        self.x.copy_from_slice(y);
        self.stage_x.resize(method.stages * n, 0.0);
        self.integrate(method, unknowns);
        for (stage, update) in self.stage_x.chunks_exact_mut(n).zip(self.update.chunks_exact(n)) {
            for ((x, y), update) in stage.iter_mut().zip(y).zip(update) {
                *x = y + update;
            }
        }
    }

    fn initial_unknowns(&self, unknowns: &mut [f64]) {
        unknowns.fill(0.0);
    }

    fn prefers_lines(&self) -> bool {
        self.ordinary
    }

    fn residual(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        residual: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        if self.turns() {
            return self.displacements(method, unknowns, residual, count);
        }
        let n = self.x.len();
        self.times.clear();
        self.times.extend(method.c.iter().map(|c| self.t + c * self.h));
        count.rhs += self.times.len();
        self.system.rates_of_several(&self.times, &self.stage_x, residual)?;
        if self.ordinary {
            residual.iter_mut().zip(unknowns).for_each(|(residual, rate)| *residual = rate - *residual);
            self.last_residual.copy_from_slice(&residual[residual.len() - n..]);
            return Ok(());
        }
        let composition = self.system.composition();
        for (residual, rates) in residual.chunks_exact_mut(n).zip(unknowns.chunks_exact(n)) {
            residual.iter_mut().for_each(|residual| *residual = -*residual);
            composition.mass.multiply_add(&composition.mass_values, rates, residual, 1.0);
        }
        Ok(())
    }

    fn refresh(
        &mut self,
        method: &Coefficients,
        stage: usize,
        _unknowns: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let n = self.x.len();
        let t = self.t + method.c[stage] * self.h;
        count.jacobians += 1;
        self.system.jacobian(t, &self.stage_x[stage * n..][..n], &mut self.jacobian)
    }

    fn blocks(&self) -> Vec<f64> {
        self.jacobian.clone()
    }

    fn set_blocks(&mut self, blocks: &[f64]) -> bool {
        let fits = blocks.len() == self.jacobian.len();
        if fits {
            self.jacobian.copy_from_slice(blocks);
        }
        fits
    }

    fn factor(&mut self, method: &Coefficients, count: &mut Statistics) -> Result<(), StepFailure> {
        let (composition, h) = (self.system.composition(), self.h);
        let blocks = pencil(composition, &self.jacobian);
        let single = is_single(method);
        let real = method.spectrum.real.iter().zip(&method.spectrum.real_of_inverse);
        let real = real.map(|(mu, g)| match single {
            true => pencil_scales(*g, h),
            false => BlockScales { alpha: 1.0, beta: 0.0, gamma: -h * mu, delta: 0.0 },
        });
        let complex = method.spectrum.complex.iter().map(|(re, im)| ComplexScales {
            alpha: Complex::from(1.0),
            beta: Complex::ZERO,
            gamma: Complex::new(-h * re, h * im),
            delta: Complex::ZERO,
        });
        count.factorizations += real.len() + complex.len();
        let name = |row: usize| composition.variables.get(row).cloned().unwrap_or_default();
        self.matrices
            .assemble_and_factor(&blocks, real, complex)
            .map_err(|singular| StepFailure::singular(singular, name))
    }

    fn solve(&mut self, method: &Coefficients, residual: &mut [f64], count: &mut Statistics) {
        if self.turns() {
            return self.rates_of_displacements(method, residual, count);
        }
        self.matrices.solve_stages(&method.spectrum, method.transformation.as_ref(), residual);
        if is_single(method) && method.g.is_finite() {
            residual.iter_mut().for_each(|x| *x *= method.g / self.h);
        }
        count.solves += method.spectrum.real.len() + method.spectrum.complex.len();
    }

    fn update(&mut self, method: &Coefficients, update: &[f64], scales: &Scales) -> UpdateSize {
        let n = self.x.len();
        self.integrate(method, update);
        if self.norm_weights.len() != self.update.len() {
            self.norm_weights.clear();
            for _ in 0..method.stages {
                let weights = scales.inverse().iter().zip(&self.weights);
                self.norm_weights.extend(weights.map(|(scale, weight)| scale * weight));
            }
        }
        self.stage_x.iter_mut().zip(&self.update).for_each(|(x, update)| *x += update);
        let size = root_mean(weighted_square(&self.update, &self.norm_weights), method.stages * n);
        let forgiven = match self.controller {
            Controller::Standard | Controller::Reversible => 4.0 * f64::EPSILON,
            Controller::Classical => 0.0,
        };
        UpdateSize { contracting: size, against_tolerance: (size - forgiven).max(0.0) }
    }

    fn doubts_first_iteration(&self) -> bool {
        self.higher_index
    }

    fn turn(&mut self, method: &Coefficients, scales: Option<&Scales>) -> bool {
        self.take_up(method, scales)
    }

    fn finish(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        count: &mut Statistics,
    ) -> Result<bool, Fault> {
        if self.turns() { self.clean_last_stage(method, unknowns, count) } else { Ok(true) }
    }

    fn contraction_of_one_jacobian(&mut self, method: &Coefficients) -> f64 {
        FirstOrderStages::contraction_of_one_jacobian(self, method)
    }

    fn end(&self, method: &Coefficients, unknowns: &[f64], y: &mut [f64]) {
        let n = self.x.len();
        if method.stiffly_accurate {
            y.copy_from_slice(&self.stage_x[(method.stages - 1) * n..]);
            return;
        }
        y.copy_from_slice(&self.x);
        for (b, rates) in method.b.iter().zip(unknowns.chunks_exact(n)) {
            for (y, rate) in y.iter_mut().zip(rates) {
                *y += self.h * b * rate;
            }
        }
    }
}
