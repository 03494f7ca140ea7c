//! One step: what it computes, and how it fails.

mod coefficients;
mod collocation;
mod estimate;
mod failure;
mod implicit_core;
mod manifold;
mod mechanical_stages;
mod mechanical_step;
mod newton;
mod stage_equations;
mod stepper;

pub(crate) use coefficients::Coefficients;
pub(crate) use collocation::Collocation;
pub use failure::StepFailure;
pub(crate) use implicit_core::ImplicitCore;
pub(crate) use manifold::Manifold;
pub(crate) use mechanical_step::MechanicalStep;
pub use stepper::{Attempt, Stepper};
