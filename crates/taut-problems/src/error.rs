//! What can go wrong when a problem is looked up.

use std::fmt;

/// A problem could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// no problem has this name
    UnknownProblem {
        /// the name that was asked for
        name: String,
    },
    /// the problem has no such start
    UnknownStart {
        /// the problem
        problem: String,
        /// the start that was asked for
        start: String,
    },
    /// the reference data do not hold what the problem needs
    Data {
        /// the problem
        problem: String,
        /// the key in its file
        key: String,
        /// what is wrong with it
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownProblem { name } => write!(f, "there is no problem '{name}'"),
            Error::UnknownStart { problem, start } => {
                write!(f, "problem '{problem}' has no start '{start}'")
            }
            Error::Data { problem, key, reason } => {
                write!(f, "reference data of '{problem}', key '{key}': {reason}")
            }
        }
    }
}

impl std::error::Error for Error {}
