//! The stages of SPARK methods for partitioned systems.

pub(crate) mod coefficients;
pub(crate) mod equations;
pub(crate) mod matrix;
pub(crate) mod reached;
pub(crate) mod unknowns;
