//! What ends a run before its end.

use crate::error::{Error, RunError};

/// Why a run does not go on: what was computed so far is kept, or there is nothing to keep.
pub(crate) enum Interruption {
    Stopped(RunError),
    Failed(Error),
}

impl From<RunError> for Interruption {
    fn from(reason: RunError) -> Self {
        Interruption::Stopped(reason)
    }
}

impl From<Error> for Interruption {
    fn from(error: Error) -> Self {
        Interruption::Failed(error)
    }
}
