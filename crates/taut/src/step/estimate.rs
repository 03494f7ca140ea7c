//! The embedded error estimate of an implicit step, in second-order form.
//!
//! The stages, extrapolated to the beginning of the step, are compared with what is known there: with the defects
//! r_q = v₀ − p_V(0) and r_v = a₀ − p_a(0) the estimate solves (g/h E − J) e = (r_q, M r_v, 0), g an eigenvalue of A⁻¹
//! (Hairer and Wanner, eq. IV.8.20, for Radau IIA with three stages).
//! With e_v = (h/g) x and e_q = (h/g)(e_v + r_q) this is one system of size n + m for x and the multipliers,
//! [M − (h/g) D − (h/g)² K, Gᵀ; G, −(g/h)² C] (x, e_λ) = (M r_v + (h/g) K r_q, −(g/h) G r_q).

use crate::equations::Level;
use crate::failure::StepFailure;
use crate::geometry::evaluated::{FrozenBlocks, row_name};
use crate::linear::{Blocks, Choice, Pattern, Saddle, Scales};
use crate::motion::Statistics;
use crate::stages::coefficients::{Coefficients, Middle};
use crate::stages::mechanical::MechanicalStages;
use crate::system::Structure;

/// The estimator of a mechanical system, with the errors it found last.
pub(crate) struct Estimate<'a> {
    structure: &'a Structure,
    pub(super) saddle: Saddle,
    /// G without the springs whose vibrations are followed
    jacobian: Vec<f64>,
    /// C, 1 for those springs
    compliance: Vec<f64>,
    followed: Vec<bool>,
    solution: Vec<f64>,
    position_defect: Vec<f64>,
    extrapolated: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
}

/// How fast an error vibrates, and how fast friction slows it down.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ErrorRates {
    square: f64,
    pub(crate) friction: f64,
}

impl ErrorRates {
    /// Its frequency when it is a vibration: faster than friction slows it down. 0 otherwise.
    pub(crate) fn frequency(&self) -> f64 {
        if self.square > self.friction * self.friction { self.square.sqrt() } else { 0.0 }
    }
}

/// What is known at the beginning of the step.
pub(crate) struct Beginning<'b> {
    pub(crate) v: &'b [f64],
    /// M a₀ = f − Gᵀλ there
    pub(crate) load: &'b [f64],
    /// M there, or close by
    pub(crate) mass: &'b [f64],
    /// G there, or close by
    pub(crate) jacobian: &'b [f64],
}

impl<'a> Estimate<'a> {
    pub(crate) fn new(structure: &'a Structure, stages: &MechanicalStages<'_>, choice: Choice) -> Self {
        let (n, m) = (structure.n(), structure.m());
        Estimate {
            structure,
            saddle: Saddle::new(stages.pattern(), choice),
            jacobian: vec![0.0; structure.jacobian.nnz()],
            compliance: stages.compliance().to_vec(),
            followed: vec![false; m],
            solution: vec![0.0; n + m],
            position_defect: vec![0.0; n],
            extrapolated: vec![0.0; n],
            q: vec![0.0; n],
            v: vec![0.0; n],
        }
    }

    /// The springs whose vibrations are to be seen: the filter, which takes the unresolved ones for no error, leaves them out.
    pub(crate) fn follow(&mut self, stages: &MechanicalStages<'_>, followed: impl Fn(usize) -> bool) {
        for (k, compliance) in stages.compliance().iter().enumerate() {
            self.followed[k] = *compliance > 0.0 && followed(k);
            self.compliance[k] = if self.followed[k] { 1.0 } else { *compliance };
        }
    }

    /// Whether vibrations of a spring are seen.
    pub(crate) fn follows(&self, k: usize) -> bool {
        self.followed[k]
    }

    /// The multipliers' part of the estimate.
    pub(crate) fn multipliers(&self) -> &[f64] {
        &self.solution[self.structure.n()..]
    }

