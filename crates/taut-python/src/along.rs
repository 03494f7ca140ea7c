//! What goes along with a run: rows for numpy, Ctrl-C, progress.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use taut::run::{Change, Observer, View};

use crate::pulse::Pulse;

/// Places of a step, as shares of it, whose states make the motion between steps: with its start the extrema of a Chebyshev
/// polynomial, (1 - cos(k pi/9))/2, between which polynomials do not oscillate.
pub const PLACES: [f64; 9] = [
    0.030_153_689_607_045_803,
    0.116_977_778_440_510_98,
    0.25,
    0.413_175_911_166_534_8,
    0.586_824_088_833_465_2,
    0.75,
    0.883_022_221_559_489,
    0.969_846_310_392_954_2,
    1.0,
];

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
    rows: Rows,
    inside: Option<Rows>,
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

impl Rows {
    fn with_room(width: usize, expected: usize) -> Self {
        let (times, states) = (Vec::with_capacity(expected), Vec::with_capacity(expected * width));
        Rows { times, states, width }
    }

    fn push(&mut self, t: f64, y: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(y);
    }
}

impl<'a> Along<'a> {
    /// Nothing is recorded yet; room for `expected` rows is made at once.
    pub fn new(pulse: &'a Pulse, width: usize, expected: usize, progress: Option<Py<PyAny>>) -> Self {
        Along {
            rows: Rows::with_room(width, expected),
            inside: None,
            warnings: Vec::new(),
            algebraic: 0.0,
            pulse,
            residual: None,
            progress,
            shown: Instant::now(),
        }
    }

    /// Records also what is between the steps.
    pub fn look_inside(&mut self) {
        self.inside = Some(Rows::with_room(self.rows.width, 0));
    }

    /// All rows, and those between the steps.
    pub fn take(&mut self) -> (Rows, Option<Rows>) {
        (std::mem::take(&mut self.rows), self.inside.take())
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

    fn places(&self) -> &'static [f64] {
        if self.inside.is_some() { &PLACES } else { &[] }
    }

    fn inside(&mut self, t: f64, y: &[f64]) {
        if let Some(rows) = &mut self.inside {
            rows.push(t, y);
        }
    }

    /// A step of the shortest time there is leads from the state before an event to that after it.
    fn changed(&mut self, change: &Change, y: &[f64]) {
        if let Some(rows) = &mut self.inside {
            let forward = rows.times.first().is_none_or(|first| change.t >= *first);
            let later = if forward { change.t.next_up() } else { change.t.next_down() };
            PLACES.iter().for_each(|_| rows.push(later, y));
        }
    }

    fn output(&mut self, t: f64, y: &[f64]) {
        self.rows.push(t, y);
    }
}
