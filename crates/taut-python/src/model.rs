//! Models of text, compiled, and their runs.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::equations::Layout;
use taut::run::{Output, RunError};
use taut_cli::command::check;
use taut_cli::integration::{Accounts, Ending, Plan, SecondRun};
use taut_cli::model::{SharedModel, Subject};
use taut_cli::outcome::Failure;
use taut_cli::summary::Summary;
use taut_cli::table::Table;
use taut_text::{Model, Source};

use crate::along::{Along, Residual, Rows};
use crate::events::Given;
use crate::mistakes::model_error;
use crate::pulse::Pulse;
use crate::result::dictionary;
use crate::settings::{output, settings};
use crate::{report, sweep};

/// Values of parameters and start values that are not those of the text.
pub type Overrides = Vec<(String, f64)>;

/// So many compiled models wait for the next run.
const MOST_READY: usize = 8;

/// A model of text. Compiled forms wait here between runs; threads that run at once have one each.
#[pyclass(frozen, module = "taut._taut")]
pub struct Compiled {
    source: Source,
    /// what has no parameters yet and is shared by all threads
    shared: SharedModel,
    ready: Mutex<Vec<(Overrides, Subject)>>,
}

/// How a run is made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Wanted {
    until: Option<f64>,
    times: Option<Py<PyArray1<f64>>>,
    inside: bool,
    options: String,
    set: Overrides,
    events: Vec<Given>,
    progress: Option<Py<PyAny>>,
    second_run: bool,
}

/// What a run leaves.
struct Run {
    subject: Subject,
    rows: (Rows, Option<Rows>),
    ending: Ending,
    summary: String,
}

impl Compiled {
    /// The model with other values; the text is read again only where they change its structure.
    pub fn read(&self, set: &Overrides) -> Result<Subject, Failure> {
        self.shared.subject(set)
    }

    /// What all threads share.
    pub fn shared(&self) -> &SharedModel {
        &self.shared
    }

    /// A compiled form with these values, for the caller alone.
    pub fn take(&self, set: &Overrides) -> Result<Subject, Failure> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let found = ready.iter().position(|(of, _)| of == set);
        match found {
            Some(place) => Ok(ready.swap_remove(place).1),
            None => {
                drop(ready);
                self.read(set)
            }
        }
    }

    /// Puts a compiled form back for the next run.
    pub fn put(&self, set: Overrides, subject: Subject) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() == MOST_READY {
            ready.remove(0);
        }
        ready.push((set, subject));
    }

    fn with<T>(&self, set: Overrides, work: impl FnOnce(&Subject) -> PyResult<T>) -> PyResult<T> {
        let subject = self.take(&set).map_err(model_error)?;
        let result = work(&subject);
        self.put(set, subject);
        result
    }
}

#[pymethods]
impl Compiled {
    /// Reads a text; `file` is what messages call it.
    #[new]
    fn new(py: Python<'_>, name: String, file: String, text: String) -> PyResult<Self> {
        py.detach(|| {
            let source = Source::new(file, text);
            let model = Model::read(&source, &[]).map_err(|errors| Failure::rendered(errors.to_string()))?;
            // The file is where meshes are looked for.
            let typed = source.name().to_owned();
            let subject = Subject { name, typed, source: source.clone(), model };
            let shared = SharedModel::new(&subject);
            let compiled = Compiled { source, shared, ready: Mutex::new(Vec::new()) };
            compiled.put(Vec::new(), subject);
            Ok(compiled)
        })
        .map_err(model_error)
    }

