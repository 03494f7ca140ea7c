//! Many runs over parameters and starts, on threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::equations::Layout;
use taut::run::{Observer, Output, View};
use taut_cli::integration::{Accounts, Ending};
use taut_cli::model::Subject;
use taut_cli::outcome::Failure;
use taut_cli::settings::Settings;
use taut_cli::summary::Summary;

use crate::mistakes::model_error;
use crate::model::{Compiled, Overrides, algebraic_residual, end_of, explained, layout_of, plan};
use crate::settings::settings;

/// Signals are looked at this often.
const REST: Duration = Duration::from_millis(50);

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
}

/// One run: numbers in the order of the names, how it ended, and why.
struct Row {
    numbers: Vec<f64>,
    status: &'static str,
    reason: String,
}

/// Runs everything; a run that fails is a row. Rows are in the order of the runs, whatever the number of threads.
pub fn sweep<'py>(
    py: Python<'py>,
    model: &Compiled,
    runs: &[Overrides],
    how: How,
) -> PyResult<Bound<'py, PyDict>> {
    let subject = model.take(&Vec::new()).map_err(model_error)?;
    let names = names(&subject);
    end_of(&subject, how.until).map_err(model_error)?;
    model.put(Vec::new(), subject);
    let settings = settings(&how.options, Vec::new())?;
    settings.method().map_err(model_error)?;
    let rows = py.detach(|| all_rows(model, runs, &settings, &how, names.len()))?;
    let dictionary = PyDict::new(py);
    for (k, name) in names.iter().enumerate() {
        let column: Vec<f64> =
            rows.iter().map(|row| row.numbers.get(k).copied().unwrap_or(f64::NAN)).collect();
        dictionary.set_item(name, PyArray1::from_vec(py, column))?;
    }
    dictionary.set_item("status", rows.iter().map(|row| row.status).collect::<Vec<_>>())?;
    dictionary.set_item("reason", rows.iter().map(|row| row.reason.as_str()).collect::<Vec<_>>())?;
    Ok(dictionary)
}

fn all_rows(
    model: &Compiled,
    runs: &[Overrides],
    settings: &Settings,
    how: &How,
    width: usize,
) -> PyResult<Vec<Row>> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let rows: Mutex<Vec<Option<Row>>> = Mutex::new(runs.iter().map(|_| None).collect());
    let (done, finished) = channel();
    let outcome = thread::scope(|scope| {
        for _ in 0..how.threads.clamp(1, runs.len().max(1)) {
            let (done, next, stop, rows) = (done.clone(), &next, &stop, &rows);
            scope.spawn(move || work(model, runs, settings, how.until, (next, stop, rows, &done), width));
        }
        drop(done);
        let mut count = 0;
        loop {
            match finished.recv_timeout(REST) {
                Ok(()) => count += 1,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            while finished.try_recv().is_ok() {
                count += 1;
            }
            let told = Python::attach(|py| {
                py.check_signals()?;
                how.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (count,)).map(|_| ()))
            });
            if let Err(error) = told {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    });
    outcome?;
    let rows = rows.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let missing =
        || Row { numbers: Vec::new(), status: "failed", reason: "the run ended without a word".to_owned() };
    Ok(rows.into_iter().map(|row| row.unwrap_or_else(missing)).collect())
}

type Shared<'a> = (&'a AtomicUsize, &'a AtomicBool, &'a Mutex<Vec<Option<Row>>>, &'a Sender<()>);

/// Takes one run after the other until there are none.
fn work(
    model: &Compiled,
    runs: &[Overrides],
    settings: &Settings,
    until: Option<f64>,
    (next, stop, rows, done): Shared<'_>,
    width: usize,
) {
    while !stop.load(Ordering::Relaxed) {
        let k = next.fetch_add(1, Ordering::Relaxed);
        let Some(set) = runs.get(k) else { return };
        let row = one(model, set, settings, until, stop).unwrap_or_else(|failure| Row {
            numbers: vec![f64::NAN; width],
            status: "failed",
            reason: failure.message,
        });
        if let Some(place) = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_mut(k) {
            *place = Some(row);
        }
        // Nobody listens any more when the sweep was stopped.
        let _ = done.send(());
    }
}

