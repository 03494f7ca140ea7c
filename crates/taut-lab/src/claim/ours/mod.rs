//! What Taut says of itself.

mod resumption;
mod rounding;

use super::Claim;

/// The claims.
pub(super) const CLAIMS: &[&Claim] = &[&rounding::CONSTRAINTS, &rounding::REVERSIBILITY, &resumption::CLAIM];
