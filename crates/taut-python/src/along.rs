//! What goes along with a run: rows for numpy, Ctrl-C, progress.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use taut::run::{Observer, View};

use crate::pulse::Pulse;

/// Progress is shown this often.
const REST: Duration = Duration::from_millis(100);

/// Rows of the output, one after the other.
#[derive(Debug, Default)]
pub struct Rows {
    /// their times
    pub times: Vec<f64>,
    /// their states
    pub states: Vec<f64>,
    /// how many numbers a state has
    pub width: usize,
}

/// Goes along with a run.
pub struct Along<'a> {
    /// the rows so far
    pub rows: Rows,
    /// what the user should know
    pub warnings: Vec<String>,
    /// the largest residual of equations without derivatives
    pub algebraic: f64,
    pulse: &'a Pulse,
    residual: Option<Residual<'a>>,
    progress: Option<Py<PyAny>>,
    shown: Instant,
}

/// The residual of the equations without derivatives at a state.
pub type Residual<'a> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'a>;

impl<'a> Along<'a> {
    /// Nothing is recorded yet; room for `expected` rows is made at once.
    pub fn new(pulse: &'a Pulse, width: usize, expected: usize, progress: Option<Py<PyAny>>) -> Self {
        let rows = Rows {
            times: Vec::with_capacity(expected),
            states: Vec::with_capacity(expected * width),
            width,
        };
        Along { rows, warnings: Vec::new(), algebraic: 0.0, pulse, residual: None, progress, shown: Instant::now() }
    }

    /// Keeps the largest of these residuals.
    pub fn watch(&mut self, residual: Residual<'a>) {
        self.residual = Some(residual);
    }

    fn show(&mut self, view: &View<'_>) {
        let Some(progress) = &self.progress else { return };
        if self.shown.elapsed() < REST {
            return;
        }
        self.shown = Instant::now();
        if let Err(error) = Python::attach(|py| progress.call1(py, (view.t, view.h))) {
            self.pulse.stop(error);
        }
    }
}

impl Observer for Along<'_> {
    fn warning(&mut self, text: &str) {
        self.warnings.push(text.to_owned());
    }

    fn step(&mut self, view: &View<'_>) -> bool {
        if let Some(residual) = &mut self.residual {
            self.algebraic = self.algebraic.max(residual(view.t, view.y));
        }
        self.show(view);
        self.pulse.beats()
    }

    fn output(&mut self, t: f64, y: &[f64]) {
        self.rows.times.push(t);
        self.rows.states.extend_from_slice(y);
    }
}
