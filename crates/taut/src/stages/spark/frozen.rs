//! Newton's matrix of a SPARK step with one mass matrix M and one Jacobian G for all stages.
//!
//! Without stiffness and damping, and with M and G of the beginning of the step, the equations for the updates are
//!
//! ```text
//! M δVᵢ + Σ âᵢⱼ Gᵀ δ(hΛⱼ) = rᵢ,    M δv₁ + Σ bⱼ Gᵀ δ(hΛⱼ) = r,    G Σ aᵢⱼ δVⱼ = ρᵢ (i = 2 … s),    G δv₁ = ρ₁.
//! ```
//!
//! Their combinations Uᵢ = Σ aᵢⱼ δVⱼ, U₁ = δv₁ and μᵢ = Σ wᵢⱼ δ(hΛⱼ), w = A Â but for its first row b, decouple: s systems
//! of size n + m with the matrix `[M Gᵀ; G 0]`, whose factors are at hand since accelerations were found with them. Where no
//! stage depends on Λ_s (Lobatto IIIB), the end is found apart, and the systems i = 2 … s for Λ₁ … Λ_{s−1} are left. What is
//! left out makes the iteration contract like O(h) instead of O(h²), and it does not contract for stiff forces.

use taut_tableau::Matrix;
use taut_tableau::number::Factored;

use super::equations::{SparkEquations, add_multiple};
use super::unknowns::Unknowns;
use crate::failure::StepFailure;
use crate::geometry::evaluated::row_name;
use crate::geometry::manifold::Manifold;
use crate::linear::{Blocks, Choice, Combination, Pattern, Pivots, Saddle, SaddlePattern, Scales, Stages};
use crate::motion::Statistics;

/// After an iteration with this matrix has failed or took too long, so many steps are taken with the whole one.
const REST: usize = 20;

/// The matrix, as far as it does not belong to the manifold.
pub(crate) struct FrozenMatrix {
    unknowns: Unknowns,
    /// 1 where the end is among the systems, the first of them
    end: usize,
    /// w⁻¹
    to_multipliers: Matrix,
    /// A without its first row, which is zero
    positions: Matrix,
    /// what takes δV₁, U₂ … U_s to δV₂ … δV_s
    to_velocities: Matrix,
    /// the first row of Â w⁻¹
    first: Vec<f64>,
    mass: Saddle,
    mass_is_constant: bool,
    mass_is_factored: bool,
    combination: Combination,
    /// the right-hand sides, then (Uᵢ, μᵢ); n more, so that the μᵢ lie as far apart from each other as from the end
    systems: Vec<f64>,
    /// Σ aᵢⱼ rⱼ, then δV₁ and the Uᵢ
    combined: Vec<f64>,
    /// so many steps are to be taken with the whole matrix
    pub(crate) rest: usize,
}

impl FrozenMatrix {
    /// The matrix for these equations; nothing where springs, conditions on velocities or coordinates with coefficients of
    /// their own need the whole one.
    pub(crate) fn new(equations: &SparkEquations<'_>, choice: Choice) -> Option<Self> {
        let (structure, unknowns, method) =
            (equations.system.structure(), equations.unknowns, &equations.method);
        let Unknowns { stages, n, m } = unknowns;
        let alike = method.toward_damped().is_none();
        if n == 0 || !alike || !structure.constraints.iter().all(|constraint| constraint.is_rod()) {
            return None;
        }
        let end = usize::from(!equations.end_is_apart);
        let systems = stages - 1 + end;
        let reactions = &method.groups.iter().find(|group| group.rods)?.matrix;
        let product = |i: usize, l: usize| (0..stages).map(|j| method.a[(i, j)] * reactions[(j, l)]).sum();
        let w = Matrix::from_fn(systems, systems, |i, l| match i < end {
            true => reactions[(stages, l)],
            false => product(i + 1 - end, l),
        });
        let inner = Matrix::from_fn(stages - 1, stages - 1, |i, j| method.a[(i + 1, j + 1)]);
        let (to_multipliers, inner) = (Factored::new(&w)?.inverse(), Factored::new(&inner)?.inverse());
        let reaction = |i: usize| (0..systems).map(|j| reactions[(0, j)] * to_multipliers[(j, i)]).sum();
        let of_first = |i: usize| -> f64 { (1..stages).map(|j| inner[(i, j - 1)] * method.a[(j, 0)]).sum() };
        Some(FrozenMatrix {
            unknowns,
            end,
            first: (0..systems).map(reaction).collect(),
            to_multipliers,
            positions: Matrix::from_fn(stages - 1, stages, |i, j| method.a[(i + 1, j)]),
            to_velocities: Matrix::from_fn(stages - 1, stages, |i, j| match j {
                0 => -of_first(i),
                _ => inner[(i, j - 1)],
            }),
            mass: Saddle::new(&SaddlePattern::pencil(structure.mass.clone(), Pattern::empty(n, n)), choice),
            mass_is_constant: structure.constant_mass,
            mass_is_factored: false,
            combination: Combination::default(),
            systems: vec![0.0; systems * (n + m) + n],
            combined: vec![0.0; stages * n],
            rest: 0,
        })
    }

