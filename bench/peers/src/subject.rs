//! A mechanical problem as every peer sees it: the same compiled functions for all of them.

use taut::linear::Choice;
use taut::start::consistent_start;
use taut::system::{Dynamics, Mechanism};
use taut_lab::comparison_time;
use taut_problems::{Problem, State};

/// A problem, a consistent start and what errors are measured against.
pub struct Subject {
    pub name: &'static str,
    pub problem: Problem,
    pub until: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub lambda: Vec<f64>,
    reference: Vec<f64>,
}

impl Subject {
    /// The problem of this name to time `until`, or to its usual end.
    pub fn new(name: &'static str, until: Option<f64>) -> Result<Self, String> {
        let problem = taut_problems::find(name).map_err(|error| error.to_string())?;
        let until = until.or(comparison_time(&problem)).ok_or("no reference")?;
        let State::Motion(start) = &problem.start.state else { return Err("not mechanical".into()) };
        let mechanism = problem.system.mechanism().ok_or("not mechanical")?;
        let start = consistent_start(mechanism, problem.start.t, &start.q, &start.v, Choice::Auto)
            .map_err(|error| error.to_string())?;
        let reference = problem.references.iter().find(|reference| reference.t == until);
        let reference = reference.and_then(|reference| reference.state.motion()).ok_or("no reference")?;
        let reference = reference.q.clone();
        let (q, v, a, lambda) = (start.q, start.v, start.a, start.lambda);
        Ok(Subject { name, problem, until, q, v, a, lambda, reference })
    }

    pub fn mechanism(&self) -> &dyn Mechanism {
        match self.problem.system.mechanism() {
            Some(mechanism) => mechanism,
            None => unreachable!("only mechanical problems are built"),
        }
    }

    pub fn n(&self) -> usize {
        self.q.len()
    }

    pub fn m(&self) -> usize {
        self.lambda.len()
    }

    /// rms of |e|/(1 + |q|)
    pub fn error(&self, q: &[f64]) -> f64 {
        let square = |(q, r): (&f64, &f64)| ((q - r) / (1.0 + r.abs())).powi(2);
        (q.iter().zip(&self.reference).map(square).sum::<f64>() / self.n() as f64).sqrt()
    }
}

/// Dense blocks, column-major, from the sparse ones of a mechanism.
pub struct Dense<'a> {
    system: &'a dyn Mechanism,
    n: usize,
    m: usize,
    sparse: [Vec<f64>; 4],
    pub mass: Vec<f64>,
    pub force: Vec<f64>,
    pub constraint: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub stiffness: Vec<f64>,
    pub damping: Vec<f64>,
}

impl<'a> Dense<'a> {
    pub fn new(system: &'a dyn Mechanism) -> Self {
        let s = system.structure();
        let (n, m) = (s.n(), s.m());
        Dense {
            system,
            n,
            m,
            sparse: [&s.mass, &s.jacobian, &s.stiffness, &s.damping].map(|p| vec![0.0; p.nnz()]),
            mass: vec![0.0; n * n],
            force: vec![0.0; n],
            constraint: vec![0.0; m],
            jacobian: vec![0.0; m * n],
            stiffness: vec![0.0; n * n],
            damping: vec![0.0; n * n],
        }
    }

    /// M, f, g, G.
    pub fn dynamics(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        let [mass, jacobian, ..] = &mut self.sparse;
        let out = &mut Dynamics { mass, force: &mut self.force, constraint: &mut self.constraint, jacobian };
        if self.system.dynamics(t, q, v, out).is_err() {
            return false;
        }
        let s = self.system.structure();
        spread(s.mass.entries(), &self.sparse[0], self.n, &mut self.mass);
        spread(s.jacobian.entries(), &self.sparse[1], self.m, &mut self.jacobian);
        true
    }

    /// K and D.
    pub fn newton_blocks(&mut self, t: f64, q: &[f64], v: &[f64], a: &[f64], lambda: &[f64]) -> bool {
        let [_, _, stiffness, damping] = &mut self.sparse;
        let terms = taut::system::Terms::ACCELERATING;
        if self.system.newton_blocks(terms, t, q, v, a, lambda, stiffness, damping).is_err() {
            return false;
        }
        let s = self.system.structure();
        spread(s.stiffness.entries(), &self.sparse[2], self.n, &mut self.stiffness);
        spread(s.damping.entries(), &self.sparse[3], self.n, &mut self.damping);
        true
    }

    /// M a - f + G'lambda
    pub fn balance(&self, a: &[f64], lambda: &[f64], out: &mut [f64]) {
        let s = self.system.structure();
        for (out, f) in out.iter_mut().zip(&self.force) {
            *out = -f;
        }
        s.mass.multiply_add(&self.sparse[0], a, out, 1.0);
        s.jacobian.transpose_multiply_add(&self.sparse[1], lambda, out, 1.0);
    }

    /// y += G' x
    pub fn add_transposed(&self, x: &[f64], y: &mut [f64]) {
        self.system.structure().jacobian.transpose_multiply_add(&self.sparse[1], x, y, 1.0);
    }
}

fn spread(entries: impl Iterator<Item = (usize, usize)>, values: &[f64], rows: usize, dense: &mut [f64]) {
    dense.fill(0.0);
    for ((i, j), value) in entries.zip(values) {
        dense[i + j * rows] = *value;
    }
}
