//! What can go wrong in a measurement.

use std::fmt;

use taut::method::MethodError;
use taut::system::Fault;
use taut_tableau::TableauError;

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
    /// an experiment with mechanical systems met another one
    NotMechanical {
        /// the problem
        problem: String,
    },
    /// a run stopped early
    Run {
        /// the problem
        problem: String,
        /// why
        cause: taut::Error,
    },
    /// a run of a system without a name stopped early, or never began
    Solver(taut::Error),
    /// a problem could not be built
    Problem(taut_problems::Error),
    /// a tableau could not be built
    Tableau(TableauError),
    /// a system cannot be evaluated at a state
    Evaluation(Fault),
    /// an iteration of an experiment did not converge
    Iteration {
        /// what it was to find
        of: &'static str,
    },
    /// Newton's iteration did not converge
    Newton {
        /// how many iterations were made
        iterations: usize,
        /// the last update
        update: f64,
    },
    /// a matrix has no inverse
    Singular,
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::NoReference { problem, t } => {
                write!(f, "problem '{problem}' has no reference value at t = {t}")
            }
            LabError::NotMechanical { problem } => write!(f, "problem '{problem}' is no mechanical system"),
            LabError::Run { problem, cause } => write!(f, "problem '{problem}': {cause}"),
            LabError::Solver(cause) => cause.fmt(f),
            LabError::Problem(cause) => cause.fmt(f),
            LabError::Tableau(cause) => cause.fmt(f),
            LabError::Evaluation(cause) => cause.fmt(f),
            LabError::Iteration { of } => write!(f, "the iteration for {of} did not converge"),
            LabError::Newton { iterations, update } => {
                write!(
                    f,
                    "Newton's iteration ends after {iterations} iterations with an update of {update:.1e}"
                )
            }
            LabError::Singular => write!(f, "a matrix of an experiment has no inverse"),
        }
    }
}

impl std::error::Error for LabError {}

impl From<taut::Error> for LabError {
    fn from(cause: taut::Error) -> Self {
        LabError::Solver(cause)
    }
}

impl From<MethodError> for LabError {
    fn from(cause: MethodError) -> Self {
        LabError::Solver(cause.into())
    }
}

impl From<taut_problems::Error> for LabError {
    fn from(cause: taut_problems::Error) -> Self {
        LabError::Problem(cause)
    }
}

impl From<TableauError> for LabError {
    fn from(cause: TableauError) -> Self {
        LabError::Tableau(cause)
    }
}

impl From<Fault> for LabError {
    fn from(cause: Fault) -> Self {
        LabError::Evaluation(cause)
    }
}
