//! Dense output: what is between two steps.

pub(crate) mod collocation;
pub(crate) mod hermite;
pub(crate) mod partitioned;
pub(crate) mod spark;
