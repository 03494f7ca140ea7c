//! Errors of stiff components, whose order is not that of the method.
//!
//! The estimate is O(h^(s+1)), and is allowed to be rtol^((s+1)/(2s−1)), as the error of the result is O(h^(2s)). In components that
//! follow a force much faster than it changes the result has the error of the last stage (Prothero and Robinson; Hairer and Wanner,
//! section IV.15), which is s times the estimate. On x' = λ(x − φ) + φ' with φ = t^(s+1) the error of Radau IIA is
//! s (m/(1 + m))^(s+1) times the estimate, m = −hλ/g, within a factor of 2 for s = 5 and 7 and all λ < 0.

use super::FirstOrderStep;
use crate::control::error_norm::{Scales, largest, root_mean, twice_weighted_square};
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::stages::coefficients::Coefficients;

/// With fewer stages the estimate is held near the tolerance anyway.
const FEWEST_STAGES: usize = 4;
/// The error of stiff components may be so many tolerances.
const MOST_IN_STIFF_COMPONENTS: f64 = 20.0;
/// Below this share of it, no step that may follow is hindered by it.
const NO_HINDRANCE: f64 = 1e-3;
/// Once it is found to be below this share it is found well enough for the next step.
const NEGLIGIBLE: f64 = 0.1;

impl FirstOrderStep<'_> {
    /// The error of stiff components, relative to what it may be, from the estimate e just found: s (I − F)^(s+1) e with the
    /// filter F = (I − (h/g) J)⁻¹, or more of it where that is small enough. Only where all variables have derivatives.
    pub(super) fn stiff_part(
        &mut self,
        method: &Coefficients,
        norm: f64,
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let share = method.stages as f64 / (MOST_IN_STIFF_COMPONENTS * scales.rtol());
        let worst = self.largest_error(scales);
        if method.stages < FEWEST_STAGES
            || !method.stiffly_accurate
            || !self.system.composition().is_ordinary()
            || share * worst < NO_HINDRANCE
        {
            return Ok(0.0);
        }
        let most = most_of_stiff_part(share * worst, self.stiffness(method, norm, scales), method.stages);
        if most < NEGLIGIBLE {
            return Ok(most);
        }
        let mut left = worst;
        for _ in 0..=method.stages {
            self.shifted.copy_from_slice(&self.error);
            let scale = method.g / self.h;
            self.error.iter_mut().for_each(|error| *error *= scale);
            self.filtered(method, scales, count)?;
            for (error, before) in self.error.iter_mut().zip(&self.shifted) {
                *error = before - *error;
            }
            left = self.largest_error(scales);
            if share * left < NEGLIGIBLE {
                break;
            }
        }
        Ok(share * left)
    }

    /// The error of the component that is wrong by most: one stiff component among many that are not is lost in their mean.
    pub(super) fn largest_error(&self, scales: &Scales) -> f64 {
        self.largest(&self.error, scales)
    }

    /// The largest component, in units of the tolerance.
    pub(super) fn largest(&self, values: &[f64], scales: &Scales) -> f64 {
        let weighted = values.iter().zip(scales.inverse()).zip(self.stages.weights());
        largest(weighted.map(|((error, scale), weight)| (error * scale * weight).abs()))
    }

    /// m = h|λ|/g, if all of the estimate were as stiff as |J e|/|e| says.
    fn stiffness(&mut self, method: &Coefficients, norm: f64, scales: &Scales) -> f64 {
        let jacobian = self.stages.jacobian_of_filter();
        self.shifted.fill(0.0);
        self.system.composition().jacobian.multiply_add(jacobian, &self.error, &mut self.shifted, 1.0);
        let square = twice_weighted_square(&self.shifted, scales.inverse(), self.stages.weights());
        self.h.abs() / method.g * root_mean(square, self.error.len()) / norm
    }
}

/// The error s (m/(1 + m))^(s+1) e relative to what it may be, where s e is `all` of that: 1 exactly where it is, and beside that
/// what lets a step size controller, which takes errors for h^(s+1), find the length for which it is 1. With a step r times as long
/// e is r^(s+1) times as large and m is r m: r² m/(1 + r m) = k with k = all^(−1/(s+1)).
fn most_of_stiff_part(all: f64, m: f64, stages: usize) -> f64 {
    let power = stages as f64 + 1.0;
    let half = 0.5 * all.powf(-1.0 / power);
    let longer = half + (half * half + 2.0 * half / m).sqrt();
    longer.powf(-power)
}
