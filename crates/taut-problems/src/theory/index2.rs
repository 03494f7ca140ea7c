//! Semi-explicit systems of index 2 with exact solutions.

use taut::system::{Linearised, Scalar, SemiExplicit, SemiExplicitSystem};

use crate::catalogue::Entry;
use crate::names;
use crate::problem::{Problem, Reference, Start, State, System};

/// y1' = y1 y2² z², y2' = y1² y2² − 3 y2² z, 0 = y1² y2 − 1, with the solution y = (eᵗ, e⁻²ᵗ), z = e²ᵗ.
///
/// The constraint is nonlinear and z enters nonlinearly (Hairer, Lubich & Roche 1989).
#[derive(Clone, Copy, Debug)]
pub struct NonlinearIndex2;

impl NonlinearIndex2 {
    /// (y1, y2, z) at time t
    pub fn solution(t: f64) -> [f64; 3] {
        [t.exp(), (-2.0 * t).exp(), (2.0 * t).exp()]
    }
}

impl SemiExplicit for NonlinearIndex2 {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (names("y", 2), vec!["z".into()])
    }

    fn f<S: Scalar>(&self, _t: S, y: &[S], z: &[S], f: &mut [S]) {
        let square = y[1].square();
        f[0] = y[0] * square * z[0].square();
        f[1] = y[0].square() * square - square * z[0] * 3.0;
    }

    fn g<S: Scalar>(&self, _t: S, y: &[S], _z: &[S], g: &mut [S]) {
        g[0] = y[0].square() * y[1] - 1.0;
    }
}

/// y1' = −y2 + (1 + y1²)(z − cos t), y2' = −y1 − (z − cos t), 0 = y1 − y2, with the solution y1 = y2 = e⁻ᵗ, z = cos t.
///
/// The constraint is linear, so that projections are exact; the direction in which z acts varies with y.
#[derive(Clone, Copy, Debug)]
pub struct LinearIndex2;

impl LinearIndex2 {
    /// (y1, y2, z) at time t
    pub fn solution(t: f64) -> [f64; 3] {
        [(-t).exp(), (-t).exp(), t.cos()]
    }
}

impl SemiExplicit for LinearIndex2 {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (names("y", 2), vec!["z".into()])
    }

    fn f<S: Scalar>(&self, t: S, y: &[S], z: &[S], f: &mut [S]) {
        let push = z[0] - t.cos();
        f[0] = (y[0].square() + 1.0) * push - y[1];
        f[1] = -y[0] - push;
    }

    fn g<S: Scalar>(&self, _t: S, y: &[S], _z: &[S], g: &mut [S]) {
        g[0] = y[0] - y[1];
    }
}

pub(crate) const NONLINEAR: Entry = Entry {
    name: "index2_nonlinear",
    starts: &["exact"],
    build: |_| {
        let title = "Index 2 with a nonlinear constraint";
        let source = "Hairer, Lubich & Roche, The Numerical Solution of DAEs by Runge-Kutta Methods (1989)";
        Ok(problem(NONLINEAR.name, title, source, NonlinearIndex2, NonlinearIndex2::solution))
    },
};

pub(crate) const LINEAR: Entry = Entry {
    name: "index2_linear",
    starts: &["exact"],
    build: |_| {
        let title = "Index 2 with a linear constraint";
        Ok(problem(LINEAR.name, title, "made for this library", LinearIndex2, LinearIndex2::solution))
    },
};

/// A problem with an exact solution, to be compared at t = 1 and t = 2.
fn problem(
    name: &str,
    title: &str,
    source: &str,
    equations: impl SemiExplicit + 'static,
    solution: fn(f64) -> [f64; 3],
) -> Problem {
    let state = |t: f64| State::Variables(solution(t).to_vec());
    Problem {
        name: name.into(),
        start_name: "exact".into(),
        title: title.into(),
        source: source.into(),
        purpose: "orders of convergence in y and z, drift, projections".into(),
        index: 2,
        system: System::FirstOrder(Box::new(Linearised::new(SemiExplicitSystem::new(equations)))),
        start: Start { t: 0.0, state: state(0.0) },
        t_end: 2.0,
        kinks: Vec::new(),
        references: [1.0, 2.0].map(|t| Reference { t, state: state(t), digits: 15 }).to_vec(),
    }
}
