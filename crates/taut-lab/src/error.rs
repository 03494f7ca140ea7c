//! What can go wrong in a measurement.

use std::fmt;

/// A measurement could not be made.
#[derive(Clone, Debug)]
pub enum LabError {
    /// the problem has no reference value at this time
    NoReference {
        /// the problem
        problem: String,
        /// the time
        t: f64,
    },
    /// the problem cannot be built
    Problem {
        /// the problem
        problem: String,
        /// why
        cause: taut_problems::Error,
    },
    /// an experiment with mechanical systems met another one
    NotMechanical {
        /// the problem
        problem: String,
    },
    /// there is no such method
    Method(taut::method::MethodError),
    /// a run stopped early
    Run {
        /// the problem
        problem: String,
        /// why
        cause: taut::Error,
    },
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::NoReference { problem, t } => {
                write!(f, "problem '{problem}' has no reference value at t = {t}")
            }
            LabError::Problem { cause, .. } => cause.fmt(f),
            LabError::NotMechanical { problem } => write!(f, "problem '{problem}' is no mechanical system"),
            LabError::Method(cause) => cause.fmt(f),
            LabError::Run { problem, cause } => write!(f, "problem '{problem}': {cause}"),
        }
    }
}

impl std::error::Error for LabError {}
