//! What a run costs and what it is worth.

use taut::Solver;
use taut::motion::{Motion, Statistics};
use taut_problems::Problem;

use crate::comparison::{Comparison, start_of};
use crate::error::LabError;

/// An adaptive run against a reference.
#[derive(Clone, Debug)]
pub struct Summary {
    /// the tolerance the errors are compared with
    pub tolerance: f64,
    /// name and weighted error of each group, relative to the tolerance: rms of |eᵢ|/(1 + |yᵢ|), over tol
    pub errors: Vec<(String, f64)>,
    /// what the run cost
    pub statistics: Statistics,
    /// the run itself
    pub motion: Motion,
}

impl Summary {
    /// The weighted error of a group in units of the tolerance; 0 when nothing is known of it.
    pub fn error(&self, group: &str) -> f64 {
        self.errors.iter().find(|(name, _)| name == group).map_or(0.0, |(_, error)| *error)
    }

    /// The largest weighted error of all groups, in units of the tolerance.
    pub fn largest_error(&self) -> f64 {
        self.errors.iter().fold(0.0, |largest, (_, error)| largest.max(*error))
    }
}

/// Runs a problem with a prepared solver to time t, where it has a reference. `floor` is atol/rtol, usually 1.
pub fn run_to(
    problem: &Problem,
    t: f64,
    solver: &Solver<'_>,
    tolerance: f64,
    floor: f64,
) -> Result<Summary, LabError> {
    let comparison = Comparison::at(problem, t)?;
    let motion = solver
        .run(problem.start.t, t, &start_of(problem))
        .map_err(|cause| LabError::Run { problem: problem.name.clone(), cause })?;
    let errors = comparison.scaled_errors(&motion.y, floor);
    let relative = comparison.groups().iter().zip(errors);
    Ok(Summary {
        tolerance,
        errors: relative.map(|(group, error)| (group.name.clone(), error / tolerance)).collect(),
        statistics: motion.statistics,
        motion,
    })
}