    /// Computes the estimate of a step of length h.
    pub(crate) fn compute(
        &mut self,
        method: &Coefficients,
        h: f64,
        start: &Beginning<'_>,
        stages: &MechanicalStages<'_>,
        unknowns: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let n = self.structure.n();
        let size = self.solution.len();
        extrapolate(&method.at_zero, stages.stage_velocities(), n, &mut self.position_defect);
        for (defect, v) in self.position_defect.iter_mut().zip(start.v) {
            *defect = v - *defect;
        }
        extrapolate(&method.at_zero, unknowns, size, &mut self.extrapolated);
        self.solution[..n].copy_from_slice(start.load);
        self.structure.mass.multiply_add(start.mass, &self.extrapolated, &mut self.solution[..n], -1.0);
        self.solve(method.g, h, start, stages, count)
    }

    /// The same as [`compute`](Self::compute) with what is left of the equations in the middle of the step instead of its beginning,
    /// z = h/g. The factors are those of the estimate.
    pub(crate) fn compute_in_the_middle(
        &mut self,
        middle: &Middle,
        z: f64,
        start: &Beginning<'_>,
        stages: &mut MechanicalStages<'_>,
        unknowns: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let places = (&mut *self.position_defect, &mut self.solution[..self.structure.n()]);
        stages.defect_in_the_middle(middle, unknowns, places, count)?;
        self.complete_right_hand_side(z, start, stages);
        self.saddle.solve(&mut self.solution);
        count.solves += 1;
        self.take_solution(z);
        Ok(())
    }

    /// Takes of the errors that were found last what the filter leaves of them, e − F e with F = (I − (h/g) J)⁻¹: slow
    /// components vanish with hλ/g. The factors are those of the estimate.
    pub(crate) fn leave_stiff_components(
        &mut self,
        method: &Coefficients,
        h: f64,
        start: &Beginning<'_>,
        stages: &MechanicalStages<'_>,
        count: &mut Statistics,
    ) {
        self.take_errors_as_defects(method.g / h, start);
        self.complete_right_hand_side(h / method.g, start, stages);
        self.saddle.solve(&mut self.solution);
        count.solves += 1;
        let z = h / method.g;
        for k in 0..self.structure.n() {
            let filtered = z * self.solution[k];
            self.v[k] -= filtered;
            self.q[k] -= z * (filtered + self.position_defect[k]);
        }
    }

    /// The estimate of a step of length h without filter: where the matrix at the beginning is singular.
    pub(crate) fn compute_plainly(
        &mut self,
        method: &Coefficients,
        h: f64,
        (v, a): (&[f64], &[f64]),
        stages: &MechanicalStages<'_>,
        unknowns: &[f64],
    ) {
        let (n, size) = (self.structure.n(), self.solution.len());
        extrapolate(&method.at_zero, stages.stage_velocities(), n, &mut self.position_defect);
        extrapolate(&method.at_zero, unknowns, size, &mut self.extrapolated);
        let scale = h / method.g;
        for k in 0..n {
            self.v[k] = scale * (a[k] - self.extrapolated[k]);
            self.q[k] = scale * (self.v[k] + v[k] - self.position_defect[k]);
        }
    }

    /// How fast the estimated error of velocities vibrates, and how fast friction slows it down: ω² = −eᵀKe/eᵀMe and −eᵀDe/eᵀMe.
    pub(crate) fn rates(&mut self, mass: &[f64], frozen: &FrozenBlocks) -> ErrorRates {
        let work = &mut self.extrapolated;
        let error = &self.v;
        let mut quotient = |pattern: &Pattern, values: &[f64]| {
            work.fill(0.0);
            pattern.multiply_add(values, error, work, 1.0);
            work.iter().zip(error).map(|(force, error)| force * error).sum::<f64>()
        };
        let inertia = quotient(&self.structure.mass, mass);
        if inertia <= 0.0 {
            return ErrorRates::default();
        }
        let square = -quotient(&self.structure.stiffness, &frozen.stiffness) / inertia;
        let friction = -quotient(&self.structure.damping, &frozen.damping) / inertia;
        ErrorRates { square, friction }
    }

