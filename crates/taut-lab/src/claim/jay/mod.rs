//! Jay, Structure preservation for constrained dynamics with super partitioned additive Runge-Kutta methods (1998).

mod convergence;
mod corollary_8_2;

use super::Claim;

/// The claims, in the order of the paper.
pub(super) const CLAIMS: &[&Claim] = &[&corollary_8_2::CLAIM];
