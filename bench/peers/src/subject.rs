//! A problem as every peer sees it: the same compiled functions for all of them.

use taut::linear::Choice;
use taut::start::consistent_start;
use taut::system::{FirstOrderSystem, MechanicalSystem};
use taut_lab::{comparison_time, start_of};
use taut_problems::{Problem, State};

/// A problem, a consistent start, and what errors are measured against.
pub struct Subject {
    pub name: String,
    pub problem: Problem,
    pub until: f64,
    /// atol/rtol of every solver; errors are rms of |e|/(floor + |y|)
    pub floor: f64,
    /// the start of a mechanical problem
    pub motion: Motion,
    /// numbers and values of what is compared: positions, or variables of a first-order system
    pub known: Vec<(usize, f64)>,
}

/// A consistent start of a mechanical problem; empty for others.
#[derive(Default)]
pub struct Motion {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub lambda: Vec<f64>,
}

impl Subject {
    /// The problem of this name in the catalogue to time `until`, or to its usual end.
    pub fn find(name: &str, until: Option<f64>, floor: f64) -> Result<Self, String> {
        let problem = taut_problems::find(name).map_err(|error| error.to_string())?;
        let until = until.or(comparison_time(&problem)).ok_or("no reference")?;
        let reference = problem.references.iter().find(|reference| reference.t == until);
        let known = match &reference.ok_or("no reference")?.state {
            State::Motion(motion) => motion.q.iter().copied().enumerate().collect(),
            variables => variables.variables(),
        };
        Subject::new(problem, until, floor, known)
    }

    /// A problem compared with these values.
    pub fn new(problem: Problem, until: f64, floor: f64, known: Vec<(usize, f64)>) -> Result<Self, String> {
        let motion = match (problem.system.mechanism(), &problem.start.state) {
            (Some(mechanism), State::Motion(start)) => {
                let start = consistent_start(mechanism, problem.start.t, &start.q, &start.v, Choice::Auto)
                    .map_err(|error| error.to_string())?;
                Motion { q: start.q, v: start.v, a: start.a, lambda: start.lambda }
            }
            _ => Motion::default(),
        };
        Ok(Subject { name: problem.name.clone(), problem, until, floor, motion, known })
    }

    pub fn mechanism(&self) -> Option<&dyn MechanicalSystem> {
        self.problem.system.mechanism()
    }

    pub fn evolution(&self) -> Option<&dyn FirstOrderSystem> {
        self.problem.system.evolution()
    }

    /// The variables of a first-order system at the start.
    pub fn variables(&self) -> Vec<f64> {
        start_of(&self.problem)
    }

    /// The times between which the equations are smooth.
    pub fn legs(&self) -> Vec<(f64, f64)> {
        let kinks = self.problem.kinks.iter().copied().filter(|&t| t < self.until);
        let times: Vec<f64> =
            std::iter::once(self.problem.start.t).chain(kinks).chain([self.until]).collect();
        times.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// rms of |e|/(floor + |y|) of what is known
    pub fn error(&self, y: &[f64]) -> f64 {
        let square = |&(i, r): &(usize, f64)| ((y[i] - r) / (self.floor + r.abs())).powi(2);
        (self.known.iter().map(square).sum::<f64>() / self.known.len() as f64).sqrt()
    }
}
