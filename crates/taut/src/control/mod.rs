//! How far the next step goes.

pub(crate) mod adams_pace;
mod attempt;
pub(crate) mod bdf_pace;
pub(crate) mod error_norm;
pub(crate) mod first_step;
pub(crate) mod reversible;
pub(crate) mod stability;
mod step_size;
pub(crate) mod stiffness;

pub(crate) use attempt::{Attempt, NextLength};
pub(crate) use step_size::StepSize;

/// A smooth way from 0 to 1, flat at both ends: how a projection is spread over the step it ends.
pub(crate) fn smooth_step(theta: f64) -> f64 {
    theta * theta * (3.0 - 2.0 * theta)
}
