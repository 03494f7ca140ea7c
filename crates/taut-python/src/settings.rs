//! How a run is made, from what Python says.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::{Py, PyResult, Python};
use serde_json::{Map, Value};
use taut::run::Output;
use taut_cli::settings::Settings;

use crate::mistakes::ModelError;

/// The usual settings with those of a JSON object in their place; the names are those of the command.
pub fn settings(given: &str, set: Vec<(String, f64)>) -> PyResult<Settings> {
    let wrong = |error: serde_json::Error| ModelError::new_err(error.to_string());
    let given: Map<String, Value> = serde_json::from_str(given).map_err(wrong)?;
    let usual = Settings { set, ..Settings::default() };
    let Value::Object(mut all) = serde_json::to_value(&usual).map_err(wrong)? else { return Ok(usual) };
    // What is left out of files where it was not given.
    let known: Vec<String> =
        all.keys().cloned().chain(["first_step", "max_step"].map(str::to_owned)).collect();
    for (name, value) in given {
        if !known.contains(&name) {
            let names: Vec<&str> = known.iter().map(String::as_str).filter(|name| *name != "set").collect();
            let names = names.join(", ");
            return Err(ModelError::new_err(format!("there is no option '{name}'; there are {names}")));
        }
        all.insert(name, value);
    }
    serde_json::from_value(Value::Object(all)).map_err(wrong)
}

/// When states are wanted: at these times, or at the steps.
pub fn output(times: Option<&Py<PyArray1<f64>>>) -> PyResult<Output> {
    Ok(match times {
        Some(times) => Output::Times(Python::attach(|py| times.bind(py).to_vec())?),
        None => Output::Steps,
    })
}
