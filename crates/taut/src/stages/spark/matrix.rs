//! Newton's matrix of a SPARK step: all stages together, by one dense or sparse elimination of s (n + m) + n unknowns.
//!
//! The derivative blocks are those of each stage. Rows of constraints are divided by h and multipliers multiplied by it,
//! so that the condition does not depend on h: the part of the multipliers tends to [N; bᵀ] ⊗ G M⁻¹Gᵀ, which is regular by
//! (21c). What is left out, ∂(G v)/∂q of (17g), couples v₁ to what does not depend on it and costs one iteration.

use super::equations::{SparkEquations, add_multiple};
use super::unknowns::Unknowns;
use super::whole::WholeMatrix;
use crate::failure::StepFailure;
use crate::geometry::evaluated::row_name;
use crate::linear::{Choice, Pattern};
use crate::method::Damping;
use crate::motion::Statistics;
use crate::snapshot::{Snapshot, SnapshotError};
use crate::system::{Fault, Structure, Terms};

/// Newton's matrix and the derivative blocks it is made of.
pub(crate) struct SparkMatrix {
    places: Places,
    pub(crate) whole: WholeMatrix,
    stages: Vec<StageBlocks>,
    no_acceleration: Vec<f64>,
    lambda: Vec<f64>,
    unused: Vec<f64>,
}

/// The derivative blocks of one stage.
struct StageBlocks {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    /// −∂(M V)/∂q
    inertia: Vec<f64>,
    /// ∂/∂q and ∂/∂v of the forces of each group
    forces: Vec<(Vec<f64>, Vec<f64>)>,
}

/// For each block of the matrix the places of its entries.
struct Places {
    /// by row of momentum balances and stage
    stiffness: Vec<Vec<Vec<usize>>>,
    damping: Vec<Vec<Vec<usize>>>,
    transposed_jacobian: Vec<Vec<Vec<usize>>>,
    mass: Vec<Vec<usize>>,
    /// by constraint rows of a stage and velocities of a stage; the end comes last
    jacobian: Vec<Vec<Vec<usize>>>,
    /// the diagonal of the constraint rows
    compliance: Vec<Vec<usize>>,
}

