//! One step: what it computes, and how it fails.

mod adams;
mod bdf;
mod collocation;
mod crossing;
mod diagonal;
mod estimate;
mod explicit;
mod first_order_step;
pub(crate) mod history;
pub(crate) mod mechanical_step;
pub(crate) mod spark;
mod stepper;
pub(crate) mod taylor;
#[cfg(test)]
mod tests;

pub use crate::failure::StepFailure;
pub use crate::geometry::Near;
pub(crate) use adams::Adams;
pub(crate) use bdf::Multistep;
pub(crate) use collocation::Collocation;
pub(crate) use crossing::Crossing;
pub(crate) use diagonal::Diagonal;
pub(crate) use explicit::Explicit;
pub(crate) use first_order_step::FirstOrderStep;
pub(crate) use mechanical_step::MechanicalStep;
pub(crate) use spark::{PartitionedStep, SparkStep};
pub(crate) use stepper::Stepper;
pub(crate) use taylor::{
    AlgebraicSeries, FirstOrderSeries, MOST_VARIABLES, MechanicalSeries, Taylor, order_for,
};
