//! The stages of SPARK methods for mechanical systems.

pub(crate) mod arrived;
pub(crate) mod coefficients;
pub(crate) mod end;
pub(crate) mod equations;
mod forces;
pub(crate) mod frozen;
mod impulses;
pub(crate) mod matrix;
pub(crate) mod positions;
pub(crate) mod residual;
pub(crate) mod symmetry;
pub(crate) mod unknowns;
pub(crate) mod whole;
