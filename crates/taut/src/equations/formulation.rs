//! Which form of the constraints a method is applied to.

use crate::system::Constraint;

/// The form of the constraints that a method is applied to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formulation {
    /// g(q) = 0, as the mechanics has it. The default: nothing drifts, nothing has to be differentiated.
    #[default]
    Index3,
    /// G v + g_t = 0. Positions drift linearly unless they are projected.
    Index2,
    /// G v + g_t = 0 together with g(q) = 0 and a second multiplier (Gear, Gupta and Leimkuhler 1985).
    Ggl,
    /// G v' + curvature = 0. Positions drift quadratically unless they are projected.
    Index1,
}

impl Formulation {
    /// All formulations.
    pub const ALL: [Formulation; 4] =
        [Formulation::Index3, Formulation::Index2, Formulation::Ggl, Formulation::Index1];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Index3 => "index3",
            Formulation::Index2 => "index2",
            Formulation::Ggl => "ggl",
            Formulation::Index1 => "index1",
        }
    }

    /// On which level a constraint is imposed on the stages. Springs stay on the level of positions, where they are
    /// regular; conditions on velocities have no such level.
    pub fn level(self, constraint: &Constraint) -> Level {
        match self {
            _ if constraint.compliance() > 0.0 => Level::Position,
            Formulation::Index1 => Level::Acceleration,
            Formulation::Index3 if constraint.is_holonomic() => Level::Position,
            _ => Level::Velocity,
        }
    }
}

/// The level on which a constraint is imposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// g(t, q) = C λ
    Position,
    /// G v + g_t = 0, or h(t, q, v) = 0
    Velocity,
    /// G v' + curvature = 0
    Acceleration,
}

impl Level {
    /// How many times the accelerations are integrated before they meet the constraint: its row is divided by this
    /// power of h, and of the eigenvalues of the Runge-Kutta matrix.
    pub fn integrations(self) -> i32 {
        match self {
            Level::Position => 2,
            Level::Velocity => 1,
            Level::Acceleration => 0,
        }
    }
}
