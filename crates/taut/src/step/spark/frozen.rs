//! Newton's matrix of a SPARK step with one mass matrix M and one Jacobian G for all stages.
//!
//! Without stiffness and damping, and with M and G of the beginning of the step, the equations for the updates are
//!
//! ```text
//! M δVᵢ + Σ âᵢⱼ Gᵀ δ(hΛⱼ) = rᵢ,    M δv₁ + Σ bⱼ Gᵀ δ(hΛⱼ) = r,    G Σ aᵢⱼ δVⱼ = ρᵢ (i = 2 … s),    G δv₁ = ρ₁.
//! ```
//!
//! Their combinations Uᵢ = Σ aᵢⱼ δVⱼ, U₁ = δv₁ and μᵢ = Σ wᵢⱼ δ(hΛⱼ), w = A Â but for its first row b, decouple: s systems
//! of size n + m with the matrix `[M Gᵀ; G 0]`, whose factors are at hand since accelerations were found with them. What is
//! left out makes the iteration contract like O(h) instead of O(h²), and it does not contract for stiff forces.

use taut_tableau::Matrix;
use taut_tableau::number::Factored;

use super::equations::SparkEquations;
use super::unknowns::Unknowns;
use crate::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::step::failure::StepFailure;
use crate::step::manifold::Manifold;
use crate::step::mechanical_stages::row_name;

/// After an iteration with this matrix has failed or took too long, so many steps are taken with the whole one.
const REST: usize = 20;

/// The matrix, as far as it does not belong to the manifold.
pub(super) struct FrozenMatrix {
    unknowns: Unknowns,
    /// w⁻¹
    to_multipliers: Matrix,
    /// A without its first row, which is zero
    positions: Matrix,
    /// the inverse of A without its first row and column
    to_velocities: Matrix,
    /// the first row of Â w⁻¹
    first: Vec<f64>,
    mass: Saddle,
    mass_is_constant: bool,
    mass_is_factored: bool,
    /// the right-hand sides, then (Uᵢ, μᵢ)
    systems: Vec<f64>,
    /// so many steps are to be taken with the whole matrix
    pub(super) rest: usize,
}

impl FrozenMatrix {
    /// The matrix for these equations; nothing where springs or conditions on velocities need the whole one.
    pub(super) fn new(equations: &SparkEquations<'_>, choice: Choice) -> Option<Self> {
        let (structure, unknowns, method) =
            (equations.system.structure(), equations.unknowns, &equations.method);
        let Unknowns { stages, n, m } = unknowns;
        if n == 0 || !structure.constraints.iter().all(|constraint| constraint.is_rod()) {
            return None;
        }
        let reactions = &method.groups.iter().find(|group| group.rods)?.matrix;
        let product = |i: usize, l: usize| (0..stages).map(|j| method.a[(i, j)] * reactions[(j, l)]).sum();
        let w = Matrix::from_fn(
            stages,
            stages,
            |i, l| if i == 0 { reactions[(stages, l)] } else { product(i, l) },
        );
        let inner = Matrix::from_fn(stages - 1, stages - 1, |i, j| method.a[(i + 1, j + 1)]);
        let to_multipliers = Factored::new(&w)?.inverse();
        let reaction = |i: usize| (0..stages).map(|j| reactions[(0, j)] * to_multipliers[(j, i)]).sum();
        Some(FrozenMatrix {
            unknowns,
            first: (0..stages).map(reaction).collect(),
            to_multipliers,
            positions: Matrix::from_fn(stages - 1, stages, |i, j| method.a[(i + 1, j)]),
            to_velocities: Factored::new(&inner)?.inverse(),
            mass: Saddle::new(&SaddlePattern::pencil(structure.mass.clone(), Pattern::empty(n, n)), choice),
            mass_is_constant: structure.constant_mass,
            mass_is_factored: false,
            systems: vec![0.0; stages * (n + m)],
            rest: 0,
        })
    }

    /// An iteration with this matrix has failed, or took too long.
    pub(super) fn has_failed(&mut self) {
        self.rest = REST;
    }

    /// A step was accepted.
    pub(super) fn count_step(&mut self) {
        self.rest = self.rest.saturating_sub(1);
    }

