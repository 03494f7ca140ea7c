//! Accelerations along the constraint manifold, and the multipliers that belong to them.

use super::Manifold;
use super::projection::{add, largest};
use crate::control::error_norm;
use crate::failure::StepFailure;
use crate::motion::Statistics;

/// Accelerations are refined so often at most.
const MOST_REFINEMENTS: usize = 4;
/// What two passes leave of accelerations is to be below this share of them: where a step has ended far off its constraints, the
/// factors are those of a state so far away that it is not.
const LEFT: f64 = 1e-10;

impl Manifold<'_> {
    /// Accelerations and multipliers from M a = f − Gᵀλ and the acceleration constraint, at the state evaluated last.
    /// The multipliers of springs whose vibrations are followed are taken as they are.
    ///
    /// Factors of a state nearby need a second pass, which refines with the matrices at hand, or more of them.
    pub(crate) fn accelerations(
        &mut self,
        t: f64,
        a: &mut [f64],
        lambda: &mut [f64],
        passes: usize,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.has_springs {
            lambda.iter_mut().zip(&self.followed).for_each(|(lambda, followed)| *lambda *= followed);
        } else {
            lambda.fill(0.0);
        }
        a.fill(0.0);
        for pass in 0..passes {
            self.improve_accelerations(a, lambda, pass > 0, passes > 1, count);
        }
        let (mut further, mut share) = (if passes > 1 { MOST_REFINEMENTS } else { 0 }, LEFT);
        while further > 0 && !is_small_change(&self.correction[..self.n], a, share) {
            self.improve_accelerations(a, lambda, true, true, count);
            // From the third pass on a pass leaves more than the square of what it changes.
            (further, share) = (further - 1, LEFT * LEFT);
        }
        self.check_accelerations(t, a, lambda)
    }

    /// [`accelerations`](Self::accelerations) with the factors of a state nearby, from accelerations and multipliers there.
    /// Both differ by the way between the states, and so do the matrices: what a pass leaves is of the size of the
    /// square of what it changes, relative to a, and is to be below `share`. Where it does not become so small, the states are
    /// too far apart, and the matrix is factored anew.
    pub(crate) fn refine_accelerations(
        &mut self,
        t: f64,
        a: &mut [f64],
        lambda: &mut [f64],
        share: f64,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        for _ in 0..MOST_REFINEMENTS {
            self.improve_accelerations(a, lambda, true, true, count);
            if is_small_change(&self.correction[..self.n], a, share) {
                return self.check_accelerations(t, a, lambda);
            }
        }
        self.factor(count)?;
        self.accelerations(t, a, lambda, 1, count)
    }

    pub(super) fn check_accelerations(&self, t: f64, a: &[f64], lambda: &[f64]) -> Result<(), StepFailure> {
        self.structure().finite_coordinates(a, "the acceleration", t)?;
        self.structure().finite_constraints(lambda, "the multiplier", t)?;
        Ok(())
    }

    /// Solves once for accelerations and multipliers, or for their change where they are `known` roughly.
    fn improve_accelerations(
        &mut self,
        a: &mut [f64],
        lambda: &mut [f64],
        known: bool,
        once: bool,
        count: &mut Statistics,
    ) {
        let mut balance = std::mem::take(&mut self.correction);
        self.write_balance(a, lambda, known, &mut balance);
        self.correction = balance;
        if once {
            self.saddle.solve_once(&mut self.correction);
        } else {
            self.saddle.solve(&mut self.correction);
        }
        count.solves += 1;
        add(&self.correction, a);
        add(&self.correction[self.n..], lambda);
    }

    /// What M a = f − Gᵀλ and the acceleration constraint leave; a = 0, and λ = 0 but for springs, where these are not
    /// `known` roughly.
    pub(super) fn write_balance(&self, a: &[f64], lambda: &[f64], known: bool, system: &mut [f64]) {
        let (balance, rows) = system.split_at_mut(self.n);
        balance.copy_from_slice(&self.evaluated.force);
        if known {
            self.structure().mass.multiply_add(&self.evaluated.mass, a, balance, -1.0);
        }
        if known || self.has_springs {
            self.pattern.transpose_multiply_add(&self.evaluated.jacobian, lambda, balance, -1.0);
        }
        let given = self.evaluated.curvature.iter().zip(&self.stretching[2]);
        for (row, (curvature, stretching)) in rows.iter_mut().zip(given) {
            *row = stretching - curvature;
        }
        if self.has_springs || self.has_dampers {
            self.spare_springs(rows);
        }
        if known {
            self.pattern.multiply_add(self.rigid_jacobian(), a, rows, -1.0);
        }
    }

    /// Rows of springs whose vibrations are followed are 0; those of springs that creep say how fast.
    fn spare_springs(&self, rows: &mut [f64]) {
        for (k, row) in rows.iter_mut().enumerate() {
            *row *= 1.0 - self.followed[k];
            if self.creeping[k] {
                *row -= self.evaluated.rate[k] / self.relaxation[k];
            }
        }
    }

    /// The residuals with the opposite sign; 0 for springs whose vibrations are followed.
    pub(super) fn write_opposite(&self, residuals: &[f64], rows: &mut [f64]) {
        for (row, (residual, spring)) in rows.iter_mut().zip(residuals.iter().zip(&self.followed)) {
            *row = residual * (spring - 1.0);
        }
    }

    /// The multipliers (g + d g')/c of chosen springs at the state evaluated last: what they are when vibrations are
    /// resolved.
    pub(crate) fn spring_multipliers(&self, lambda: &mut [f64], chosen: impl Fn(usize) -> bool) {
        for (k, compliance) in self.compliance.iter().enumerate() {
            if *compliance > 0.0 && chosen(k) {
                let creep = if self.has_dampers { self.relaxation[k] * self.evaluated.rate[k] } else { 0.0 };
                lambda[k] = (self.evaluated.constraint[k] + creep) / compliance;
            }
        }
    }

    /// The residuals of positions, velocities and accelerations at a state: the largest |g|, |G v + g_t|
    /// and |G a + curvature| of the rods.
    pub(crate) fn residuals(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
    ) -> Result<[f64; 3], StepFailure> {
        // What was evaluated last may belong to an interpolated state.
        self.evaluate_geometry(t, q, v)?;
        self.evaluate_curvature(t, q, v)?;
        self.residuals_here(t, q, v, a)
    }

    /// [`Self::residuals`] with G and the curvature as they were evaluated, at this state.
    pub(crate) fn residuals_here(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
    ) -> Result<[f64; 3], StepFailure> {
        self.system.constraint(t, q, &mut self.evaluated.constraint)?;
        self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        let rows = &mut self.correction[self.n..];
        rows.copy_from_slice(&self.evaluated.curvature);
        let jacobian = if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian };
        self.pattern.multiply_add(jacobian, a, rows, 1.0);
        let rigid = |values: &[f64]| {
            let rigid = values.iter().zip(&self.compliance).filter(|(_, c)| **c == 0.0);
            error_norm::largest(rigid.map(|(x, _)| *x))
        };
        let holonomic = self.structure().constraints.iter().map(|c| c.is_holonomic());
        let position = self.evaluated.constraint.iter().zip(holonomic).zip(&self.compliance);
        let position = position.filter(|((_, h), s)| *h && **s == 0.0).map(|((x, _), _)| *x);
        let position = error_norm::largest(position);
        Ok([position, rigid(&self.evaluated.rate), rigid(&self.correction[self.n..])])
    }

    /// [`Self::residuals`] where g at this state is known as well, and all constraints are rods that do not move: nothing is evaluated.
    pub(crate) fn residuals_of_rods(&mut self, constraint: &[f64], v: &[f64], a: &[f64]) -> [f64; 3] {
        let (rate, rows) = (&mut self.evaluated.rate, &mut self.correction[self.n..]);
        rate.fill(0.0);
        self.pattern.multiply_add(&self.evaluated.jacobian, v, rate, 1.0);
        rows.copy_from_slice(&self.evaluated.curvature);
        self.pattern.multiply_add(&self.evaluated.jacobian, a, rows, 1.0);
        [constraint, rate, rows].map(error_norm::largest_of)
    }
}

/// Whether what a change of accelerations leaves to change is below a share of them.
pub(super) fn is_small_change(change: &[f64], a: &[f64], share: f64) -> bool {
    let (change, size) = (largest(change), largest(a));
    change * change <= share * size * size
}