fn one(
    model: &Compiled,
    set: &Overrides,
    settings: &Settings,
    until: Option<f64>,
    stop: &AtomicBool,
) -> Result<Row, Failure> {
    let subject = model.read(set)?;
    let until = end_of(&subject, until)?;
    let mut extremes = Extremes::new(&subject, stop);
    let ending = plan(&subject, settings, until, Output::End).run(&mut extremes)?;
    let accounts = Accounts { algebraic: extremes.algebraic, ..Accounts::default() };
    let numbers = numbers(&subject, settings, until, &ending, &accounts, &extremes);
    let (status, reason) = match &ending.reason {
        None => ("done", String::new()),
        Some(reason) => ("stopped", explained(reason)),
    };
    Ok(Row { numbers, status, reason })
}

/// The names of the numbers of a row.
fn names(subject: &Subject) -> Vec<String> {
    let mut names = taut_cli::table::Table::new(subject).names().to_vec();
    for observable in subject.model.observers.names() {
        names.extend([format!("min {observable}"), format!("max {observable}")]);
    }
    let mechanical = ["position", "velocity", "acceleration"].map(|level| format!("residual {level}"));
    match subject.mechanism() {
        Some(_) => {
            names.extend(mechanical);
            names.extend(["energy start", "energy end", "energy max_error"].map(str::to_owned));
        }
        None => names.push("residual algebraic".to_owned()),
    }
    names.extend(STATISTICS.map(str::to_owned));
    names
}

const STATISTICS: [&str; 6] = ["steps", "rejected", "rhs", "jacobians", "factorizations", "seconds"];

fn numbers(
    subject: &Subject,
    settings: &Settings,
    until: f64,
    ending: &Ending,
    accounts: &Accounts,
    extremes: &Extremes<'_>,
) -> Vec<f64> {
    let motion = &ending.motion;
    let mut table = taut_cli::table::Table::new(subject);
    let mut numbers = table.row(motion.t, &motion.y).to_vec();
    for (least, most) in extremes.least.iter().zip(&extremes.most) {
        numbers.extend([*least, *most]);
    }
    let from = subject.model.start.t;
    let summary =
        Summary { subject, settings, from, until, ending, accounts, conserved: None, stopped: None };
    match summary.energy() {
        Some((start, end, error)) => {
            numbers.extend(summary.residuals());
            numbers.extend([start, end, error]);
        }
        None => numbers.push(accounts.algebraic),
    }
    let count = summary.statistics();
    let counts = [count.steps, count.rejected(), count.rhs, count.jacobians, count.factorizations];
    numbers.extend(counts.map(|count| count as f64));
    numbers.push(summary.seconds());
    numbers
}

/// The extremes of what a model observes, at its steps.
struct Extremes<'a> {
    subject: &'a Subject,
    layout: Layout,
    values: Vec<f64>,
    least: Vec<f64>,
    most: Vec<f64>,
    algebraic: f64,
    residual: Option<crate::along::Residual<'a>>,
    stop: &'a AtomicBool,
}

impl<'a> Extremes<'a> {
    fn new(subject: &'a Subject, stop: &'a AtomicBool) -> Self {
        let count = subject.model.observers.names().len();
        let mut extremes = Extremes {
            subject,
            layout: layout_of(subject),
            values: vec![0.0; count],
            least: vec![f64::INFINITY; count],
            most: vec![f64::NEG_INFINITY; count],
            algebraic: 0.0,
            residual: algebraic_residual(subject),
            stop,
        };
        let start = &subject.model.start;
        extremes.look(start.t, &start.q, &start.v);
        extremes
    }

    fn look(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.subject.model.observers.evaluate(t, q, v, &mut self.values);
        for (k, value) in self.values.iter().enumerate() {
            self.least[k] = self.least[k].min(*value);
            self.most[k] = self.most[k].max(*value);
        }
    }
}

impl Observer for Extremes<'_> {
    fn step(&mut self, view: &View<'_>) -> bool {
        if let Some(residual) = &mut self.residual {
            self.algebraic = self.algebraic.max(residual(view.t, view.y));
        }
        if !self.values.is_empty() {
            let (q, v, _) = self.layout.split(view.y);
            let (q, v) = (q.to_vec(), v.to_vec());
            self.look(view.t, &q, &v);
        }
        !self.stop.load(Ordering::Relaxed)
    }
}
