//! The index as a type.

use super::formulation::{Formulation, Level};
use crate::system::Constraint;

/// A form of the constraints as a type: [`Index3`](super::Index3), [`Index2`](super::Index2), [`Ggl`](super::Ggl) or
/// [`Index1`](super::Index1).
///
/// A function that is right for one index only says so in its signature, where [`Formulation`] would have to be
/// checked while it runs.
pub trait Form {
    /// The same form as a value.
    const FORMULATION: Formulation;

    /// Whether rods are imposed twice: on velocities, and on positions with a second multiplier μ.
    const SECOND_MULTIPLIERS: bool = false;

    /// The level on which a constraint has its row.
    fn level(constraint: &Constraint) -> Level {
        Self::FORMULATION.level(constraint)
    }

    /// Whether a constraint has a second multiplier μ.
    fn has_second_multiplier(constraint: &Constraint) -> bool {
        Self::SECOND_MULTIPLIERS && constraint.is_rod()
    }
}
