//! What happens where a step was not taken: another length, springs that are followed, or the end of the run.

use super::{ALARM_FACTOR, Driver, FAILURES_BEFORE_ALARM, SHORTEST};
use crate::error::RunError;
use crate::geometry::{Near, Singularities};
use crate::step::StepFailure;

impl Driver<'_> {
    /// Springs in smooth motion have begun to vibrate: the step is repeated with their vibrations, as far as that is possible.
    fn begin_to_follow(
        &mut self,
        (t, h, until): (f64, f64, f64),
        failure: StepFailure,
    ) -> Result<(), RunError> {
        self.count.rejected_by_error += 1;
        self.failures_in_a_row += 1;
        self.stepper.leave_smooth_motion(&mut self.count).map_err(|cause| RunError::StepTooSmall {
            t,
            h,
            cause: Some(cause),
        })?;
        self.stepper.reject(true);
        self.size.after_failure();
        // Where springs have left it and a step still is not smooth, only a shorter one may be.
        let alarm = self.failures_in_a_row > FAILURES_BEFORE_ALARM;
        self.h = self.limited(if alarm { ALARM_FACTOR * h } else { h });
        self.check_length(t, t + h, Some(failure.clone()))?;
        let (steps, most_steps) = ((until - t).abs() / self.longest_step(), self.options.most_steps);
        if steps > most_steps.saturating_sub(self.count.steps) as f64 {
            return Err(RunError::TooManyVibrations { t, steps, most_steps, cause: failure });
        }
        Ok(())
    }

    pub(super) fn failed(
        &mut self,
        (t, h, until): (f64, f64, f64),
        failure: StepFailure,
    ) -> Result<(), RunError> {
        if matches!(failure, StepFailure::NotSmooth { .. }) {
            return self.begin_to_follow((t, h, until), failure);
        }
        match failure {
            StepFailure::Fault(_) => self.count.rejected_by_fault += 1,
            _ => self.count.rejected_by_newton += 1,
        }
        self.stepper.reject(true);
        self.size.after_failure();
        self.failures_in_a_row += 1;
        if failure.is_fatal() {
            return Err(RunError::of_failure(t, failure, |cause| RunError::ConstantStepFailed {
                t,
                h,
                cause,
            }));
        }
        if self.options.constant_step.is_some() {
            return Err(self.constant_step_failed(t, h, failure));
        }
        let alarm = self.failures_in_a_row > FAILURES_BEFORE_ALARM;
        self.h = h * if alarm { ALARM_FACTOR } else { self.options.newton.shrink_after_failure };
        self.check_length(t, t + h, Some(failure))
    }

    /// Where constraints depend on each other no length of a constant step helps: then that is said instead.
    fn constant_step_failed(&self, t: f64, h: f64, cause: StepFailure) -> RunError {
        let (layout, y) = (self.stepper.layout(), self.stepper.state());
        let (q, v, _) = layout.split(y);
        let look = |singularities: &Singularities<'_>| singularities.look(t, (q, v), None, h).ok().flatten();
        let near = self.singularities.as_ref().filter(|_| !matches!(cause, StepFailure::Fault(_)));
        match near.and_then(look) {
            Some(Near { at, constraints }) if !constraints.is_empty() => {
                RunError::ConstantStepAtSingularity {
                    t,
                    at: at.unwrap_or(t),
                    constraints,
                    cause: Box::new(cause),
                }
            }
            _ => RunError::ConstantStepFailed { t, h, cause },
        }
    }

    pub(super) fn check_length(
        &mut self,
        t: f64,
        until: f64,
        cause: Option<StepFailure>,
    ) -> Result<(), RunError> {
        let least = SHORTEST * t.abs().max(f64::EPSILON * until.abs());
        if self.h.abs() > least && self.h.is_finite() {
            return Ok(());
        }
        match self.near() {
            Some(Near { at, constraints }) if !constraints.is_empty() => {
                let (at, constraints) = (at.unwrap_or(t), constraints.clone());
                Err(RunError::Singular { t, at, constraints, cause })
            }
            _ => Err(RunError::StepTooSmall { t, h: self.h, cause }),
        }
    }
}
