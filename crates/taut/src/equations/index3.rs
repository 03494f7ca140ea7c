//! Constraints on positions, as the mechanics has them.

use super::form::Form;
use super::formulation::Formulation;

/// Index 3, with the constraints as they stand:
///
/// ```text
/// q' = v,   v' = a,   0 = f − M a − Gᵀλ,   0 = g(t, q) − C λ
/// ```
///
/// Choose it for stiffly accurate methods: positions stay on the constraints to rounding error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Index3;

impl Form for Index3 {
    const FORMULATION: Formulation = Formulation::Index3;
}
