//! Mechanical systems made of Python functions.
//!
//! Derivatives that are not given are found on the side of Python (`taut._derivatives`); here functions only become what
//! a solver sees.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::json;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::Options;
use taut::run::Output;
use taut::system::{Constraint, Dynamics, Energy, Evaluation, Fault, MechanicalSystem, Structure, Terms};
use taut::{Error, Solver};

use crate::along::Along;
use crate::columns::copy;
use crate::events::Given;
use crate::first_order::transpose;
use crate::mistakes::{ModelError, model_error};
use crate::model::explained;
use crate::pulse::Pulse;
use crate::result::dictionary;
use crate::settings::{output, settings};

/// How a run with functions is made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    times: Option<Py<PyArray1<f64>>>,
    inside: bool,
    options: String,
    first_step: Option<f64>,
    largest_step: Option<f64>,
    events: Vec<Given>,
    progress: Option<Py<PyAny>>,
}

impl How {
    /// What goes along with the run.
    pub fn along<'p>(&self, py: Python<'_>, pulse: &'p Pulse, width: usize, output: &Output) -> Along<'p> {
        let progress = self.progress.as_ref().map(|progress| progress.clone_ref(py));
        let mut along = Along::new(pulse, width, output.times().unwrap_or(0), progress);
        if self.inside {
            along.look_inside();
        }
        along
    }

    /// The method.
    pub fn method(&self) -> PyResult<Method> {
        settings(&self.options, Vec::new())?.method().map_err(model_error)
    }

    /// The options of the library.
    pub fn options(&self) -> PyResult<Options> {
        let options = settings(&self.options, Vec::new())?.options();
        Ok(Options { first_step: self.first_step, largest_step: self.largest_step, ..options })
    }

    /// When states are wanted.
    pub fn output(&self) -> PyResult<Output> {
        output(self.times.as_ref())
    }

    /// What is looked for.
    pub fn events(&self) -> &[Given] {
        &self.events
    }
}

/// A mechanical system of functions of (t, q, v).
#[pyclass(frozen, module = "taut._taut")]
pub struct MechanicalFunctions {
    coordinates: Vec<String>,
    constraints: Vec<Constraint>,
    /// an object with the methods mass, force, constraint, jacobian, rate, curvature, blocks and energy
    functions: Py<PyAny>,
    constant_mass: bool,
}

#[pymethods]
impl MechanicalFunctions {
    /// Constraints are (name, compliance, relaxation).
    #[new]
    fn new(
        coordinates: Vec<String>,
        constraints: Vec<(String, f64, f64)>,
        functions: Py<PyAny>,
        constant_mass: bool,
    ) -> Self {
        let constraint =
            |(name, compliance, relaxation)| Constraint::damped_spring(name, compliance, relaxation);
        let constraints = constraints.into_iter().map(constraint).collect();
        MechanicalFunctions { coordinates, constraints, functions, constant_mass }
    }

    /// Integrates from t to `until`, beginning with (q, v).
    fn solve<'py>(
        &self,
        py: Python<'py>,
        span: (f64, f64),
        start: Vec<f64>,
        how: How,
    ) -> PyResult<Bound<'py, PyDict>> {
        let pulse = Rc::new(Pulse::new());
        let system = System::new(py, self, &pulse)?;
        let width = 2 * self.coordinates.len() + self.constraints.len();
        let output = how.output()?;
        let mut along = how.along(py, &pulse, width, &output);
        let none = |_: f64, _: &[f64], _: usize| f64::NAN;
        let mut solver = Solver::mechanical(&system).method(how.method()?).options(how.options()?);
        solver = solver.output(output).keep_output(false).watch(true);
        for event in how.events() {
            solver = solver.event(event.event(&pulse, width, &none));
        }
        let result = solver.run_with(span.0, span.1, &start, &mut along);
        finish(py, result, along, &pulse, system.calls.get())
    }
}

