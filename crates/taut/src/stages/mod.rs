//! Stage equations: what the stages of one step have to satisfy.

pub(crate) mod coefficients;
pub(crate) mod field;
pub(crate) mod first_order;
pub(crate) mod mechanical;
pub(crate) mod partitioned;
pub(crate) mod spark;
pub(crate) mod stage_equations;
pub(crate) mod step_residuals;

pub(crate) use field::{FirstOrderField, MechanicalField};
