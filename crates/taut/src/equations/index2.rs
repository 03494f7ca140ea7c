//! Constraints on velocities.

use super::form::Form;
use super::formulation::Formulation;

/// Index 2, with rods differentiated once:
///
/// ```text
/// q' = v,   v' = a,   0 = f − M a − Gᵀλ,   0 = G v + g_t
/// ```
///
/// Easier to solve than index 3; positions drift away from g = 0, linearly in time (Hairer and Wanner, Solving Ordinary
/// Differential Equations II, section VII.2). Springs keep the row g − c λ, where they are regular.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Index2;

impl Form for Index2 {
    const FORMULATION: Formulation = Formulation::Index2;
}