/// What Python gets of a run with functions; an exception of a function comes first.
pub fn finish<'py>(
    py: Python<'py>,
    result: Result<Motion, Error>,
    mut along: Along<'_>,
    pulse: &Pulse,
    calls: usize,
) -> PyResult<Bound<'py, PyDict>> {
    if let Some(error) = pulse.take() {
        return Err(error);
    }
    let (motion, error) = match result {
        Ok(motion) => (motion, None),
        Err(Error::Stopped { reason, motion }) => (*motion, Some((explained(&reason), reason.t()))),
        Err(error) => return Err(ModelError::new_err(error.to_string())),
    };
    let count = &motion.statistics;
    let [position, velocity, acceleration] = motion.invariants.residuals;
    let invariants = &motion.invariants;
    let summary = json!({
        "method": motion.method,
        "stages": motion.stages,
        "t": motion.t,
        "choice": motion.choice,
        "springs": motion.springs,
        "warning": motion.warning,
        "residuals": { "position": position, "velocity": velocity, "acceleration": acceleration },
        "energy": {
            "start": invariants.energy.0, "end": invariants.energy.1, "max_error": invariants.energy_error,
        },
        "stats": {
            "steps": count.steps,
            "accepted": count.accepted,
            "rejected": count.rejected(),
            "rhs": count.rhs,
            "jacobians": count.jacobians,
            "factorizations": count.factorizations,
            "newton_iterations": count.newton_iterations,
            "projections": count.projections,
            "solves": count.solves,
            "local_errors": count.local_errors,
            "calls": calls,
        },
    });
    dictionary(py, along.take(), &motion, summary.to_string(), error)
}

struct System<'a> {
    structure: Structure,
    functions: Bound<'a, PyAny>,
    calls: Cell<usize>,
    rows: RefCell<Vec<f64>>,
    pulse: &'a Pulse,
}

impl<'a> System<'a> {
    fn new(py: Python<'a>, given: &MechanicalFunctions, pulse: &'a Pulse) -> PyResult<Self> {
        let mut structure = Structure::dense(given.coordinates.clone(), given.constraints.clone());
        structure.constant_mass = given.constant_mass;
        Ok(System {
            structure,
            functions: given.functions.clone_ref(py).into_bound(py),
            calls: Cell::new(0),
            rows: RefCell::new(Vec::new()),
            pulse,
        })
    }

    /// (t, q, v) for functions, or nothing when the run has ended.
    fn state(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Bound<'a, PyTuple>, Fault> {
        self.pulse.beats();
        self.pulse.fault(t)?;
        let py = self.functions.py();
        let state = (t, PyArray1::from_slice(py, q), PyArray1::from_slice(py, v)).into_pyobject(py);
        state.map_err(|error| self.fault(t, "the state", error))
    }

    fn fault(&self, t: f64, what: &str, error: PyErr) -> Fault {
        self.pulse.raised_by(self.functions.py(), what, t, error);
        Fault::raised(t, "an exception was raised")
    }

