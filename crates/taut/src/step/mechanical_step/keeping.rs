//! What a step of a mechanical system keeps about its beginning.

use super::MechanicalStep;
use crate::failure::StepFailure;
use crate::motion::Statistics;

impl MechanicalStep<'_> {
    /// Factors what projections and accelerations need, at the geometry evaluated last.
    pub(super) fn factor_manifold(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.manifold.factor(count)?;
        self.manifold.factor_against_friction(self.h.abs(), &self.stages.frozen().damping, count)
    }

    /// Accelerations and multipliers at a state that was evaluated and factored, whose springs have changed.
    pub(super) fn settle_again(
        &mut self,
        t: f64,
        y: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.accelerations(t, &mut self.a, lambda, 2, count)?;
        self.keep(t, y);
        if self.manifold.has_smooth_springs() {
            self.manifold.neglected.keep(t);
        }
        Ok(())
    }

    /// Keeps what the next step needs to know about its beginning, which was evaluated last.
    pub(super) fn keep(&mut self, t: f64, y: &[f64]) {
        let (q, v, lambda) = self.layout.split(y);
        self.t = t;
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        let evaluated = self.manifold.evaluated();
        self.mass.copy_from_slice(&evaluated.mass);
        self.jacobian.copy_from_slice(&evaluated.jacobian);
        self.load.copy_from_slice(&evaluated.force);
        self.stages.pattern().jacobian.transpose_multiply_add(&self.jacobian, lambda, &mut self.load, -1.0);
        self.stages.set_initial(&self.a, lambda);
    }
}