impl SparkMatrix {
    pub(crate) fn new(equations: &SparkEquations<'_>, choice: Choice) -> Self {
        let (structure, unknowns) = (equations.system.structure(), equations.unknowns);
        let (pattern, places) = Pattern::with_places(unknowns.len(), unknowns.len(), |place| {
            Places::new(structure, unknowns, place)
        });
        let blocks = || StageBlocks {
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            inertia: vec![0.0; structure.stiffness.nnz()],
            forces: vec![
                (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
                equations.method.groups.len()
            ],
        };
        SparkMatrix {
            places,
            whole: WholeMatrix::new(pattern, choice, || unknowns.behind_coordinates(structure)),
            stages: (0..unknowns.stages).map(|_| blocks()).collect(),
            no_acceleration: vec![0.0; unknowns.n],
            lambda: vec![0.0; unknowns.m],
            unused: vec![0.0; structure.damping.nnz()],
        }
    }

    /// Evaluates the derivative blocks at the stages that the unknowns `x` give.
    pub(crate) fn refresh(
        &mut self,
        equations: &mut SparkEquations<'_>,
        x: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        equations.place_stages(x);
        let (system, unknowns, h) = (equations.system, equations.unknowns, equations.h);
        let constant_mass = system.structure().constant_mass;
        count.jacobians += 1;
        for (i, blocks) in self.stages.iter_mut().enumerate() {
            let (t, q) = (equations.stage_time(i), &equations.positions[unknowns.stage(i)]);
            let v = &x[unknowns.velocities(i)];
            system.mass(q, &mut blocks.mass)?;
            system.jacobian(t, q, v, &mut blocks.jacobian)?;
            if !constant_mass {
                self.lambda.fill(0.0);
                let (inertia, unused) = (&mut blocks.inertia, &mut self.unused);
                system.newton_blocks(Terms::NONE, t, q, v, v, &self.lambda, inertia, unused)?;
            }
            for (group, (stiffness, damping)) in equations.method.groups.iter().zip(&mut blocks.forces) {
                let multipliers = x[unknowns.multipliers(i)].iter().zip(&equations.compliance);
                for (lambda, (multiplier, compliance)) in self.lambda.iter_mut().zip(multipliers) {
                    *lambda = if group.holds(*compliance) { multiplier / h } else { 0.0 };
                }
                let (a, lambda) = (&self.no_acceleration, &self.lambda);
                system.newton_blocks(group.terms, t, q, v, a, lambda, stiffness, damping)?;
            }
        }
        Ok(())
    }

    /// Puts the matrix together and factors it.
    pub(crate) fn factor(
        &mut self,
        equations: &SparkEquations<'_>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.whole.values.fill(0.0);
        for r in 0..=equations.unknowns.stages {
            self.add_momentum_balance(equations, r);
        }
        self.add_constraints(equations);
        count.factorizations += 1;
        self.whole.eliminate(|k| name(equations, k))
    }

    /// Factors a matrix from a snapshot.
    pub(crate) fn recall(
        &mut self,
        equations: &SparkEquations<'_>,
        snapshot: &Snapshot,
    ) -> Result<(), SnapshotError> {
        self.whole.recall(snapshot, |k| name(equations, k))
    }

    /// Adds to the two parts of the error estimate (38) how they change along a direction of the unknowns (and its factor)
    /// when the length changes by dh: h Σ eᵢ dVᵢ + dh Σ eᵢ Vᵢ, and Σ eᵢ of h (K dQᵢ + D dVᵢ) + dh f − Gᵀ d(hΛᵢ).
    pub(crate) fn add_estimate_change(
        &self,
        equations: &SparkEquations<'_>,
        x: &[f64],
        (direction, factor): (&[f64], f64),
        dh: f64,
        [of_q, of_p]: &mut [Vec<f64>; 2],
        [displacement, velocity]: &mut [Vec<f64>; 2],
    ) {
        let (method, unknowns, h) = (&equations.method, equations.unknowns, equations.h);
        let structure = equations.system.structure();
        for (i, (weight, blocks)) in method.error_weights.iter().zip(&self.stages).enumerate() {
            displacement.fill(0.0);
            for (j, a) in method.positions().row(i).iter().enumerate() {
                let range = unknowns.velocities(j);
                for ((dq, dv), v) in displacement.iter_mut().zip(&direction[range.clone()]).zip(&x[range]) {
                    *dq += a * (h * factor * dv + dh * v);
                }
            }
            match unknowns.estimating_velocities(i) {
                Some(range) => {
                    for ((e, dv), v) in of_q.iter_mut().zip(&direction[range.clone()]).zip(&x[range]) {
                        *e += weight * (h * factor * dv + dh * v);
                    }
                }
                None => of_q.iter_mut().zip(&equations.v).for_each(|(e, v)| *e += weight * dh * v),
            }
            for (velocity, dv) in velocity.iter_mut().zip(&direction[unknowns.velocities(i)]) {
                *velocity = factor * dv;
            }
            for (stiffness, damping) in &blocks.forces {
                structure.stiffness.multiply_add(stiffness, displacement, of_p, weight * h);
                structure.damping.multiply_add(damping, velocity, of_p, weight * h);
            }
            for impulse in equations.impulses_of(i) {
                add_multiple(of_p, weight * dh / h, impulse);
            }
            let (hl, d_hl) = (&x[unknowns.multipliers(i)], &direction[unknowns.multipliers(i)]);
            structure.jacobian.transpose_multiply_add(&blocks.jacobian, hl, of_p, weight * dh / h);
            structure.jacobian.transpose_multiply_add(&blocks.jacobian, d_hl, of_p, -weight * factor);
        }
    }

    /// The derivatives of M(Q_r) V_r − h Σ a⁽ᵍ⁾_rl f⁽ᵍ⁾_l + Σ a⁽ᵍ⁾_rl G_lᵀ hΛ_l, of (17f) for r = s.
    fn add_momentum_balance(&mut self, equations: &SparkEquations<'_>, r: usize) {
        let (method, h, stages) = (&equations.method, equations.h, equations.unknowns.stages);
        let structure = equations.system.structure();
        let (values, places) = (&mut self.whole.values, &self.places);
        let here = &self.stages[r.min(stages - 1)];
        add(values, &places.mass[r], &here.mass, 1.0);
        let shares = (method.damping != Damping::None).then_some(equations.shares.as_slice());
        for j in 0..stages {
            if !structure.constant_mass {
                let block = (&structure.stiffness, here.inertia.as_slice());
                let factor = |_, of_column| -h * method.position(r, j, of_column);
                add_shared(values, &places.stiffness[r][j], block, shares, factor);
            }
            for (g, group) in method.groups.iter().enumerate() {
                let block = (&structure.damping, self.stages[j].forces[g].1.as_slice());
                let factor = |of_row, _| -h * method.of_force(group, (r, j), of_row);
                add_shared(values, &places.damping[r][j], block, shares, factor);
                for l in 0..stages {
                    let block = (&structure.stiffness, self.stages[l].forces[g].0.as_slice());
                    let factor = |of_row, of_column| {
                        -h * h * method.position(l, j, of_column) * method.of_force(group, (r, l), of_row)
                    };
                    add_shared(values, &places.stiffness[r][j], block, shares, factor);
                }
                let transposed = places.transposed_jacobian[r][j].iter().zip(&self.stages[j].jacobian);
                for ((&place, value), (k, coordinate)) in transposed.zip(structure.jacobian.entries()) {
                    if group.holds(equations.compliance[k]) {
                        values[place] += method.of_force(group, (r, j), equations.shares[coordinate]) * value;
                    }
                }
            }
        }
    }

    /// The derivatives of (g(Qᵢ) − C Λᵢ)/h, or of the moments of h(q, v) with respect to velocities; those of G v₁ or of hΛ₁ in the place of the first stage.
    fn add_constraints(&mut self, equations: &SparkEquations<'_>) {
        let (method, h, stages) = (&equations.method, equations.h, equations.unknowns.stages);
        let (values, places) = (&mut self.whole.values, &self.places);
        let pattern = &equations.system.structure().jacobian;
        let rows = pattern.row_indices();
        let position = |i: usize, j: usize, entry: usize| {
            method.position(i, j, equations.shares[pattern.column_indices()[entry]])
        };
        for i in 1..stages {
            for j in 0..stages {
                let (at_row, at_column) = (&self.stages[i].jacobian, &self.stages[j].jacobian);
                for (entry, &place) in places.jacobian[i][j].iter().enumerate() {
                    let k = rows[entry];
                    values[place] += match (equations.holonomic[k], equations.compliance[k] > 0.0) {
                        (false, _) => method.moments[(i, j)] * at_column[entry],
                        (true, false) => method.a[(i, j)] * at_row[entry],
                        (true, true) => position(i, j, entry) * at_row[entry],
                    };
                }
            }
            add(values, &places.compliance[i], &equations.compliance, -1.0 / (h * h));
        }
        let end = places.jacobian[0][stages].iter().zip(&self.stages[stages - 1].jacobian);
        for ((&place, value), &k) in end.zip(rows) {
            values[place] += if equations.compliance[k] == 0.0 { *value } else { 0.0 };
        }
        let springs = places.compliance[0].iter().zip(&equations.compliance).zip(&equations.begins);
        for ((&place, &compliance), begins) in springs.filter(|((_, compliance), _)| **compliance > 0.0) {
            values[place] += if *begins { 1.0 } else { -compliance / (h * h) };
        }
        for j in 0..stages {
            let entries = places.jacobian[0][j].iter().zip(&self.stages[0].jacobian);
            for ((entry, (&place, value)), &k) in entries.enumerate().zip(rows) {
                let moves = equations.compliance[k] > 0.0 && !equations.begins[k];
                values[place] += if moves { position(0, j, entry) * value } else { 0.0 };
            }
        }
    }
}

/// What an unknown belongs to.
fn name(equations: &SparkEquations<'_>, unknown: usize) -> String {
    row_name(equations.system.structure(), equations.unknowns.row_of_saddle(unknown))
}

fn add(values: &mut [f64], places: &[usize], block: &[f64], factor: f64) {
    if factor != 0.0 {
        for (&place, value) in places.iter().zip(block) {
            values[place] += factor * value;
        }
    }
}

/// Adds a block times a factor of the shares of damping of its rows and columns.
fn add_shared(
    values: &mut [f64],
    places: &[usize],
    (pattern, block): (&Pattern, &[f64]),
    shares: Option<&[f64]>,
    factor: impl Fn(f64, f64) -> f64,
) {
    let Some(shares) = shares else { return add(values, places, block, factor(0.0, 0.0)) };
    for ((&place, value), (i, j)) in places.iter().zip(block).zip(pattern.entries()) {
        values[place] += factor(shares[i], shares[j]) * value;
    }
}

impl Places {
    fn new(structure: &Structure, unknowns: Unknowns, place: &mut dyn FnMut(usize, usize) -> usize) -> Self {
        let stages = unknowns.stages;
        let velocities = |i: usize| unknowns.velocities(i).start;
        let multipliers = |i: usize| unknowns.multipliers(i).start;
        let mut block = |pattern: &Pattern, row: usize, column: usize| -> Vec<usize> {
            pattern.entries().map(|(i, j)| place(row + i, column + j)).collect()
        };
        let mut balances = |pattern: &Pattern| -> Vec<Vec<Vec<usize>>> {
            (0..=stages)
                .map(|r| (0..stages).map(|j| block(pattern, velocities(r), velocities(j))).collect())
                .collect()
        };
        let (stiffness, damping) = (balances(&structure.stiffness), balances(&structure.damping));
        let mass = (0..=stages).map(|r| block(&structure.mass, velocities(r), velocities(r))).collect();
        let mut jacobian = |i: usize, j: usize| block(&structure.jacobian, multipliers(i), velocities(j));
        let jacobian = (0..stages).map(|i| (0..=stages).map(|j| jacobian(i, j)).collect()).collect();
        let mut transposed = |r: usize, j: usize| -> Vec<usize> {
            let entries = structure.jacobian.entries();
            entries.map(|(k, column)| place(velocities(r) + column, multipliers(j) + k)).collect()
        };
        let transposed_jacobian =
            (0..=stages).map(|r| (0..stages).map(|j| transposed(r, j)).collect()).collect();
        let compliance =
            (0..stages).map(|i| unknowns.multipliers(i).map(|k| place(k, k)).collect()).collect();
        Places { stiffness, damping, transposed_jacobian, mass, jacobian, compliance }
    }
}
