//! Robots from URDF and MJCF files.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taut_cli::arguments::Robot;
use taut_cli::model::read_robot as read;

use crate::mistakes::model_error;

/// What may be left out on purpose.
const KNOWN: [&str; 4] = ["actuators", "limits", "friction", "contacts"];

/// The model file of a robot, and what was left out of it.
#[pyfunction]
pub fn read_robot(
    py: Python<'_>,
    path: PathBuf,
    ignore: Vec<String>,
    strict: bool,
) -> PyResult<(String, Vec<String>)> {
    if let Some(word) = ignore.iter().find(|word| !KNOWN.contains(&word.as_str())) {
        let message = format!("nothing called '{word}' can be ignored; there are {}", KNOWN.join(", "));
        return Err(PyValueError::new_err(message));
    }
    let robot = Robot { ignore, strict };
    let imported = py.detach(|| read(&path, &robot)).map_err(model_error)?;
    Ok((taut_bodies::write_model(&imported), imported.left_out))
}
