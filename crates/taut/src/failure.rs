//! Why a step could not be taken.

use std::fmt;

use crate::linear::Singular;
use crate::system::Fault;

/// Why a step was not taken; a shorter one may succeed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepFailure {
    /// Newton's iteration did not converge
    Newton {
        /// the last measured contraction
        contraction: f64,
        /// the number of iterations made
        iterations: usize,
    },
    /// Newton's matrix is singular
    Singular {
        /// the row without a pivot: a coordinate, or a constraint
        name: String,
    },
    /// the system could not be evaluated
    Fault(Fault),
    /// the end of the step could not be projected onto the constraints
    Projection {
        /// the constraint with the largest residual
        constraint: String,
        /// that residual
        residual: f64,
    },
    /// springs in smooth motion have begun to vibrate: the step is to be repeated with vibrations followed
    NotSmooth {
        /// the spring that vibrates most
        spring: String,
        /// with this amplitude
        vibration: f64,
    },
}

impl StepFailure {
    /// The failure of an elimination, with the name of the row.
    pub(crate) fn singular(singular: Singular, name: impl Fn(usize) -> String) -> Self {
        StepFailure::Singular { name: name(singular.pivot) }
    }

    /// Whether no shorter step is to be tried.
    pub fn is_fatal(&self) -> bool {
        matches!(self, StepFailure::Fault(fault) if fault.is_fatal())
    }
}

impl From<Fault> for StepFailure {
    fn from(fault: Fault) -> Self {
        StepFailure::Fault(fault)
    }
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepFailure::Newton { contraction, iterations } => {
                write!(
                    f,
                    "Newton's iteration did not converge in {iterations} iterations (contraction {contraction:.2})"
                )
            }
            StepFailure::Singular { name } => write!(f, "Newton's matrix is singular at '{name}'"),
            StepFailure::Fault(fault) => fault.fmt(f),
            StepFailure::NotSmooth { spring, vibration } => {
                write!(f, "spring '{spring}' is not in smooth motion: it vibrates by {vibration:.2e}")
            }
            StepFailure::Projection { constraint, residual } => {
                write!(
                    f,
                    "the step cannot be projected onto constraint '{constraint}' (residual {residual:.2e})"
                )
            }
        }
    }
}

impl std::error::Error for StepFailure {}
