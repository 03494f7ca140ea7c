//! The crate diffsol: dense matrices of nalgebra; its BDF and ESDIRK34 on first-order systems with analytic Jacobian and
//! mass matrix, its explicit Tsit45 on index-reduced mechanical ones.
//!
//! It asks for products of the Jacobian with vectors and builds the matrix from them; the Jacobian is evaluated once for
//! each state.

use std::cell::RefCell;

use diffsol::{
    NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeEquations, OdeEquationsImplicit, OdeSolverMethod,
    OdeSolverProblem, OdeSolverStopReason, VectorCommon,
};
use taut::system::FirstOrderSystem;
use taut_lab::experiment::Reduced;

use crate::first_order::is_ordinary;
use crate::subject::Subject;

type Matrix = NalgebraMat<f64>;
type Numbers = NalgebraVec<f64>;
type Lu = NalgebraLU<f64>;

const MOST_STEPS: usize = 1_000_000;

/// A method of diffsol for stiff systems.
#[derive(Clone, Copy)]
pub enum Method {
    Bdf,
    Esdirk34,
}

/// The Jacobian of the last state that was asked for.
struct Linearised<'a> {
    system: &'a dyn FirstOrderSystem,
    at: (f64, Vec<f64>),
    values: Vec<f64>,
}

impl Linearised<'_> {
    fn multiply(&mut self, t: f64, x: &[f64], v: &[f64], out: &mut [f64]) {
        if self.at.0 != t || self.at.1 != x {
            self.at.0 = t;
            self.at.1.clear();
            self.at.1.extend_from_slice(x);
            if self.system.jacobian(t, x, &mut self.values).is_err() {
                self.values.fill(f64::NAN);
            }
        }
        out.fill(0.0);
        self.system.composition().jacobian.multiply_add(&self.values, v, out, 1.0);
    }
}

/// Variables at the end.
pub fn first_order(subject: &Subject, tolerance: f64, method: Method) -> Option<Vec<f64>> {
    let system = subject.evolution()?;
    let composition = system.composition();
    let start = subject.variables();
    let values = vec![0.0; composition.jacobian.nnz()];
    let linearised = RefCell::new(Linearised { system, at: (f64::NAN, Vec::new()), values });
    let builder = OdeBuilder::<Matrix>::new()
        .t0(subject.problem.start.t)
        .rtol(tolerance)
        .atol([subject.floor * tolerance])
        .rhs_implicit(
            |x, _, t, rate| {
                if system.rate(t, x, rate).is_err() {
                    rate.fill(f64::NAN);
                }
            },
            |x, _, t, v, out| linearised.borrow_mut().multiply(t, x, v, out),
        )
        .init(|_, _, x| x.copy_from_slice(&start), start.len());
    if is_ordinary(composition) {
        return implicit(builder.build().ok()?, method, subject.until);
    }
    let builder = builder.mass(|x, _, _, beta, out| {
        out.iter_mut().for_each(|out| *out *= beta);
        composition.mass.multiply_add(&composition.mass_values, x, out, 1.0);
    });
    implicit(builder.build().ok()?, method, subject.until)
}

fn implicit<E>(mut problem: OdeSolverProblem<E>, method: Method, until: f64) -> Option<Vec<f64>>
where
    E: OdeEquationsImplicit<M = Matrix, V = Numbers, T = f64, C = diffsol::NalgebraContext>,
{
    // It counts failures of a whole run, and gives up on the transistor amplifier with 50 of them.
    problem.ode_options.max_nonlinear_solver_failures = MOST_STEPS;
    problem.ode_options.max_error_test_failures = MOST_STEPS;
    match method {
        Method::Bdf => steps(problem.bdf::<Lu>().ok()?, until),
        Method::Esdirk34 => steps(problem.esdirk34::<Lu>().ok()?, until),
    }
}

/// Positions at the end, by the explicit method.
pub fn reduced(subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let start = [subject.motion.q.as_slice(), &subject.motion.v].concat();
    let field = RefCell::new(Reduced::new(subject.mechanism()?));
    let problem = OdeBuilder::<Matrix>::new()
        .t0(subject.problem.start.t)
        .rtol(tolerance)
        .atol([subject.floor * tolerance])
        .rhs(|y, _, t, rate| {
            if field.borrow_mut().evaluate(t, y, rate).is_none() {
                rate.fill(f64::NAN);
            }
        })
        .init(|_, _, y| y.copy_from_slice(&start), start.len())
        .build()
        .ok()?;
    steps(problem.tsit45().ok()?, subject.until)
}

fn steps<'a, E, S>(mut solver: S, until: f64) -> Option<Vec<f64>>
where
    E: OdeEquations<V = Numbers, T = f64> + 'a,
    S: OdeSolverMethod<'a, E>,
{
    solver.set_stop_time(until).ok()?;
    for _ in 0..MOST_STEPS {
        if let OdeSolverStopReason::TstopReached = solver.step().ok()? {
            let y = solver.state().y;
            return Some(y.inner().iter().copied().collect());
        }
    }
    None
}
