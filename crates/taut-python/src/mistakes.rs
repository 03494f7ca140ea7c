//! Errors on their way to Python.

use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};
use taut_cli::outcome::Failure;

create_exception!(
    taut,
    ModelError,
    PyValueError,
    "A model, an option or a file is wrong; the message is that of the command."
);

/// The message of the command, as an exception.
pub fn model_error(failure: Failure) -> PyErr {
    let message = failure.message.strip_prefix("error: ").map_or(failure.message.as_str(), |rest| rest);
    ModelError::new_err(message.to_owned())
}