    /// Calls a method of the functions with arguments.
    fn call(&self, name: &str, t: f64, arguments: &Bound<'a, PyTuple>) -> Result<Bound<'a, PyAny>, Fault> {
        self.calls.set(self.calls.get() + 1);
        let method = self.functions.getattr(name);
        method.and_then(|method| method.call1(arguments)).map_err(|error| self.fault(t, name, error))
    }

    fn fill(&self, name: &str, t: f64, arguments: &Bound<'a, PyTuple>, into: &mut [f64]) -> Evaluation {
        let value = self.call(name, t, arguments)?;
        copy(&value, name, into).map_err(|error| self.fault(t, name, error))
    }

    fn fill_mass(&self, t: f64, state: &Bound<'a, PyTuple>, mass: &mut [f64]) -> Evaluation {
        // A symmetric matrix is the same by rows and by columns.
        self.fill("mass", t, state, mass)?;
        self.structure.finite_block(&self.structure.mass, mass, "the mass", t)
    }

    fn fill_force(&self, t: f64, state: &Bound<'a, PyTuple>, force: &mut [f64]) -> Evaluation {
        self.fill("force", t, state, force)?;
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn fill_constraint(&self, t: f64, state: &Bound<'a, PyTuple>, g: &mut [f64]) -> Evaluation {
        if g.is_empty() {
            return Ok(());
        }
        self.fill("constraint", t, state, g)?;
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn fill_jacobian(&self, t: f64, state: &Bound<'a, PyTuple>, jacobian: &mut [f64]) -> Evaluation {
        if jacobian.is_empty() {
            return Ok(());
        }
        let (m, n) = (self.structure.m(), self.structure.n());
        let rows = &mut *self.rows.borrow_mut();
        rows.resize(m * n, 0.0);
        self.fill("jacobian", t, state, rows)?;
        // numpy has rows one after the other, patterns have columns.
        for (k, entry) in jacobian.iter_mut().enumerate() {
            *entry = rows[(k % m) * n + k / m];
        }
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }
}

impl MechanicalSystem for System<'_> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        let state = self.state(0.0, q, &vec![0.0; q.len()])?;
        self.fill_mass(0.0, &state, mass)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        force.fill(0.0);
        let state = self.state(t, q, v)?;
        if terms.contain(Terms::CONSERVATIVE) {
            self.fill_force(t, &state, force)?;
        }
        if terms.contain(Terms::KINETIC) && !self.structure.constant_mass {
            let mut kinetic = vec![0.0; force.len()];
            self.fill("kinetic", t, &state, &mut kinetic)?;
            force.iter_mut().zip(&kinetic).for_each(|(force, kinetic)| *force += kinetic);
        }
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let state = self.state(t, q, &vec![0.0; q.len()])?;
        self.fill_constraint(t, &state, g)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let state = self.state(t, q, v)?;
        self.fill_jacobian(t, &state, jacobian)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        if rate.is_empty() {
            return Ok(());
        }
        let state = self.state(t, q, v)?;
        self.fill("rate", t, &state, rate)?;
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        if curvature.is_empty() {
            return Ok(());
        }
        let state = self.state(t, q, v)?;
        self.fill("curvature", t, &state, curvature)?;
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        let (state, py) = (self.state(t, q, v)?, self.functions.py());
        let parts = (terms.contain(Terms::CONSERVATIVE), terms.contain(Terms::KINETIC));
        let load = (PyArray1::from_slice(py, a), PyArray1::from_slice(py, lambda), parts.0, parts.1);
        let blocks = load.into_pyobject(py).and_then(|load| state.as_sequence().concat(load.as_sequence()));
        let blocks =
            blocks.and_then(|all| all.to_tuple()).map_err(|error| self.fault(t, "the state", error))?;
        let found = self.call("blocks", t, &blocks)?;
        let copied = found.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().and_then(|(k, d)| {
            copy(&k, "the stiffness", stiffness)?;
            copy(&d, "the damping", damping)
        });
        copied.map_err(|error| self.fault(t, "the derivatives", error))?;
        transpose(q.len(), stiffness);
        transpose(q.len(), damping);
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)?;
        self.structure.finite_block(&self.structure.damping, damping, "the damping", t)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let state = self.state(t, q, v)?;
        let mut parts = [0.0; 2];
        self.fill("energy", t, &state, &mut parts)?;
        Ok(Energy { kinetic: parts[0], potential: parts[1] })
    }

    fn terms(&self) -> Terms {
        Terms::CONSERVATIVE | Terms::KINETIC
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let state = self.state(t, q, v)?;
        self.fill_mass(t, &state, out.mass)?;
        self.fill_force(t, &state, out.force)?;
        self.fill_constraint(t, &state, out.constraint)?;
        self.fill_jacobian(t, &state, out.jacobian)
    }
}
