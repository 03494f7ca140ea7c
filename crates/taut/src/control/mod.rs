//! How far the next step goes.

pub(crate) mod error_norm;
pub(crate) mod first_step;
mod step_size;

pub(crate) use step_size::StepSize;
