//! Newton's matrix with M, G, K and D of each stage, where one of them for all does not do.
//!
//! Across a singular configuration the combinations of gradients that vanish there change their sign, and stages on the
//! other side than the frozen G would not contract, however short the step.

use super::MechanicalStages;
use crate::geometry::evaluated::FrozenBlocks;
use crate::linear::{DenseLu, Pattern, SaddlePattern};
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StageEquations;
use crate::system::{Fault, Terms};

/// The blocks of all stages, and the matrix made of them.
pub(super) struct OwnBlocks {
    pub(super) stages: Vec<FrozenBlocks>,
    matrix: DenseLu,
    solution: Vec<f64>,
}

impl OwnBlocks {
    /// Places for the blocks of one stage, of which there will be `stages`.
    pub(super) fn new(blocks: &FrozenBlocks, stages: usize, size: usize) -> Self {
        OwnBlocks {
            stages: vec![blocks.clone(); stages],
            matrix: DenseLu::new(stages * size),
            solution: vec![0.0; stages * size],
        }
    }

    /// Replaces residuals of all stages by updates of their unknowns; by numbers that are none where the matrix is singular.
    pub(super) fn solve(
        &mut self,
        pattern: &SaddlePattern,
        method: &Coefficients,
        (h, compliance): (f64, &[f64]),
        residual: &mut [f64],
    ) {
        self.assemble(pattern, method, h, compliance);
        if self.matrix.factor().is_err() {
            residual.fill(f64::NAN);
            return;
        }
        self.solution.copy_from_slice(residual);
        self.matrix.solve(&mut self.solution);
        for (residual, solution) in residual.iter_mut().zip(&self.solution) {
            *residual = -solution;
        }
    }

    /// δᵢⱼ M − h aᵢⱼ D − h² (A²)ᵢⱼ K beside δᵢⱼ Gᵀ, and (A²)ᵢⱼ G beside −δᵢⱼ C/h².
    fn assemble(&mut self, pattern: &SaddlePattern, method: &Coefficients, h: f64, compliance: &[f64]) {
        let (n, size, stride) = (pattern.n, pattern.n + pattern.m, self.matrix.stride());
        let matrix = self.matrix.matrix_mut();
        matrix.fill(0.0);
        let mut put = |block: &Pattern, values: &[f64], (row, column): (usize, usize), factor: f64| {
            for ((i, j), value) in block.entries().zip(values) {
                matrix[row + i + (column + j) * stride] += factor * value;
            }
        };
        for (i, own) in self.stages.iter().enumerate() {
            for j in 0..method.stages {
                let (row, column) = (i * size, j * size);
                let (a, a_squared) = (method.a[(i, j)], method.a_squared[(i, j)]);
                put(&pattern.damping, &own.damping, (row, column), -h * a);
                put(&pattern.stiffness, &own.stiffness, (row, column), -h * h * a_squared);
                put(&pattern.jacobian, &own.jacobian, (row + n, column), a_squared);
            }
            put(&pattern.mass, &own.mass, (i * size, i * size), 1.0);
        }
        for (i, own) in self.stages.iter().enumerate() {
            for ((k, j), value) in pattern.jacobian.entries().zip(&own.jacobian) {
                matrix[i * size + j + (i * size + n + k) * stride] += value;
            }
            for (k, compliance) in compliance.iter().enumerate() {
                let place = i * size + n + k;
                matrix[place + place * stride] -= compliance / (h * h);
            }
        }
    }
}

impl MechanicalStages<'_> {
    /// From now on each stage has its own blocks in Newton's matrix, evaluated in each iteration.
    pub(crate) fn give_stages_own_blocks(&mut self, stages: usize) {
        self.own = Some(Box::new(OwnBlocks::new(&self.frozen, stages, self.unknowns())));
    }

    /// Evaluates the blocks of stage i, whose M and G were evaluated last.
    pub(super) fn evaluate_own_blocks(&mut self, t: f64, i: usize, unknowns: &[f64]) -> Result<(), Fault> {
        let n = self.layout.n();
        let Some(own) = &mut self.own else { return Ok(()) };
        let (q, v) = (&self.stage_q[i * n..][..n], &self.stage_v[i * n..][..n]);
        let (a, lambda) = unknowns.split_at(n);
        let FrozenBlocks { mass, damping, stiffness, jacobian } = &mut own.stages[i];
        let [mass_there, _, _, jacobian_there] = self.together.of(i, &self.evaluated);
        mass.copy_from_slice(mass_there);
        jacobian.copy_from_slice(jacobian_there);
        self.system.newton_blocks(Terms::ACCELERATING, t, q, v, a, lambda, stiffness, damping)
    }
}
