//! Numbers from what Python functions return.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Copies a vector, or a matrix row by row, of so many numbers.
pub fn copy(value: &Bound<'_, PyAny>, what: &str, into: &mut [f64]) -> PyResult<()> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
    {
        let array = array.readonly();
        return copy_slice(array.as_slice()?, what, into);
    }
    let py = value.py();
    let asarray = ASARRAY
        .get_or_try_init(py, || py.import("taut._numbers")?.getattr("as_numbers").map(Bound::unbind))?;
    let array = asarray.bind(py).call1((value, what))?;
    let array = array.cast::<PyArray1<f64>>()?.readonly();
    copy_slice(array.as_slice()?, what, into)
}

fn copy_slice(from: &[f64], what: &str, into: &mut [f64]) -> PyResult<()> {
    if from.len() != into.len() {
        let (found, expected) = (from.len(), into.len());
        return Err(PyValueError::new_err(format!("{what} returned {found} numbers instead of {expected}")));
    }
    into.copy_from_slice(from);
    Ok(())
}