    /// Filters an error (e_q, e_v): solves (I − (h/g) J) e' = e.
    pub(crate) fn filter(
        &mut self,
        method: &Coefficients,
        h: f64,
        start: &Beginning<'_>,
        stages: &MechanicalStages<'_>,
        (error_q, error_v): (&[f64], &[f64]),
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let n = self.structure.n();
        for (defect, error) in self.position_defect.iter_mut().zip(error_q) {
            *defect = method.g / h * error;
        }
        self.solution[..n].fill(0.0);
        self.structure.mass.multiply_add(start.mass, error_v, &mut self.solution[..n], method.g / h);
        self.solve(method.g, h, start, stages, count)
    }

    /// Filters the errors that were found last once more.
    pub(crate) fn filter_again(
        &mut self,
        method: &Coefficients,
        h: f64,
        start: &Beginning<'_>,
        stages: &MechanicalStages<'_>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.take_errors_as_defects(method.g / h, start);
        self.solve(method.g, h, start, stages, count)
    }

    /// The errors that were found last, times g/h, in the places of the defects.
    fn take_errors_as_defects(&mut self, scale: f64, start: &Beginning<'_>) {
        self.position_defect.iter_mut().zip(&self.q).for_each(|(defect, error)| *defect = scale * error);
        let balance = &mut self.solution[..self.structure.n()];
        balance.fill(0.0);
        self.structure.mass.multiply_add(start.mass, &self.v, balance, scale);
    }

    /// The errors from the defects of positions, and of forces in the first n places of the solution.
    fn solve(
        &mut self,
        g: f64,
        h: f64,
        start: &Beginning<'_>,
        stages: &MechanicalStages<'_>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let z = h / g;
        self.complete_right_hand_side(z, start, stages);
        let blocks = Blocks {
            mass: start.mass,
            jacobian: &self.jacobian,
            ..stages.frozen().blocks(&self.compliance, stages.relaxation())
        };
        let scales = Scales { alpha: 1.0, beta: -z, gamma: -z * z, delta: 1.0 / (z * z) };
        count.factorizations += 1;
        let structure = self.structure;
        self.saddle
            .assemble_and_factor(&blocks, scales)
            .map_err(|s| StepFailure::singular(s, |row| row_name(structure, row)))?;
        self.saddle.solve(&mut self.solution);
        count.solves += 1;
        self.take_solution(z);
        Ok(())
    }

    /// The errors from what was solved for, z = h/g.
    fn take_solution(&mut self, z: f64) {
        for k in 0..self.structure.n() {
            self.v[k] = z * self.solution[k];
            self.q[k] = z * (self.v[k] + self.position_defect[k]);
        }
    }

    /// What the defects of positions do to forces and rows, z = h/g.
    fn complete_right_hand_side(&mut self, z: f64, start: &Beginning<'_>, stages: &MechanicalStages<'_>) {
        let (balance, rows) = self.solution.split_at_mut(self.structure.n());
        let stiffness = &stages.frozen().stiffness;
        self.structure.stiffness.multiply_add(stiffness, &self.position_defect, balance, z);
        rows.fill(0.0);
        for (k, &row) in self.structure.jacobian.row_indices().iter().enumerate() {
            self.jacobian[k] = if self.followed[row] { 0.0 } else { start.jacobian[k] };
        }
        self.structure.jacobian.multiply_add(&self.jacobian, &self.position_defect, rows, -1.0 / z);
        for (k, (row, level)) in rows.iter_mut().zip(stages.levels()).enumerate() {
            if *level != Level::Position {
                *row = 0.0;
            }
            if let Some(d) = stages.relaxation().get(k) {
                *row /= 1.0 + d / z;
            }
        }
    }
}

/// Σ l_i(0) x_i for stage values that lie `stride` apart.
pub(crate) fn extrapolate(at_zero: &[f64], stages: &[f64], stride: usize, out: &mut [f64]) {
    out.fill(0.0);
    for (weight, stage) in at_zero.iter().zip(stages.chunks_exact(stride)) {
        for (out, x) in out.iter_mut().zip(stage) {
            *out += weight * x;
        }
    }
}
