//! Events on the way from Python to the solver.

use numpy::PyArray1;
use pyo3::prelude::*;
use taut::run::{Direction, Event};

use crate::pulse::Pulse;

/// What an event looks at.
#[derive(Debug, FromPyObject)]
enum Function {
    /// a number of the row (y, observables)
    Column(usize),
    /// a function of (t, y)
    Python(Py<PyAny>),
}

/// An event as Python describes it: (name, function or column, direction, crossings that end the run).
#[derive(Debug, FromPyObject)]
pub struct Given(String, Function, f64, Option<usize>);

/// Evaluates what a model observes at a state: (t, y, number of the observable).
pub type Observable<'a> = &'a dyn Fn(f64, &[f64], usize) -> f64;

impl Given {
    /// The event for a solver; states have `width` numbers, after which columns are observables.
    pub fn event<'a>(&'a self, pulse: &'a Pulse, width: usize, observable: Observable<'a>) -> Event<'a> {
        let Given(name, function, direction, ends_after) = self;
        let value = move |t: f64, y: &[f64]| match function {
            Function::Column(column) if *column < width => y.get(*column).copied().unwrap_or(f64::NAN),
            Function::Column(column) => observable(t, y, *column - width),
            Function::Python(function) => call(pulse, name, function, t, y),
        };
        let mut event = Event::new(name.clone(), value).direction(match direction {
            d if *d > 0.0 => Direction::Rising,
            d if *d < 0.0 => Direction::Falling,
            _ => Direction::Either,
        });
        if let Some(count) = ends_after {
            event = event.ends_after(*count);
        }
        event
    }
}

/// The value of a function; 0 crosses nothing once an exception was raised.
fn call(pulse: &Pulse, name: &str, function: &Py<PyAny>, t: f64, y: &[f64]) -> f64 {
    if pulse.fault(t).is_err() {
        return 0.0;
    }
    Python::attach(|py| {
        let value =
            function.call1(py, (t, PyArray1::from_slice(py, y))).and_then(|value| number(value.bind(py)));
        value.unwrap_or_else(|error| {
            pulse.raised_by(py, &format!("the event '{name}'"), t, error);
            0.0
        })
    })
}

/// A number, also one in an array of one.
fn number(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    value.extract().or_else(|_| value.call_method0("item")?.extract())
}
