//! First-order systems E x' = f(t, x) made of Python functions.

use std::cell::Cell;
use std::rc::Rc;

use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::Solver;
use taut::linear::Pattern;
use taut::system::{Arrangement, Composition, Evaluation, FirstOrderSystem};

use crate::columns::copy;
use crate::functions::{How, finish};
use crate::pulse::Pulse;

/// A system of functions, as Python describes it.
#[pyclass(frozen, module = "taut._taut")]
pub struct FirstOrderFunctions {
    names: Vec<String>,
    rate: Py<PyAny>,
    /// (t, x) to the entries of the Jacobian in the order of its pattern, or to all of them row by row
    jacobian: Py<PyAny>,
    mass: Option<Vec<(usize, usize, f64)>>,
    pattern: Option<Vec<(usize, usize)>>,
}

#[pymethods]
impl FirstOrderFunctions {
    /// The functions take (t, x); without a pattern the Jacobian is full.
    #[new]
    fn new(
        names: Vec<String>,
        rate: Py<PyAny>,
        jacobian: Py<PyAny>,
        mass: Option<PyReadonlyArray2<'_, f64>>,
        pattern: Option<Vec<(usize, usize)>>,
    ) -> Self {
        let mass = mass.map(|mass| {
            let entries = mass.as_array();
            let nonzero = entries.indexed_iter().filter(|(_, entry)| **entry != 0.0);
            nonzero.map(|((i, j), entry)| (i, j, *entry)).collect()
        });
        FirstOrderFunctions { names, rate, jacobian, mass, pattern }
    }

    /// The pattern as it is stored: (row, column) of each entry, in order.
    fn places(&self) -> Vec<(usize, usize)> {
        self.jacobian_pattern().entries().collect()
    }

    /// Integrates from t to `until`, beginning with x.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        span: (f64, f64),
        start: Vec<f64>,
        how: How,
    ) -> PyResult<Bound<'py, PyDict>> {
        let pulse = Rc::new(Pulse::new());
        let system = System {
            composition: self.composition(),
            rate: &self.rate,
            jacobian: &self.jacobian,
            calls: Cell::new(0),
            dense: self.pattern.is_none(),
            pulse: &pulse,
        };
        let width = self.names.len();
        let output = how.output()?;
        let mut along = how.along(py, &pulse, width, &output);
        let none = |_: f64, _: &[f64], _: usize| f64::NAN;
        let mut solver = Solver::first_order(&system).method(how.method()?).options(how.options()?);
        solver = solver.output(output).keep_output(false);
        for event in how.events() {
            solver = solver.event(event.event(&pulse, width, &none));
        }
        let result = solver.run_with(span.0, span.1, &start, &mut along);
        finish(py, result, along, &pulse, system.calls.get())
    }
}

impl FirstOrderFunctions {
    fn jacobian_pattern(&self) -> Pattern {
        let n = self.names.len();
        match &self.pattern {
            Some(places) => Pattern::from_entries(n, n, places.iter().copied()),
            None => Pattern::dense(n, n),
        }
    }

    fn composition(&self) -> Composition {
        let n = self.names.len();
        let identity = || (0..n).map(|i| (i, i, 1.0)).collect();
        let entries: Vec<(usize, usize, f64)> = self.mass.clone().unwrap_or_else(identity);
        let mass = Pattern::from_entries(n, n, entries.iter().map(|&(i, j, _)| (i, j)));
        let mut mass_values = vec![0.0; mass.nnz()];
        for (i, j, entry) in entries {
            if let Some(k) = mass.position(i, j) {
                mass_values[k] = entry;
            }
        }
        Composition {
            variables: self.names.clone(),
            mass,
            mass_values,
            jacobian: self.jacobian_pattern(),
            index: None,
            arrangement: Arrangement::General,
        }
    }
}

struct System<'a> {
    composition: Composition,
    rate: &'a Py<PyAny>,
    jacobian: &'a Py<PyAny>,
    calls: Cell<usize>,
    dense: bool,
    pulse: &'a Pulse,
}

impl System<'_> {
    fn call(&self, function: &Py<PyAny>, what: &str, t: f64, x: &[f64], into: &mut [f64]) -> Evaluation {
        self.pulse.beats();
        self.pulse.fault(t)?;
        Python::attach(|py| {
            let result = function.bind(py).call1((t, PyArray1::from_slice(py, x)));
            result.and_then(|value| copy(&value, what, into)).map_err(|error| {
                self.pulse.raised_by(py, what, t, error);
            })
        })
        .or_else(|()| self.pulse.fault(t))
    }
}

impl FirstOrderSystem for System<'_> {
    fn composition(&self) -> &Composition {
        &self.composition
    }

    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation {
        self.calls.set(self.calls.get() + 1);
        self.call(self.rate, "the right-hand side", t, x, rate)?;
        self.composition.finite_variables(rate, "the rate", t)
    }

    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.call(self.jacobian, "the Jacobian", t, x, jacobian)?;
        if self.dense {
            transpose(x.len(), jacobian);
        }
        self.composition.finite_jacobian(jacobian, t)
    }
}

/// From rows, which numpy has, to columns, which patterns have.
pub fn transpose(n: usize, matrix: &mut [f64]) {
    for i in 0..n {
        for j in 0..i {
            matrix.swap(i * n + j, j * n + i);
        }
    }
}
