//! What a step of a mechanical system keeps about its beginning.

use super::MechanicalStep;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::springs::vibrations::SpringMotion;

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

    /// Accelerations at the state that was kept last, with springs that are left to their dampers pulling as they do there. Those of
    /// the last stage know nothing of what projections have moved since, to which dampers answer: the estimate of the next step
    /// would take that for its error, however short it is. What is given away are still the multipliers of the stage.
    pub(super) fn let_dampers_pull(
        &mut self,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (treatment, manifold) = (&self.treatment, &mut self.manifold);
        let left_to_dampers = |k: usize| treatment.is(k, SpringMotion::Damped);
        let dampers = (0..self.layout.m()).any(|k| manifold.relaxation[k] > 0.0 && left_to_dampers(k));
        if !dampers || self.h == 0.0 {
            return Ok(());
        }
        let (_, _, lambda) = self.layout.split(y);
        let pulling = &mut self.elsewhere.1;
        pulling.copy_from_slice(lambda);
        manifold.spring_multipliers(pulling, left_to_dampers);
        manifold.accelerations(t, &mut self.a, pulling, 2, count)?;
        self.load.copy_from_slice(&manifold.evaluated().force);
        self.stages.pattern().jacobian.transpose_multiply_add(&self.jacobian, pulling, &mut self.load, -1.0);
        self.stages.set_initial(&self.a, lambda);
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
