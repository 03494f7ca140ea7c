//! What Taut says of itself.

mod resumption;
mod rounding;
mod steps_independent_of_eps;

use super::Claim;

/// The claims.
pub(super) const CLAIMS: &[&Claim] =
    &[&steps_independent_of_eps::CLAIM, &rounding::CONSTRAINTS, &rounding::REVERSIBILITY, &resumption::CLAIM];
