//! The stages of an implicit step for E x' = f(t, x).
//!
//! Unknowns of stage i: the rates kᵢ, with Xᵢ = x + h Σ Aᵢⱼ kⱼ and E kᵢ = f(t + cᵢh, Xᵢ). Newton's matrix for an
//! eigenvalue g of A⁻¹ is (g/h) E − J.

use super::coefficients::Coefficients;
use super::failure::StepFailure;
use super::stage_equations::{StageEquations, UpdateSize};
use crate::control::error_norm::{Scales, root_mean};
use crate::linear::{
    Blocks, Choice, Combination, Complex, ComplexSaddle, ComplexScales, Saddle, SaddlePattern,
    Scales as BlockScales, Stages,
};
use crate::motion::Statistics;
use crate::options::Controller;
use crate::system::{Composition, Evolution, Fault};

/// The stages of one step of a first-order system.
pub(crate) struct FirstOrderStages<'a> {
    system: &'a dyn Evolution,
    controller: Controller,
    /// the index of each variable, for powers of h in norms
    index: Vec<u8>,
    pattern: SaddlePattern,
    choice: Choice,
    t: f64,
    h: f64,
    x: Vec<f64>,
    stage_x: Vec<f64>,
    rate: Vec<f64>,
    jacobian: Vec<f64>,
    real: Vec<Saddle>,
    complex: Vec<ComplexSaddle>,
    /// what updates of the rates change at the stages
    update: Vec<f64>,
    combination: Combination,
}

impl<'a> FirstOrderStages<'a> {
    pub(crate) fn new(
        system: &'a dyn Evolution,
        index: Vec<u8>,
        controller: Controller,
        choice: Choice,
    ) -> Self {
        let composition = system.composition();
        let n = composition.n();
        FirstOrderStages {
            system,
            controller,
            index,
            pattern: SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone()),
            choice,
            t: 0.0,
            h: 0.0,
            x: vec![0.0; n],
            stage_x: Vec::new(),
            rate: vec![0.0; n],
            jacobian: vec![0.0; composition.jacobian.nnz()],
            real: Vec::new(),
            complex: Vec::new(),
            update: Vec::new(),
            combination: Combination::default(),
        }
    }

    fn composition(&self) -> &'a Composition {
        self.system.composition()
    }

    /// ∂f/∂x of Newton's matrices.
    pub(crate) fn jacobian(&self) -> &[f64] {
        &self.jacobian
    }

    /// Solves with (g/h) E − J for the real eigenvalue; false when there is none.
    pub(crate) fn solve_filter(&self, method: &Coefficients, x: &mut [f64], count: &mut Statistics) -> bool {
        let Some(saddle) =
            self.real.first().filter(|_| method.spectrum.real_of_inverse.first() == Some(&method.g))
        else {
            return false;
        };
        saddle.solve(x);
        count.solves += 1;
        true
    }

    /// What rates give: h A k.
    fn integrate(&mut self, method: &Coefficients, rates: &[f64]) {
        let n = self.x.len();
        self.update.resize(method.stages * n, 0.0);
        let rates = Stages { values: rates, stride: n };
        self.combination.combine(&method.a, self.h, rates, &mut self.update, n);
    }

    /// The power of h that the error of a variable is weighted with: h for index 2, h² for index 3.
    pub(crate) fn weight(&self, i: usize) -> f64 {
        self.h.abs().powi(i32::from(self.index[i].saturating_sub(1)))
    }

    /// 1 for variables with a derivative or of index 1, 0 for those of higher index.
    pub(crate) fn weight_without_higher_index(&self, i: usize) -> f64 {
        f64::from(u8::from(self.index[i] < 2))
    }

    pub(crate) fn size(&self) -> usize {
        self.x.len()
    }
}

/// The blocks of the matrix (g/h) E − J.
pub(crate) fn pencil<'b>(composition: &'b Composition, jacobian: &'b [f64]) -> Blocks<'b> {
    Blocks {
        mass: &composition.mass_values,
        damping: &[],
        stiffness: jacobian,
        jacobian: &[],
        compliance: &[],
        relaxation: &[],
    }
}

/// The scales of the matrix (g/h) E − J, or of E when g is infinite.
pub(crate) fn pencil_scales(g: f64, h: f64) -> BlockScales {
    if g.is_finite() {
        BlockScales { alpha: g / h, beta: 0.0, gamma: -1.0, delta: 0.0 }
    } else {
        BlockScales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 }
    }
}

