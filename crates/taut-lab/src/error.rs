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
            LabError::Run { problem, cause } => write!(f, "problem '{problem}': {cause}"),
        }
    }
}

impl std::error::Error for LabError {}
