//! RATTLE as it is usually written: both stages have one velocity V, and positions are what is left to be found.
//!
//! Where forces depend on positions alone, f and G of the beginning are all that acts on the stages of Lobatto IIIB with s = 2. So
//! M V = p₀ + h f/2 − Gᵀ hΛ₁/2 holds from a prediction of Λ₁ on, and an iteration for g(q₀ + h V) = 0 that moves V along M⁻¹Gᵀ
//! and Λ₁ with it keeps that balance.

use super::equations::{SparkEquations, add_multiple};
use super::unknowns::Unknowns;
use crate::control::error_norm::{Scales, root_mean, weighted_square};
use crate::motion::Statistics;
use crate::stages::step_residuals::StepResiduals;
use crate::system::Fault;

/// The equations of a step with one velocity, whose unknowns are (V, hΛ₁).
pub(crate) struct Positions<'e, 'a>(pub(crate) &'e mut SparkEquations<'a>);

impl SparkEquations<'_> {
    /// V of the stages from hΛ₁, both among the unknowns `x` of the step; `solve` solves with M.
    pub(crate) fn balance_at_once(
        &mut self,
        x: &mut [f64],
        solve: impl FnOnce(&mut [f64]),
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        count.rhs += usize::from(self.evaluate_stage(0, x)?);
        self.find_impulses(0, x);
        let velocity = &mut x[self.unknowns.velocities(1)];
        velocity.copy_from_slice(&self.whole_momentum);
        for (k, impulse) in self.impulses_of(0).enumerate() {
            add_multiple(velocity, self.weights.0[(1, k)], impulse);
        }
        solve(velocity);
        Ok(())
    }
}

impl StepResiduals for Positions<'_, '_> {
    /// g(q₀ + h V)/h, behind the balances, which hold.
    fn residual(&mut self, x: &[f64], residual: &mut [f64], _count: &mut Statistics) -> Result<(), Fault> {
        let Self(equations) = self;
        let (h, t, Unknowns { n, .. }) = (equations.h, equations.stage_time(1), equations.unknowns);
        let position = &mut equations.positions[equations.unknowns.stage(1)];
        let before = equations.q.iter().zip(&equations.lost[0]);
        for ((position, (q, lost)), v) in position.iter_mut().zip(before).zip(x) {
            *position = q + (h * v + lost);
        }
        let rows = &mut residual[n..];
        equations.system.constraint(t, position, rows)?;
        rows.iter_mut().for_each(|row| *row /= h);
        Ok(())
    }

    fn size(&self, update: &[f64], scales: &Scales) -> f64 {
        let Self(equations) = self;
        let Unknowns { n, .. } = equations.unknowns;
        let (q_scales, _, _) = equations.layout.split(scales.inverse());
        equations.h.abs() * root_mean(weighted_square(&update[..n], q_scales), n)
    }

    fn rounding(&self, _x: &[f64], scales: &Scales) -> f64 {
        self.0.rounding_of_positions(scales)
    }
}