    /// Names and values of the model.
    fn describe<'py>(&self, py: Python<'py>, set: Overrides) -> PyResult<Bound<'py, PyDict>> {
        self.with(set, |subject| {
            let dictionary = PyDict::new(py);
            let model = &subject.model;
            dictionary.set_item("title", &model.name)?;
            dictionary.set_item("coordinates", model.coordinates())?;
            let constraints: Vec<&str> = subject
                .mechanism()
                .map(|system| system.structure().constraints.iter().map(|c| c.name.as_str()).collect())
                .unwrap_or_default();
            dictionary.set_item("constraints", constraints)?;
            dictionary.set_item("mechanical", subject.mechanism().is_some())?;
            dictionary.set_item("observables", model.observers.names())?;
            let parameters = model.parameters.iter().map(|(name, value)| (&**name, *value));
            dictionary.set_item("parameters", parameters.collect::<Vec<_>>())?;
            dictionary.set_item("start", (model.start.t, model.start.q.clone(), model.start.v.clone()))?;
            dictionary.set_item("end", model.end)?;
            dictionary.set_item("columns", Table::new(subject).names())?;
            Ok(dictionary)
        })
    }

    /// What `taut check` says: text and JSON.
    fn check(&self, set: Overrides) -> PyResult<(String, String)> {
        self.with(set, |subject| {
            let findings = check::examine(subject);
            let text = check::text(subject, &findings);
            Ok((text, findings.into_json().to_string()))
        })
    }

    /// What the model observes at states (k, width) at times (k): an array (k, observables).
    fn observe<'py>(
        &self,
        py: Python<'py>,
        set: Overrides,
        t: PyReadonlyArray1<'py, f64>,
        y: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (t, y) = (t.as_array(), y.as_array());
        self.with(set, |subject| {
            let layout = layout_of(subject);
            if y.ncols() != layout.len() || y.nrows() != t.len() {
                return Err(PyValueError::new_err("times and states do not fit the model"));
            }
            let columns = subject.model.observers.names().len();
            let mut values = vec![0.0; columns * t.len()];
            for (k, values) in values.chunks_exact_mut(columns.max(1)).enumerate() {
                let state = y.row(k).to_vec();
                subject.model.observe(t[k], &state, values);
            }
            PyArray1::from_vec(py, values).reshape([t.len(), columns])
        })
    }

    /// Integrates.
    fn solve<'py>(&self, py: Python<'py>, wanted: Wanted) -> PyResult<Bound<'py, PyDict>> {
        let subject = self.take(&wanted.set).map_err(model_error)?;
        let set = wanted.set.clone();
        let (run, raised) = py.detach(move || integrate(subject, wanted));
        if let Some(error) = raised {
            return Err(error);
        }
        let Run { subject, rows, ending, summary } = run?;
        self.put(set, subject);
        let error = ending.reason.as_ref().map(|reason| (explained(reason), reason.t()));
        dictionary(py, rows, &ending.motion, summary, error)
    }

    /// Integrates and makes a page of the motion: HTML.
    fn report(&self, py: Python<'_>, wanted: Wanted) -> PyResult<String> {
        let subject = self.take(&wanted.set).map_err(model_error)?;
        let set = wanted.set.clone();
        let (subject, page) = py.detach(move || {
            let page = report::page(&subject, wanted.until, &wanted.options, wanted.set);
            (subject, page)
        });
        self.put(set, subject);
        page
    }

    /// Many runs: a column of numbers for each name, statuses and reasons.
    #[pyo3(signature = (runs, until, options, threads, progress, columns = None, set = Vec::new()))]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        runs: Vec<Overrides>,
        until: Option<f64>,
        options: String,
        threads: usize,
        progress: Option<Py<PyAny>>,
        columns: Option<Vec<String>>,
        set: Overrides,
    ) -> PyResult<Bound<'py, PyDict>> {
        sweep::sweep(py, self, &runs, sweep::How { until, options, threads, progress, columns, set })
    }

    /// The names of the numbers of all rows of many runs.
    #[pyo3(signature = (runs, set = Vec::new()))]
    fn sweep_columns(&self, runs: Vec<Overrides>, set: Overrides) -> PyResult<Vec<String>> {
        Ok(sweep::columns(self, &runs, &set)?.names().to_vec())
    }

    /// The text of the model.
    #[getter]
    fn text(&self) -> &str {
        self.source.text()
    }
}

/// Where everything lies in a state of the model.
pub fn layout_of(subject: &Subject) -> Layout {
    let n = subject.model.coordinates().len();
    match subject.mechanism() {
        Some(system) => Layout::mechanical(n, system.structure().m()),
        None => Layout::first_order(n),
    }
}

