//! The norms in which errors of a step of a mechanical system are seen.

use super::{Beginning, MechanicalStep};
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::equations::Layout;
use crate::motion::Statistics;
use crate::options::Vibrations;
use crate::springs::vibrations::SpringMotion;
use crate::stages::coefficients::Coefficients;

/// What friction holds, and springs that are left to their dampers, may be wrong by so many tolerances after a step.
const MOST_OF_STIFF_ERRORS: f64 = 3.0;
/// With smaller tolerances what is left of the estimate are rounding errors of stiff forces, which shorter steps add up.
const LEAST_TOLERANCE: f64 = 1e-11;

impl MechanicalStep<'_> {
    /// The error along the manifold: normal to it there is none after the projection.
    pub(super) fn tangent_norm(&mut self, scales: &Scales, count: &mut Statistics) -> f64 {
        if self.layout.m() > 0 {
            self.manifold.project_tangent_positions(&mut self.estimate.q, count);
            self.manifold.project_tangent(&mut self.estimate.v, count);
        }
        larger_norm(&self.layout, (&self.estimate.q, &self.estimate.v), scales)
    }

    /// What of the estimate just found, with this norm, is worse than it looks, divided by what is allowed of it.
    pub(super) fn share_of_fast_errors(
        &mut self,
        method: &Coefficients,
        estimated: f64,
        scales: &Scales,
        count: &mut Statistics,
    ) -> f64 {
        if matches!(self.rule.vibrations, Vibrations::Damp | Vibrations::Averaged) {
            return 0.0;
        }
        let rates = self.estimate.rates(&self.mass, self.stages.frozen());
        let vibration = self.share_of_vibration(method, estimated, rates.frequency(), scales.rtol());
        self.stiff = self.stiff_part(method, estimated, rates.friction, scales, count);
        vibration
    }

    /// The estimated error, taken for that of a vibration when it is one, divided by what is allowed.
    ///
    /// What the estimate, O(h^(s+1)), says about the result, O(h^(p+1)), depends on how fast the motion is: for a small
    /// fast vibration the result is worse than for a large slow motion with the same estimate.
    fn share_of_vibration(&self, method: &Coefficients, estimated: f64, frequency: f64, rtol: f64) -> f64 {
        let angle = self.h.abs() * frequency;
        let power = method.order as f64 + 1.0;
        let per_estimate = method.error_per_estimate * angle.powf(power - method.error_power);
        let error = estimated * per_estimate.min(1.0);
        (error / self.steps.vibration_tolerance(rtol)).powf(method.error_power / power)
    }

    /// The error of what strong friction holds, and of springs that are left to their dampers, from the estimate just found with
    /// this norm, relative to what it may be. They follow what pulls at them: the result is then off by s (I − F)^(s+1) times the
    /// estimate, F = (I − (h/g) J)⁻¹, as in `first_order_step/stiff`, and not by a power of it.
    fn stiff_part(
        &mut self,
        method: &Coefficients,
        norm: f64,
        friction: f64,
        scales: &Scales,
        count: &mut Statistics,
    ) -> f64 {
        let share = method.stages as f64 / (MOST_OF_STIFF_ERRORS * scales.rtol());
        let m = self.h.abs() * friction.max(0.0) / method.g;
        let held = (m / (1.0 + m)).powi(method.stages as i32 + 1);
        let held_or_damped = if self.leaves_springs_to_dampers() { 1.0 } else { held };
        let seen = method.stiffly_accurate && scales.rtol() >= LEAST_TOLERANCE;
        let most = if seen { share * norm * held_or_damped } else { 0.0 };
        if most < 1.0 {
            return most;
        }
        let mut left = norm;
        for _ in 0..=method.stages {
            let start =
                Beginning { v: &self.v, load: &self.load, mass: &self.mass, jacobian: &self.jacobian };
            self.estimate.leave_stiff_components(method, self.h, &start, &self.stages, count);
            left = self.tangent_norm(scales, count);
            if share * left < 1.0 {
                break;
            }
        }
        share * left
    }

    fn leaves_springs_to_dampers(&self) -> bool {
        let left = |k: usize| self.manifold.relaxation[k] > 0.0 && self.treatment.is(k, SpringMotion::Damped);
        self.manifold.has_dampers() && (0..self.layout.m()).any(left)
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
