//! What can end a run from the side of Python: Ctrl-C, and exceptions of functions.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use taut::system::Fault;

/// Signals are looked at this often: people do not notice, and it costs nothing.
const REST: Duration = Duration::from_millis(20);
/// Looking at the clock costs as much as a few operations: it is done after at most so many beats.
const MOST_BEATS: u32 = 64;

/// The exception that ended a run, and when signals were looked at.
#[derive(Debug)]
pub struct Pulse {
    raised: RefCell<Option<PyErr>>,
    looked: Cell<Instant>,
    /// the clock is looked at after so many beats, and again after so many more
    every: Cell<u32>,
    left: Cell<u32>,
}

impl Pulse {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Pulse {
            raised: RefCell::new(None),
            looked: Cell::new(Instant::now()),
            every: Cell::new(1),
            left: Cell::new(0),
        }
    }

    /// Whether the run should go on; looks for Ctrl-C when it has not done so for a while.
    pub fn beats(&self) -> bool {
        match self.left.get() {
            0 => self.look(),
            left => self.left.set(left - 1),
        }
        self.raised.borrow().is_none()
    }

    /// Looks at the clock, and at signals when it is time; where beats are fast it does not look at the clock every time.
    fn look(&self) {
        let elapsed = self.looked.get().elapsed();
        let every = self.every.get();
        if elapsed >= REST {
            self.looked.set(Instant::now());
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.stop(error);
            }
            self.every.set((every / 2).max(1));
        } else if elapsed < REST / 8 {
            self.every.set((every * 2).min(MOST_BEATS));
        }
        self.left.set(self.every.get());
    }

    /// Ends the run with an exception; the first one counts.
    pub fn stop(&self, error: PyErr) {
        self.raised.borrow_mut().get_or_insert(error);
    }

    /// Ends the run with an exception that a function has raised at a time.
    pub fn raised_by(&self, py: Python<'_>, name: &str, t: f64, error: PyErr) {
        let note = format!("raised by {name} at t = {t}");
        // Python 3.10 has no notes; the exception is the same without.
        let _ = error.value(py).call_method1("add_note", (note,));
        self.stop(error);
    }

    /// A fault as long as there is an exception: no function is called again.
    pub fn fault(&self, t: f64) -> Result<(), Fault> {
        match *self.raised.borrow() {
            None => Ok(()),
            Some(_) => Err(Fault::raised(t, "an exception was raised")),
        }
    }

    /// The exception, when there is one.
    pub fn take(&self) -> Option<PyErr> {
        self.raised.borrow_mut().take()
    }
}
