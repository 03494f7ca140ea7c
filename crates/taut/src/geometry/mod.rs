//! The constraints at one state: projection, tangent space, accelerations, rank, hidden constraints.

pub(crate) mod algebraic;
pub(crate) mod balance;
pub(crate) mod evaluated;
mod falling;
mod given_multipliers;
pub(crate) mod hessenberg;
pub(crate) mod hidden;
pub(crate) mod manifold;
pub(crate) mod partitioned;
pub(crate) mod pencil;
pub(crate) mod probe;
pub(crate) mod product;
pub(crate) mod rods;
mod singularities;
#[cfg(test)]
mod tests;

pub(crate) use algebraic::AlgebraicSolve;
pub use given_multipliers::Accelerations;
pub(crate) use manifold::Manifold;
pub use singularities::Near;
pub(crate) use singularities::Singularities;
