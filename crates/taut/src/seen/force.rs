//! Forces know what they do to the energy.

use std::ops::{BitAnd, BitOr};

/// What a force does to the energy of the system (Jay 1998, section 2).
///
/// The class decides which coefficients of a partitioned method treat the force; methods with one set of
/// coefficients treat all classes alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForceClass {
    /// keeps the energy: derived from a potential that is not written as one
    Conservative,
    /// takes energy out: friction, damping
    Dissipative,
    /// brings energy in: motors, loads, controls
    Driving,
    /// fast and bounded: vibrations that need not be resolved
    Oscillatory,
}

impl ForceClass {
    /// All classes.
    pub const ALL: [ForceClass; 4] =
        [ForceClass::Conservative, ForceClass::Dissipative, ForceClass::Driving, ForceClass::Oscillatory];

    /// The name in model files.
    pub fn name(self) -> &'static str {
        match self {
            ForceClass::Conservative => "conservative",
            ForceClass::Dissipative => "dissipative",
            ForceClass::Driving => "driving",
            ForceClass::Oscillatory => "oscillatory",
        }
    }
}

/// A set of terms on the right-hand side of the equations of motion.
///
/// Solvers that treat all forces alike ask for [`Terms::ACCELERATING`]; partitioned ones ask class by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms(u8);

impl Terms {
    /// nothing: the Newton block of these terms is −∂(M a + Gᵀλ)/∂q alone
    pub const NONE: Terms = Terms(0);
    /// −∂V/∂q, and −∂U/∂q / ε² of a strong potential
    pub const POTENTIAL: Terms = Terms(1);
    /// ∂T/∂q − (∂(M v)/∂q) v: what belongs to M(q) v' (centrifugal and Coriolis forces)
    pub const CORIOLIS: Terms = Terms(2);
    /// ∂T/∂q: what belongs to (M(q) v)' (Jay 1998, eq. 8f)
    pub const KINETIC: Terms = Terms(4);
    /// forces of class conservative
    pub const CONSERVATIVE: Terms = Terms(8);
    /// forces of class dissipative
    pub const DISSIPATIVE: Terms = Terms(16);
    /// forces of class driving
    pub const DRIVING: Terms = Terms(32);
    /// forces of class oscillatory
    pub const OSCILLATORY: Terms = Terms(64);
    /// all forces of the four classes
    pub const APPLIED: Terms = Terms(8 + 16 + 32 + 64);
    /// f in M(q) v' = f − Gᵀλ
    pub const ACCELERATING: Terms = Terms(1 + 2 + 8 + 16 + 32 + 64);

    /// The forces of one class.
    pub fn of(class: ForceClass) -> Terms {
        match class {
            ForceClass::Conservative => Terms::CONSERVATIVE,
            ForceClass::Dissipative => Terms::DISSIPATIVE,
            ForceClass::Driving => Terms::DRIVING,
            ForceClass::Oscillatory => Terms::OSCILLATORY,
        }
    }

    /// Whether one of `terms` is in this set.
    pub fn contain(self, terms: Terms) -> bool {
        self.0 & terms.0 != 0
    }
}

impl BitAnd for Terms {
    type Output = Terms;
    fn bitand(self, other: Terms) -> Terms {
        Terms(self.0 & other.0)
    }
}

impl BitOr for Terms {
    type Output = Terms;
    fn bitor(self, other: Terms) -> Terms {
        Terms(self.0 | other.0)
    }
}