/// Why a run stopped, and what to try.
pub fn explained(reason: &RunError) -> String {
    match reason {
        RunError::TooManySteps { .. } => format!("{reason}; {}: max_steps=N", reason.advice()),
        _ => format!("{reason}; {}", reason.advice()),
    }
}

/// The end that was asked for, or that of the model.
pub fn end_of(subject: &Subject, until: Option<f64>) -> Result<f64, Failure> {
    until.or(subject.model.end).ok_or_else(|| Failure::wrong("there is no end time: say until which time"))
}

/// The run and the exception that ended it.
fn integrate(subject: Subject, wanted: Wanted) -> (PyResult<Run>, Option<PyErr>) {
    let pulse = Pulse::new();
    let run = attempt(subject, wanted, &pulse);
    (run, pulse.take())
}

fn attempt(subject: Subject, wanted: Wanted, pulse: &Pulse) -> PyResult<Run> {
    let Wanted { until, times, inside, options, set, events, progress, second_run } = wanted;
    let settings = settings(&options, set)?;
    let until = end_of(&subject, until).map_err(model_error)?;
    let layout = layout_of(&subject);
    let output = output(times.as_ref())?;
    let expected = output.times().unwrap_or(0);
    let (rows, ending, accounts, warnings) = {
        let mut along = Along::new(pulse, layout.len(), expected, progress);
        if inside {
            along.look_inside();
        }
        if let Some(residual) = algebraic_residual(&subject) {
            along.watch(residual);
        }
        let plan = plan(&subject, &settings, until, output);
        let observable = |t: f64, y: &[f64], k: usize| observable(&subject, t, y, k);
        let further = || events.iter().map(|event| event.event(pulse, layout.len(), &observable)).collect();
        let mut ending = plan.run_with(&further, &mut along).map_err(model_error)?;
        let wanted = if second_run { SecondRun::Yes } else { SecondRun::No };
        let warning = ending.look_again(&plan, wanted, &further, &|| pulse.beats());
        along.warnings.extend(warning);
        let accounts = Accounts { algebraic: along.algebraic, ..Accounts::default() };
        (along.take(), ending, accounts, std::mem::take(&mut along.warnings))
    };
    let summary = Summary {
        subject: &subject,
        settings: &settings,
        from: subject.model.start.t,
        until,
        ending: &ending,
        accounts: &accounts,
        conserved: None,
        stopped: ending.reason.as_ref().map(explained),
    };
    let mut object = summary.to_json();
    if !warnings.is_empty() {
        object["warnings"] = warnings.into();
    }
    let summary = object.to_string();
    Ok(Run { subject, rows, ending, summary })
}

/// A plan without checkpoints.
pub fn plan<'m>(
    subject: &'m Subject,
    settings: &'m taut_cli::settings::Settings,
    until: f64,
    output: Output,
) -> Plan<'m> {
    Plan { subject, settings, until, output, snapshot_every: None, resume: None, share_of_tolerances: 1.0 }
}

fn observable(subject: &Subject, t: f64, y: &[f64], k: usize) -> f64 {
    let mut values = vec![0.0; subject.model.observers.names().len()];
    subject.model.observe(t, y, &mut values);
    values.get(k).copied().unwrap_or(f64::NAN)
}

/// The residual of the equations without derivatives, when a first-order model has some.
pub fn algebraic_residual(subject: &Subject) -> Option<Residual<'_>> {
    let system = subject.evolution()?;
    let algebraic = system.composition().algebraic_rows();
    if !algebraic.contains(&true) {
        return None;
    }
    let mut rate = vec![0.0; algebraic.len()];
    Some(Box::new(move |t, x| match system.rate(t, x, &mut rate) {
        Ok(()) => {
            let rows = rate.iter().zip(&algebraic).filter(|(_, algebraic)| **algebraic);
            rows.fold(0.0, |largest, (row, _)| row.abs().max(largest))
        }
        Err(_) => 0.0,
    }))
}
