//! What others may know of the stages of a mechanical system.

use super::MechanicalStages;
use crate::equations::Level;
use crate::geometry::evaluated::{Evaluated, FrozenBlocks};
use crate::linear::SaddlePattern;
use crate::motion::Statistics;
use crate::system::{Fault, Terms};

impl MechanicalStages<'_> {
    /// The derivative blocks that Newton's matrices are made of.
    pub(crate) fn frozen(&self) -> &FrozenBlocks {
        &self.frozen
    }

    /// The velocities of all stages.
    pub(crate) fn stage_velocities(&self) -> &[f64] {
        &self.stage_v
    }

    /// M, f, g and G of the stage that was evaluated last, the last one of the method.
    pub(crate) fn last_evaluated(&self) -> &Evaluated {
        &self.evaluated
    }

    /// Sets accelerations and multipliers at the beginning of the step.
    pub(crate) fn set_initial(&mut self, a: &[f64], lambda: &[f64]) {
        self.initial[..a.len()].copy_from_slice(a);
        self.initial[a.len()..].copy_from_slice(lambda);
    }

    /// ∂f/∂v at a state.
    pub(crate) fn damping_at(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<Vec<f64>, Fault> {
        let (a, lambda) = self.initial.split_at(q.len());
        let FrozenBlocks { mut damping, mut stiffness, .. } = self.frozen.clone();
        self.system.newton_blocks(Terms::ACCELERATING, t, q, v, a, lambda, &mut stiffness, &mut damping)?;
        count.jacobians += 1;
        Ok(damping)
    }

    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    pub(crate) fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// d of damped springs; empty when there is none.
    pub(crate) fn relaxation(&self) -> &[f64] {
        &self.relaxation
    }

    pub(crate) fn pattern(&self) -> &SaddlePattern {
        &self.pattern
    }
}

#[cfg(test)]
impl MechanicalStages<'_> {
    /// The condition numbers ‖A‖₁‖A⁻¹‖₁ of the matrices that were factored last.
    pub(crate) fn conditions(&self, method: &crate::stages::coefficients::Coefficients) -> Vec<f64> {
        let blocks = self.frozen.blocks(&self.compliance, &self.relaxation);
        let real = method.spectrum.real.iter().map(|mu| super::real_scales(self.h * mu).into());
        let complex = method.spectrum.complex.iter();
        let complex = complex
            .map(|(re, im)| super::complex_scales(crate::linear::Complex::new(self.h * re, -self.h * im)));
        let norms = real.chain(complex).map(|scales| self.pattern.norm(&blocks, scales));
        let inverse = self.matrices.inverse_norms(method.spectrum.real.len(), method.spectrum.complex.len());
        norms.zip(inverse).map(|(norm, inverse)| norm * inverse).collect()
    }
}
