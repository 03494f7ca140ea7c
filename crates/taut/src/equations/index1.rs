//! Constraints on accelerations.

use super::form::Form;
use super::formulation::Formulation;

/// Index 1, with rods differentiated twice and conditions on velocities once:
///
/// ```text
/// q' = v,   v' = a,   0 = f − M a − Gᵀλ,   0 = G a + G_q(v, v) + 2 G_t v + g_tt
/// ```
///
/// Any method for stiff equations solves it; positions drift away from g = 0, quadratically in time (Hairer and Wanner,
/// Solving Ordinary Differential Equations II, section VII.2). Springs keep the row g − c λ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Index1;

impl Form for Index1 {
    const FORMULATION: Formulation = Formulation::Index1;
}
