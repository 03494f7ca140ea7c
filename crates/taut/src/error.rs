//! Everything that can go wrong, as one type.

mod run;

use std::fmt;

use crate::failure::StepFailure;
use crate::method::{MethodError, Mismatch};
use crate::motion::Motion;
use crate::snapshot::SnapshotError;
use crate::start::StartError;
pub use run::RunError;

/// Why there is no motion, or not all of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// an option has a value that makes no sense
    Option {
        /// the option
        name: &'static str,
        /// its value
        value: f64,
        /// what it should be
        expected: &'static str,
    },
    /// the method does not exist
    Method(MethodError),
    /// the method does not suit the equations
    Mismatch(Mismatch),
    /// the vibrations of a stiff spring would have to be followed with more steps than are allowed
    Vibrations {
        /// the method
        method: &'static str,
        /// the spring that vibrates fastest
        spring: String,
        /// its period
        period: f64,
        /// about so many steps it would take
        steps: f64,
        /// so many are allowed
        most_steps: usize,
        /// what to take instead
        instead: String,
    },
    /// there is no consistent start
    Start(StartError),
    /// the first step cannot be prepared
    Preparation(StepFailure),
    /// the checkpoint does not fit
    Snapshot(SnapshotError),
    /// the run stopped early; the motion goes as far as it came
    Stopped {
        /// why
        reason: RunError,
        /// what was computed
        motion: Box<Motion>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Option { name, value, expected } => write!(f, "{name} is {value}, but must be {expected}"),
            Error::Method(error) => error.fmt(f),
            Error::Mismatch(error) => error.fmt(f),
            Error::Vibrations { method, spring, period, steps, most_steps, instead } => write!(
                f,
                "{method} would follow the vibrations of '{spring}', whose period is {period:.2e}: it takes about \
                 {steps:.1e} steps, and {most_steps} are allowed; take {instead}, or allow more steps"
            ),
            Error::Start(error) => error.fmt(f),
            Error::Preparation(error) => write!(f, "the first step cannot be prepared: {error}"),
            Error::Snapshot(error) => error.fmt(f),
            Error::Stopped { reason, .. } => write!(f, "{reason}; {}", reason.advice()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Option { .. } | Error::Vibrations { .. } => None,
            Error::Method(cause) => Some(cause),
            Error::Mismatch(cause) => Some(cause),
            Error::Start(cause) => Some(cause),
            Error::Preparation(cause) => Some(cause),
            Error::Snapshot(cause) => Some(cause),
            Error::Stopped { reason, .. } => Some(reason),
        }
    }
}

impl From<MethodError> for Error {
    fn from(error: MethodError) -> Self {
        Error::Method(error)
    }
}

impl From<Mismatch> for Error {
    fn from(error: Mismatch) -> Self {
        Error::Mismatch(error)
    }
}

impl From<StartError> for Error {
    fn from(error: StartError) -> Self {
        Error::Start(error)
    }
}

impl From<SnapshotError> for Error {
    fn from(error: SnapshotError) -> Self {
        Error::Snapshot(error)
    }
}
