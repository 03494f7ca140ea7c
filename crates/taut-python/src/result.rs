//! What Python gets of a run.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use taut::motion::{Motion, Stop};
use taut::run::Crossing;

use crate::along::Rows;

/// Times (k) and states (k, width).
type Arrays<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// Rows as arrays, without copying.
pub fn arrays(py: Python<'_>, rows: Rows) -> PyResult<Arrays<'_>> {
    let Rows { times, states, width } = rows;
    let y = PyArray1::from_vec(py, states).reshape([times.len(), width])?;
    Ok((PyArray1::from_vec(py, times), y))
}

/// How a run ended, in one word.
pub fn stop_name(stop: &Stop) -> String {
    match stop {
        Stop::End => "end".to_owned(),
        Stop::Event(name) => format!("event {name}"),
        Stop::Observer => "stopped".to_owned(),
    }
}

/// Events that happened, as (name, t, y).
pub fn crossings<'py>(py: Python<'py>, crossings: &[Crossing]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for Crossing { event, t, y } in crossings {
        list.append((event, *t, PyArray1::from_slice(py, y)))?;
    }
    Ok(list)
}

/// A run as a dictionary: `t`, `y`, `inside` (t and y between steps), `end`, `events`, `stop`, `summary` (text of JSON) and
/// `error`.
pub fn dictionary<'py>(
    py: Python<'py>,
    (rows, inside): (Rows, Option<Rows>),
    motion: &Motion,
    summary: String,
    error: Option<(String, f64)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    let (t, y) = arrays(py, rows)?;
    dictionary.set_item("t", t)?;
    dictionary.set_item("y", y)?;
    dictionary.set_item("inside", inside.map(|rows| arrays(py, rows)).transpose()?)?;
    dictionary.set_item("end", (motion.t, PyArray1::from_slice(py, &motion.y)))?;
    dictionary.set_item("events", crossings(py, &motion.crossings)?)?;
    dictionary.set_item("stop", stop_name(&motion.stop))?;
    dictionary.set_item("summary", summary)?;
    dictionary.set_item("error", error)?;
    Ok(dictionary)
}
