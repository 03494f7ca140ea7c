//! Errors of stiff components, whose order is not that of the method.
//!
//! The estimate is O(h^(s+1)), and is allowed to be rtol^((s+1)/(2s−1)), as the error of the result is O(h^(2s)). In components that
//! follow a force much faster than it changes the result has the error of the last stage, h^s φ^(s+1)/λ with about the constant of
//! the estimate (Prothero and Robinson; Hairer and Wanner, section IV.15): there it has to be below the tolerance itself.

use super::{FirstOrderStep, MOST_IN_STIFF_COMPONENTS};
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::stages::coefficients::Coefficients;

/// So many passes leave of slow components, at hλ/g = 1/2, 1e-4.
const PASSES: usize = 8;

impl FirstOrderStep<'_> {
    /// What is left of the estimate e, just found, without its slow components: (I − F)ᵏ e with the filter F = (I − (h/g) J)⁻¹,
    /// which takes slow components away like ((h/g) λ)ᵏ. Only for E = I, and as long as it is more than is allowed.
    pub(super) fn stiff_part(
        &mut self,
        method: &Coefficients,
        norm: f64,
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let mut left = norm;
        if !self.system.composition().is_ordinary() {
            return Ok(0.0);
        }
        for _ in 0..PASSES {
            if left <= MOST_IN_STIFF_COMPONENTS * scales.rtol() {
                return Ok(left);
            }
            self.shifted.copy_from_slice(&self.error);
            let scale = method.g / self.h;
            self.error.iter_mut().for_each(|error| *error *= scale);
            self.filtered(method, scales, count)?;
            for (error, before) in self.error.iter_mut().zip(&self.shifted) {
                *error = before - *error;
            }
            left = self.norm_of_error(scales);
        }
        Ok(left)
    }
}
