//! The predictive step size controller.

use super::Attempt;
use crate::options::StepOptions;
use crate::snapshot::{Fields, SnapshotError};

/// Proposes step sizes from error estimates (Gustafsson 1994; Hairer and Wanner, eq. IV.8.24-25).
#[derive(Clone, Debug)]
pub(crate) struct StepSize {
    options: StepOptions,
    /// length and error of the last accepted step
    accepted: Option<(f64, f64)>,
    after_rejection: bool,
}

/// Errors below this share of the tolerance say nothing about the next step.
const LEAST_ERROR: f64 = 1e-2;
/// The guess for a reversible step differs from the last one by at most this factor.
const LARGEST_CONTINUATION: f64 = 1.5;

impl StepSize {
    pub(crate) fn new(options: StepOptions) -> Self {
        StepSize { options, accepted: None, after_rejection: false }
    }

    /// The factor for the next step after an accepted one.
    pub(crate) fn after_acceptance(&mut self, h: f64, attempt: &Attempt) -> f64 {
        let safety = self.safety(attempt);
        let mut factor = self.elementary(safety, attempt);
        if let Some((h_before, error_before)) = self.accepted {
            let predicted = safety
                * (h / h_before).abs()
                * (error_before / (attempt.error * attempt.error).max(f64::MIN_POSITIVE))
                    .powf(1.0 / attempt.power);
            factor = factor.min(predicted);
        }
        factor = factor.clamp(self.options.least_factor, self.options.largest_factor);
        if self.after_rejection {
            factor = factor.min(1.0);
        }
        self.accepted = Some((h, attempt.error.max(LEAST_ERROR)));
        self.after_rejection = false;
        factor
    }

    /// The factor for the next reversible step after one of length h: lengths go on as they came.
    pub(crate) fn continued(&mut self, h: f64) -> f64 {
        let (h_before, ratio_before) = self.accepted.unwrap_or((h, 1.0));
        let ratio = h / h_before;
        self.accepted = Some((h, ratio));
        (ratio * ratio / ratio_before).clamp(1.0 / LARGEST_CONTINUATION, LARGEST_CONTINUATION)
    }

    /// The factor for the repetition of a step whose error was too large.
    pub(crate) fn after_rejection(&mut self, attempt: &Attempt) -> f64 {
        self.after_rejection = true;
        let factor = self.elementary(self.safety(attempt), attempt);
        factor.clamp(self.options.least_factor, 1.0 / self.options.calm_up_to)
    }

    /// The step failed for another reason.
    pub(crate) fn after_failure(&mut self) {
        self.after_rejection = true;
    }

    fn elementary(&self, safety: f64, attempt: &Attempt) -> f64 {
        safety * attempt.error.max(f64::MIN_POSITIVE).powf(-1.0 / attempt.power)
    }

    /// Fewer Newton iterations allow a bolder step (Hairer and Wanner, eq. IV.8.22).
    fn safety(&self, attempt: &Attempt) -> f64 {
        let (iterations, most) = (attempt.iterations.0 as f64, attempt.iterations.1 as f64);
        if most == 0.0 {
            self.options.explicit_safety
        } else {
            self.options.safety * (2.0 * most + 1.0) / (2.0 * most + iterations)
        }
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let (mut h, mut error) = self.accepted.unwrap_or((0.0, 0.0));
        fields.entry("step size", &mut [&mut h, &mut error, &mut self.after_rejection])?;
        self.accepted = (h != 0.0).then_some((h, error));
        Ok(())
    }
}