    /// The values for which the pivots of M were chosen, for a snapshot.
    pub(super) fn pivots_chosen_for(&self) -> &[f64] {
        self.mass.pivots_chosen_for()
    }

    /// Chooses the pivots of M as in a snapshot; false when it does not fit.
    pub(super) fn choose_pivots_for(&mut self, values: &[f64]) -> bool {
        self.mass.choose_pivots_for(values)
    }

    /// Factors M of the manifold.
    pub(super) fn prepare(
        &mut self,
        manifold: &Manifold<'_>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.mass_is_constant && self.mass_is_factored {
            return Ok(());
        }
        let mass = &manifold.evaluated().mass;
        let blocks =
            Blocks { mass, damping: &[], stiffness: &[], jacobian: &[], compliance: &[], relaxation: &[] };
        // The one factorisation of a constant M is not counted: a run that goes on from a snapshot makes another.
        count.factorizations += usize::from(!self.mass_is_constant);
        self.mass
            .assemble_and_factor(&blocks, Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 })
            .map_err(|s| StepFailure::singular(s, |row| row_name(manifold.structure(), row)))?;
        self.mass_is_factored = true;
        Ok(())
    }

    /// Replaces residuals by the update that takes them away, nearly.
    pub(super) fn solve(&mut self, manifold: &Manifold<'_>, residual: &mut [f64], count: &mut Statistics) {
        let (unknowns, Unknowns { stages, n, m }) = (self.unknowns, self.unknowns);
        for (i, system) in self.systems.chunks_exact_mut(n + m).enumerate() {
            let (balance, rows) = system.split_at_mut(n);
            rows.copy_from_slice(&residual[unknowns.multipliers(i)]);
            if i == 0 {
                balance.copy_from_slice(&residual[unknowns.velocities(stages)]);
            } else {
                combine(self.positions.row(i - 1), |j| &residual[unknowns.velocities(j)], balance);
            }
        }
        // δV₁ = M⁻¹(r₁ − Σ fᵢ Rᵢ) + Σ fᵢ Uᵢ, with the right-hand sides Rᵢ and f the first row of Â w⁻¹
        let first = &mut residual[unknowns.velocities(0)];
        add(&self.first, -1.0, self.systems.chunks_exact(n + m), first);
        self.mass.solve_once(first);
        self.systems.chunks_exact_mut(n + m).for_each(|system| manifold.solve_once(system));
        count.solves += stages + 1;
        add(&self.first, 1.0, self.systems.chunks_exact(n + m), first);
        for i in 0..stages {
            let part = |j: usize| &self.systems[j * (n + m) + n..(j + 1) * (n + m)];
            combine(self.to_multipliers.row(i), part, &mut residual[unknowns.multipliers(i)]);
        }
        residual[unknowns.velocities(stages)].copy_from_slice(&self.systems[..n]);
        let (first, others) = residual[..stages * n].split_at_mut(n);
        for (system, positions) in self.systems.chunks_exact_mut(n + m).skip(1).zip(0..) {
            let weight = self.positions[(positions, 0)];
            system.iter_mut().zip(&*first).for_each(|(u, v)| *u -= weight * v);
        }
        for (i, velocity) in others.chunks_exact_mut(n).enumerate() {
            let part = |j: usize| &self.systems[(j + 1) * (n + m)..(j + 1) * (n + m) + n];
            combine(self.to_velocities.row(i), part, velocity);
        }
    }
}

/// Adds `factor` Σ weightⱼ vectorⱼ.
fn add<'v>(weights: &[f64], factor: f64, vectors: impl Iterator<Item = &'v [f64]>, sum: &mut [f64]) {
    for (weight, vector) in weights.iter().zip(vectors).filter(|(weight, _)| **weight != 0.0) {
        for (sum, x) in sum.iter_mut().zip(vector) {
            *sum += factor * weight * x;
        }
    }
}

/// Σ weightⱼ vectorⱼ
fn combine<'v>(weights: &[f64], vector: impl Fn(usize) -> &'v [f64], sum: &mut [f64]) {
    sum.fill(0.0);
    add(weights, 1.0, (0..weights.len()).map(vector), sum);
}
