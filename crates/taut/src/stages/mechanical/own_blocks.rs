//! Newton's matrix with M, G, K and D of each stage, where one of them for all does not do.
//!
//! Across a singular configuration the combinations of gradients that vanish there change their sign, and stages on the
//! other side than the frozen G would not contract, however short the step.

use super::MechanicalStages;
use crate::geometry::evaluated::FrozenBlocks;
use crate::linear::{Blocks, Choice, KeepsPivots, Pattern, Saddle, SaddlePattern, Scales};
use crate::stages::coefficients::Coefficients;
use crate::system::{Fault, Terms};

/// The blocks of all stages, and the matrix made of them.
pub(super) struct OwnBlocks {
    pub(super) stages: Vec<FrozenBlocks>,
    /// where the entries of the matrix are, dense or sparse
    places: Pattern,
    values: Vec<f64>,
    matrix: Saddle,
    solution: Vec<f64>,
}

impl OwnBlocks {
    /// Places for the blocks of one stage, of which there will be `stages`.
    pub(super) fn new(blocks: &FrozenBlocks, stages: usize, pattern: &SaddlePattern) -> Self {
        let size = stages * pattern.size();
        let places = places(pattern, stages);
        let whole = SaddlePattern::pencil(places.clone(), Pattern::empty(size, size));
        OwnBlocks {
            stages: vec![blocks.clone(); stages],
            matrix: Saddle::new(&whole, Choice::Auto),
            values: vec![0.0; places.nnz()],
            places,
            solution: vec![0.0; size],
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
        let blocks = Blocks {
            mass: &self.values,
            damping: &[],
            stiffness: &[],
            jacobian: &[],
            compliance: &[],
            relaxation: &[],
        };
        let as_it_is = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        // Close to a singular configuration pivots of another matrix are worth nothing.
        self.matrix.choose_for(&[]);
        if self.matrix.assemble_and_factor(&blocks, as_it_is).is_err() {
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
        let (n, size) = (pattern.n, pattern.size());
        let (places, values) = (&self.places, &mut self.values);
        values.fill(0.0);
        let mut add = |row: usize, column: usize, value: f64| {
            if let Some(place) = places.position(row, column) {
                values[place] += value;
            }
        };
        let mut put = |block: &Pattern, values: &[f64], (row, column): (usize, usize), factor: f64| {
            for ((i, j), value) in block.entries().zip(values) {
                add(row + i, column + j, factor * value);
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
                add(i * size + j, i * size + n + k, *value);
            }
            for (k, compliance) in compliance.iter().enumerate() {
                let place = i * size + n + k;
                add(place, place, -compliance / (h * h));
            }
        }
    }
}

/// The entries of the matrix of all stages.
fn places(pattern: &SaddlePattern, stages: usize) -> Pattern {
    let (n, size) = (pattern.n, pattern.size());
    let full = [&pattern.damping, &pattern.stiffness].into_iter().flat_map(|block| block.entries());
    let coupled: Vec<(usize, usize)> =
        full.chain(pattern.jacobian.entries().map(|(k, j)| (n + k, j))).collect();
    let own: Vec<(usize, usize)> = pattern
        .mass
        .entries()
        .chain(pattern.jacobian.entries().map(|(k, j)| (j, n + k)))
        .chain((n..size).map(|k| (k, k)))
        .collect();
    let shifted = |entries: &[(usize, usize)], i: usize, j: usize| -> Vec<(usize, usize)> {
        entries.iter().map(|&(row, column)| (i * size + row, j * size + column)).collect()
    };
    let pairs = (0..stages).flat_map(|i| (0..stages).map(move |j| (i, j)));
    let entries = pairs.flat_map(|(i, j)| {
        let own = if i == j { shifted(&own, i, j) } else { Vec::new() };
        shifted(&coupled, i, j).into_iter().chain(own)
    });
    Pattern::from_entries(stages * size, stages * size, entries)
}

impl MechanicalStages<'_> {
    /// From now on each stage has its own blocks in Newton's matrix, evaluated in each iteration.
    pub(crate) fn give_stages_own_blocks(&mut self, stages: usize) {
        self.own = Some(Box::new(OwnBlocks::new(&self.frozen, stages, &self.pattern)));
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
