//! What Taut says of itself.

mod resumption;
mod rounding;
mod steps_independent_of_eps;
mod stiff_direction;

use super::Claim;

/// The claims.
pub(super) const CLAIMS: &[&Claim] = &[
    &steps_independent_of_eps::CLAIM,
    &stiff_direction::CLAIM,
    &rounding::CONSTRAINTS,
    &rounding::REVERSIBILITY,
    &resumption::CLAIM,
];
