//! Why there is no consistent start.

use std::fmt;

use crate::system::Fault;

/// There is no consistent start.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StartError {
    /// a list has the wrong length
    Length {
        /// which list
        what: &'static str,
        /// the length it has
        found: usize,
        /// the length it should have
        expected: usize,
    },
    /// the damper beside a spring has a relaxation time that is negative or no number, or there is no spring
    Relaxation {
        /// the spring
        constraint: String,
        /// its relaxation time
        relaxation: f64,
        /// its compliance
        compliance: f64,
    },
    /// a spring has a compliance that is negative or no number
    Compliance {
        /// the spring
        constraint: String,
        /// its compliance
        compliance: f64,
    },
    /// constraints contradict each other
    Contradiction {
        /// a constraint that cannot be satisfied with the others
        constraint: String,
        /// what is left of it
        residual: f64,
    },
    /// positions could not be moved onto the constraints
    NotReached {
        /// the constraint with the largest residual
        constraint: String,
        /// that residual
        residual: f64,
    },
    /// accelerations are not determined: the mass matrix is singular and no constraint helps
    Undetermined {
        /// a coordinate (or variable) that nothing determines
        name: String,
    },
    /// the gradient of a constraint vanishes where it holds, as that of a square does
    Vanishing {
        /// the constraint
        constraint: String,
    },
    /// a mechanism rests in a configuration in which constraints depend on each other
    DeadPoint {
        /// the constraints that follow from others there
        constraints: Vec<String>,
    },
    /// velocities that hold the constraints leave them at once, in a configuration in which they depend on each other
    NoMotion {
        /// the constraints that follow from others there
        constraints: Vec<String>,
        /// the second time derivative of a combination of them that no acceleration changes
        left: f64,
    },
    /// a constraint cannot hold with start values that are to be kept
    Fixed {
        /// the constraint
        constraint: String,
        /// what is left of it
        residual: f64,
        /// positions or velocities
        kept: &'static str,
    },
    /// the mass matrix is not positive semidefinite
    IndefiniteMass {
        /// a coordinate whose motion would have a negative kinetic energy
        coordinate: String,
        /// twice that energy for a velocity of 1
        value: f64,
    },
    /// the gradient of a constraint vanishes or is a combination of others
    Dependent {
        /// the constraint
        constraint: String,
    },
    /// multipliers of a partitioned system are not determined
    Irregular {
        /// a constraint that no multiplier can hold
        constraint: String,
    },
    /// a smooth start was asked to make too many passes
    Passes {
        /// the number asked for
        asked: usize,
        /// the most there can be
        most: usize,
    },
    /// the springs have no smooth motion that could be found
    NoSmoothMotion {
        /// why
        reason: String,
    },
    /// the system cannot be evaluated there
    Fault(Fault),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Length { what, found, expected } => {
                write!(f, "{what} has {found} entries, {expected} are needed")
            }
            StartError::Relaxation { constraint, relaxation, compliance: 0.0 } => write!(
                f,
                "the rod '{constraint}' has a relaxation time, {relaxation:e}, but no compliance: a damper stands beside a \
                 spring (take a small compliance)"
            ),
            StartError::Relaxation { constraint, relaxation, .. } => write!(
                f,
                "the relaxation time of '{constraint}' is {relaxation:e}, but must be 0 or positive"
            ),
            StartError::Compliance { constraint, compliance } => {
                write!(
                    f,
                    "the compliance of '{constraint}' is {compliance:e}, but must be 0 for a rod or positive"
                )
            }
            StartError::IndefiniteMass { coordinate, value } => write!(
                f,
                "the mass matrix is indefinite: '{coordinate}' has a kinetic energy of {:.3e} at the speed 1, and there is no \
                 motion of negative mass; look at the signs in the kinetic energy",
                0.5 * value
            ),
            StartError::Undetermined { name } => {
                write!(
                    f,
                    "nothing determines the acceleration of '{name}': the mass matrix is singular there and no constraint helps"
                )
            }
            StartError::Passes { asked, most } => {
                write!(f, "a smooth start makes at most {most} passes, {asked} were asked for")
            }
            StartError::NoSmoothMotion { reason } => {
                write!(f, "there is no smooth start: {reason}")
            }
            StartError::Fault(fault) => write!(f, "the system cannot be evaluated at the start: {fault}"),
            StartError::Contradiction { .. }
            | StartError::Vanishing { .. }
            | StartError::DeadPoint { .. }
            | StartError::NoMotion { .. }
            | StartError::Fixed { .. }
            | StartError::NotReached { .. }
            | StartError::Dependent { .. }
            | StartError::Irregular { .. } => self.tell_of_constraints(f),
        }
    }
}

impl StartError {
    /// Where constraints cannot hold.
    fn tell_of_constraints(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Contradiction { constraint, residual } => {
                write!(
                    f,
                    "constraint '{constraint}' contradicts the others: a residual of {residual:.3e} cannot be removed; where \
                     that is the rounding of data, accept a gap (--accept-gap, Options::accept_gap), which is spread over them"
                )
            }
            StartError::Vanishing { constraint } => write!(
                f,
                "the gradient of constraint '{constraint}' vanishes where it holds, so that no force can hold it (is it \
                 squared? an absolute value?): write what is to be zero itself"
            ),
            StartError::DeadPoint { constraints } => write!(
                f,
                "the start is a singular configuration: '{}' follows from the other constraints there, and the velocities do \
                 not choose one of the motions that meet there; give start velocities, or start beside it",
                constraints.join("', '")
            ),
            StartError::NoMotion { constraints, left } => write!(
                f,
                "there is no motion from the start: '{}' follows from the other constraints there, and the velocities leave \
                 them with an acceleration of {left:.3e} that nothing can hold; change the start velocities",
                constraints.join("', '")
            ),
            StartError::Fixed { constraint, residual, kept } => write!(
                f,
                "constraint '{constraint}' cannot hold with the {kept} that are fixed: a residual of {residual:.3e} is left; \
                 leave another one free"
            ),
            StartError::NotReached { constraint, residual } => {
                write!(
                    f,
                    "the start cannot be moved onto constraint '{constraint}': a residual of {residual:.3e} is left; begin closer to it"
                )
            }
            StartError::Dependent { constraint } => {
                write!(
                    f,
                    "constraint '{constraint}' has no gradient of its own at the start: it vanishes or follows from the \
                     others; leave it out or write it so that it is regular"
                )
            }
            StartError::Irregular { constraint } => {
                write!(
                    f,
                    "no multiplier can hold constraint '{constraint}': G f_z M^-1 k_u is singular at the start (Jay 1998, \
                     condition 3), which for a Hamiltonian is G H_pp G'"
                )
            }
            _ => Ok(()),
        }
    }
}

impl std::error::Error for StartError {}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> Self {
        StartError::Fault(fault)
    }
}
