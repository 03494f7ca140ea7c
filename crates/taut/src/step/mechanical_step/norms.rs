//! The norms in which errors of a step of a mechanical system are seen.

use super::MechanicalStep;
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::equations::Layout;
use crate::motion::Statistics;
use crate::options::Vibrations;
use crate::stages::coefficients::Coefficients;

impl MechanicalStep<'_> {
    /// The error along the manifold: normal to it there is none after the projection.
    pub(super) fn tangent_norm(&mut self, scales: &Scales, count: &mut Statistics) -> f64 {
        if self.layout.m() > 0 {
            self.manifold.project_tangent_positions(&mut self.estimate.q, count);
            self.manifold.project_tangent(&mut self.estimate.v, count);
        }
        larger_norm(&self.layout, (&self.estimate.q, &self.estimate.v), scales)
    }

    /// The estimated error, taken for that of a vibration when it is one, divided by what is allowed.
    ///
    /// What the estimate, O(h^(s+1)), says about the result, O(h^(p+1)), depends on how fast the motion is: for a small
    /// fast vibration the result is worse than for a large slow motion with the same estimate.
    pub(super) fn share_of_vibration(&mut self, method: &Coefficients, estimated: f64, rtol: f64) -> f64 {
        if self.rule.vibrations == Vibrations::Damp {
            return 0.0;
        }
        let angle = self.h.abs() * self.estimate.frequency(&self.mass, self.stages.frozen());
        let power = method.order as f64 + 1.0;
        let per_estimate = method.error_per_estimate * angle.powf(power - method.error_power);
        let error = estimated * per_estimate.min(1.0);
        (error / self.steps.vibration_tolerance(rtol)).powf(method.error_power / power)
    }

    /// RADAU5's norm: velocities weighted with h, multipliers with h².
    pub(super) fn classical_norm(&self, scales: &Scales) -> f64 {
        let (q_scales, v_scales, lambda_scales) = self.layout.split(scales.inverse());
        let square = weighted_square(&self.estimate.q, q_scales)
            + self.h.powi(2) * weighted_square(&self.estimate.v, v_scales)
            + self.h.powi(4) * weighted_square(self.estimate.multipliers(), lambda_scales);
        root_mean(square, self.layout.len())
    }
}

/// The norm of an error of positions or of velocities, whichever is larger.
pub(super) fn larger_norm(layout: &Layout, (q, v): (&[f64], &[f64]), scales: &Scales) -> f64 {
    let (q_scales, v_scales, _) = layout.split(scales.inverse());
    let square = larger(weighted_square(q, q_scales), weighted_square(v, v_scales));
    root_mean(square, layout.n())
}
