//! Constraints on positions and velocities together.

use super::form::Form;
use super::formulation::Formulation;

/// Index 2 without drift (Gear, Gupta and Leimkuhler 1985): rods hold on positions and on velocities, and each has a
/// second multiplier μ, which vanishes in the exact motion:
///
/// ```text
/// q' = v − Gᵀμ,   v' = a,   0 = f − M a − Gᵀλ,   0 = G v + g_t,   0 = g(t, q)
/// ```
///
/// μ acts through Gᵀ rather than M⁻¹Gᵀ: both have the same motion, and the first needs no regular mass matrix and no
/// derivative of its inverse. Choose it for methods that cannot solve index 3. Springs and conditions on velocities
/// have one row each, as in [`Index2`](super::Index2), and no second multiplier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ggl;

impl Form for Ggl {
    const FORMULATION: Formulation = Formulation::Ggl;
    const SECOND_MULTIPLIERS: bool = true;
}
