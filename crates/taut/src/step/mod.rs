//! One step: what it computes, and how it fails.

mod adams;
mod algebraic;
mod coefficients;
mod collocation;
mod crossing;
mod diagonal;
mod estimate;
mod evaluated;
mod explicit;
mod failure;
mod fastest_spring;
mod field;
mod first_order_stages;
mod first_order_step;
mod hessenberg;
mod hidden;
mod implicit_core;
mod manifold;
mod mechanical_stages;
mod mechanical_step;
mod multistep;
mod newton;
mod own_blocks;
mod singularities;
mod spark;
mod spring_motion;
mod springs;
mod stage_equations;
mod stepper;
mod stiffness;
#[cfg(test)]
mod tests;

pub(crate) use adams::Adams;
pub(crate) use algebraic::AlgebraicSolve;
pub(crate) use collocation::Collocation;
pub(crate) use crossing::Crossing;
pub(crate) use diagonal::Diagonal;
pub(crate) use explicit::Explicit;
pub use failure::StepFailure;
pub(crate) use fastest_spring::{FastestSpring, fastest_spring};
pub(crate) use field::{FirstOrderField, MechanicalField};
pub(crate) use first_order_stages::pencil;
pub(crate) use first_order_step::FirstOrderStep;
pub(crate) use implicit_core::{ImplicitCore, stages_pay};
pub(crate) use manifold::Manifold;
pub(crate) use mechanical_step::MechanicalStep;
pub(crate) use multistep::Multistep;
pub use multistep::{LinearMultistep, MultistepError};
pub use singularities::Near;
pub(crate) use singularities::Singularities;
pub(crate) use spark::{
    PartitionedCoefficients, PartitionedStep, SparkCoefficients, SparkStep, asymmetric_forces,
    consistent_partition, part_shares,
};
pub use stepper::{Attempt, Stepper};
