//! Lists of methods, coefficients and claims, and trajectories in files.

use std::path::PathBuf;
use std::thread;

use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde_json::Value;
use taut_cli::command::{methods as methods_command, tableau as tableau_command, verify as verify_command};
use taut_cli::output::Format;

use crate::mistakes::model_error;

/// The built-in models: (name, what it is, text).
#[pyfunction]
pub fn builtin_models() -> Vec<(&'static str, &'static str, &'static str)> {
    taut_text::builtin().iter().map(|&(name, about, text)| (name, about, text)).collect()
}

/// What `taut methods --json` prints.
#[pyfunction]
pub fn methods() -> PyResult<String> {
    methods_command::list_json().map(|list| list.to_string()).map_err(model_error)
}

/// What `taut tableau --json` prints.
#[pyfunction]
pub fn tableau(name: &str, stages: Option<usize>) -> PyResult<String> {
    tableau_command::coefficients_json(name, stages).map(|object| object.to_string()).map_err(model_error)
}

/// What `taut verify --json` prints.
#[pyfunction]
pub fn verify(py: Python<'_>, claim: Option<&str>, fast: bool) -> PyResult<String> {
    let chosen = verify_command::choose(claim, fast).map_err(model_error)?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let answers = py.detach(|| taut_lab::claim::verify(&chosen, threads, &|_| {}));
    Ok(Value::Array(answers.iter().map(verify_command::to_json).collect()).to_string())
}

/// Writes rows into a file; the ending chooses the format.
#[pyfunction]
pub fn save(
    py: Python<'_>,
    path: PathBuf,
    columns: Vec<String>,
    rows: PyReadonlyArray2<'_, f64>,
) -> PyResult<()> {
    let format = Format::of(&path).map_err(model_error)?;
    let rows = rows.as_array();
    py.detach(|| {
        let mut sink = format.create(&path, &columns)?;
        for row in rows.outer_iter() {
            match row.as_slice() {
                Some(row) => sink.row(row)?,
                None => sink.row(&row.to_vec())?,
            }
        }
        sink.finish()
    })
    .map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))
}
