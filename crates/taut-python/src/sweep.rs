//! Many runs over parameters and starts, on threads: the rows of the command.

use std::sync::atomic::AtomicBool;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut_cli::sweep::{Columns, Receiver, Row, Runner, in_order, window};

use crate::mistakes::model_error;
use crate::model::{Compiled, Overrides, end_of};
use crate::settings::settings;

/// What all runs have in common.
pub struct How {
    /// the end time
    pub until: Option<f64>,
    /// options, as JSON
    pub options: String,
    /// how many threads
    pub threads: usize,
    /// called with the number of runs that are done
    pub progress: Option<Py<PyAny>>,
    /// the columns of a larger sweep that these runs are part of
    pub columns: Option<Vec<String>>,
    /// overrides that hold for all runs
    pub set: Overrides,
}

/// The names of the numbers of all rows.
pub fn columns(model: &Compiled, runs: &[Overrides], set: &Overrides) -> PyResult<Columns> {
    let subject = model.take(set).map_err(model_error)?;
    let columns = Columns::of_runs(&subject, model.shared(), set, runs);
    model.put(set.clone(), subject);
    Ok(columns)
}

/// Runs everything; a run that fails is a row. Rows are in the order of the runs, whatever the number of threads.
pub fn sweep<'py>(
    py: Python<'py>,
    model: &Compiled,
    runs: &[Overrides],
    how: How,
) -> PyResult<Bound<'py, PyDict>> {
    let columns = match how.columns {
        Some(names) => Columns::named(names),
        None => columns(model, runs, &how.set)?,
    };
    let subject = model.take(&how.set).map_err(model_error)?;
    end_of(&subject, how.until).map_err(model_error)?;
    model.put(how.set.clone(), subject);
    let settings = settings(&how.options, how.set)?;
    settings.method().map_err(model_error)?;
    let (stop, mut rows) =
        (AtomicBool::new(false), Rows { found: Vec::with_capacity(runs.len()), progress: how.progress });
    let runner = Runner {
        model: model.shared(),
        settings: &settings,
        until: how.until,
        columns: &columns,
        trajectories: None,
    };
    py.detach(|| {
        let work = |run: u64| runner.run(run, &runs[run as usize], &stop).map_err(model_error);
        let far = window(size_of::<f64>() * columns.names().len());
        in_order(0..runs.len() as u64, how.threads, far, &stop, &work, &mut rows)
    })?;
    let dictionary = PyDict::new(py);
    for (k, name) in columns.names().iter().enumerate() {
        let column: Vec<f64> = rows.found.iter().map(|row| row.numbers[k]).collect();
        dictionary.set_item(name, PyArray1::from_vec(py, column))?;
    }
    dictionary.set_item("status", rows.found.iter().map(|row| row.status.name()).collect::<Vec<_>>())?;
    dictionary.set_item("reason", rows.found.iter().map(|row| row.reason.as_str()).collect::<Vec<_>>())?;
    Ok(dictionary)
}

/// All rows, and who is told how many there are.
struct Rows {
    found: Vec<Row>,
    progress: Option<Py<PyAny>>,
}

impl Receiver<Row, PyErr> for Rows {
    fn take(&mut self, _run: u64, row: Row) -> PyResult<()> {
        self.found.push(row);
        Ok(())
    }

    fn rest(&mut self, found: u64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (found,)).map(|_| ()))
        })
    }
}