impl StageEquations for FirstOrderStages<'_> {
    fn unknowns(&self) -> usize {
        self.x.len()
    }

    fn begin(&mut self, t: f64, h: f64, y: &[f64], method: &Coefficients, unknowns: &[f64]) {
        let n = self.x.len();
        (self.t, self.h) = (t, h);
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

    fn residual(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        residual: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let n = self.x.len();
        let composition = self.composition();
        for i in 0..method.stages {
            let residual = &mut residual[i * n..][..n];
            self.system.rate(self.t + method.c[i] * self.h, &self.stage_x[i * n..][..n], &mut self.rate)?;
            count.rhs += 1;
            for (residual, rate) in residual.iter_mut().zip(&self.rate) {
                *residual = -rate;
            }
            let rates = &unknowns[i * n..][..n];
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
        while self.real.len() < method.spectrum.real.len() {
            self.real.push(Saddle::new(&self.pattern, self.choice));
        }
        while self.complex.len() < method.spectrum.complex.len() {
            self.complex.push(ComplexSaddle::new(&self.pattern, self.choice));
        }
        let composition = self.system.composition();
        let blocks = pencil(composition, &self.jacobian);
        let name = |row: usize| composition.variables.get(row).cloned().unwrap_or_default();
        for (saddle, g) in self.real.iter_mut().zip(&method.spectrum.real_of_inverse) {
            count.factorizations += 1;
            saddle
                .assemble_and_factor(&blocks, pencil_scales(*g, self.h))
                .map_err(|s| StepFailure::singular(s, name))?;
        }
        for (saddle, &(re, im)) in self.complex.iter_mut().zip(&method.spectrum.complex_of_inverse) {
            let scales = ComplexScales {
                alpha: Complex::new(re / self.h, -im / self.h),
                beta: Complex::ZERO,
                gamma: Complex::from(-1.0),
                delta: Complex::ZERO,
            };
            count.factorizations += 1;
            saddle.assemble_and_factor(&blocks, scales).map_err(|s| StepFailure::singular(s, name))?;
        }
        Ok(())
    }

    fn solve(&mut self, method: &Coefficients, transformed: &mut [f64], count: &mut Statistics) {
        let (n, h) = (self.x.len(), self.h);
        let (real, complex) = transformed.split_at_mut(method.spectrum.real.len() * n);
        let systems = self.real.iter().zip(&method.spectrum.real_of_inverse);
        for (x, (saddle, g)) in real.chunks_exact_mut(n).zip(systems) {
            saddle.solve_once(x);
            count.solves += 1;
            if g.is_finite() {
                x.iter_mut().for_each(|x| *x *= g / h);
            }
        }
        let systems = self.complex.iter().zip(&method.spectrum.complex_of_inverse);
        for (x, (saddle, &(re, im))) in complex.chunks_exact_mut(2 * n).zip(systems) {
            let (x_re, x_im) = x.split_at_mut(n);
            saddle.solve_once(x_re, x_im);
            count.solves += 1;
            let factor = Complex::new(re / h, -im / h);
            for (x_re, x_im) in x_re.iter_mut().zip(x_im) {
                let rate = Complex::new(*x_re, *x_im) * factor;
                (*x_re, *x_im) = (rate.re, rate.im);
            }
        }
    }

    fn update(&mut self, method: &Coefficients, update: &[f64], scales: &Scales) -> UpdateSize {
        let n = self.x.len();
        self.integrate(method, update);
        for (x, update) in self.stage_x.iter_mut().zip(&self.update) {
            *x += update;
        }
        let mut square = 0.0;
        for k in 0..n {
            let scale = scales.inverse()[k] * self.weight(k);
            let changes = self.update.iter().skip(k).step_by(n);
            square += changes.map(|change| (change * scale) * (change * scale)).sum::<f64>();
        }
        let size = root_mean(square, method.stages * n);
        let forgiven = match self.controller {
            Controller::Standard | Controller::Reversible => 4.0 * f64::EPSILON,
            Controller::Classical => 0.0,
        };
        UpdateSize { contracting: size, against_tolerance: (size - forgiven).max(0.0) }
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