    /// An iteration with this matrix has failed, or took too long.
    pub(crate) fn has_failed(&mut self) {
        self.rest = REST;
    }

    /// A step was accepted.
    pub(crate) fn count_step(&mut self) {
        self.rest = self.rest.saturating_sub(1);
    }

    /// Hands the pivots of M over, into a snapshot or out of it.
    pub(crate) fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        pivots.exchange(&mut self.mass);
    }

    /// Factors M of the manifold.
    pub(crate) fn prepare(
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

    /// Replaces residuals by the update that takes them away, nearly; of unknowns that are found apart by nothing.
    pub(crate) fn solve(&mut self, manifold: &Manifold<'_>, residual: &mut [f64], count: &mut Statistics) {
        let (unknowns, Unknowns { stages, n, m }) = (self.unknowns, self.unknowns);
        self.write_systems(residual);
        // δV₁ = M⁻¹(r₁ − Σ fᵢ Rᵢ) + Σ fᵢ Uᵢ, with the right-hand sides Rᵢ and f the first row of Â w⁻¹
        let first = &mut self.combined[..n];
        first.copy_from_slice(&residual[..n]);
        add(&self.first, -1.0, self.systems.chunks_exact(n + m), first);
        self.mass.solve_once(first);
        self.systems.chunks_exact_mut(n + m).for_each(|system| manifold.solve_once(system));
        count.solves += self.first.len() + 1;
        add(&self.first, 1.0, self.systems.chunks_exact(n + m), first);
        let moved = self.combined[n..].chunks_exact_mut(n);
        for (moved, system) in moved.zip(self.systems.chunks_exact(n + m).skip(self.end)) {
            moved.copy_from_slice(&system[..n]);
        }
        let (velocities, rest) = residual.split_at_mut(stages * n);
        velocities[..n].copy_from_slice(&self.combined[..n]);
        let combined = Stages { values: &self.combined, stride: n };
        self.combination.combine(&self.to_velocities, 1.0, combined, &mut velocities[n..], n);
        rest.fill(0.0);
        let reactions = Stages { values: &self.systems[n..], stride: n + m };
        self.combination.combine(&self.to_multipliers, 1.0, reactions, rest, m);
        if self.end == 1 {
            residual[unknowns.velocities(stages)].copy_from_slice(&self.systems[..n]);
        }
    }

    /// Solves with M, which was factored.
    pub(crate) fn solve_mass(&self, x: &mut [f64]) {
        self.mass.solve_once(x);
    }

    /// [`Self::solve`] for two stages with one velocity that is balanced: what is left are the constraints of the second one. The
    /// velocity moves like U₂, since it does so by reactions at the beginning alone.
    pub(crate) fn solve_positions(
        &self,
        manifold: &Manifold<'_>,
        residual: &mut [f64],
        count: &mut Statistics,
    ) {
        manifold.solve_rows(residual);
        count.solves += 1;
        let share = self.to_multipliers[(0, 0)];
        residual[self.unknowns.n..].iter_mut().for_each(|reaction| *reaction *= share);
    }

    /// The right-hand sides of the systems.
    fn write_systems(&mut self, residual: &[f64]) {
        let (unknowns, Unknowns { stages, n, m }) = (self.unknowns, self.unknowns);
        let balances = Stages { values: &residual[..stages * n], stride: n };
        self.combination.combine(&self.positions, 1.0, balances, &mut self.combined[n..], n);
        let mut systems = self.systems.chunks_exact_mut(n + m);
        for system in systems.by_ref().take(self.end) {
            system[..n].copy_from_slice(&residual[unknowns.velocities(stages)]);
            system[n..].copy_from_slice(&residual[unknowns.multipliers(0)]);
        }
        for ((i, system), balance) in (1..).zip(systems).zip(self.combined[n..].chunks_exact(n)) {
            system[..n].copy_from_slice(balance);
            system[n..].copy_from_slice(&residual[unknowns.multipliers(i)]);
        }
    }
}

/// Adds `factor` Σ weightⱼ vectorⱼ.
fn add<'v>(weights: &[f64], factor: f64, vectors: impl Iterator<Item = &'v [f64]>, sum: &mut [f64]) {
    for (weight, vector) in weights.iter().zip(vectors) {
        add_multiple(sum, factor * weight, vector);
    }
}
