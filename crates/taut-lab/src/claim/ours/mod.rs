//! What we say of Taut ourselves.

mod steps_independent_of_eps;

use super::Claim;

/// Our own claims.
pub(super) const CLAIMS: &[&Claim] = &[&steps_independent_of_eps::CLAIM];
