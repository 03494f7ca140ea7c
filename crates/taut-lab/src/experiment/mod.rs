//! Experiments of the papers, each a function that returns its numbers; and the numerics that they need and a solver does
//! not: the iterations of the papers, exact solutions to compare with. The latter are small, dense, in extended
//! precision, and written for insight, not for speed.

pub mod energy;
pub(crate) mod series;
pub(crate) mod spring;
pub mod squeezer_energy;
pub mod two_pendulums;

use taut::method::Method;
use taut::system::Mechanism;
use taut_problems::Problem;

use crate::error::LabError;

/// The problem of a name.
fn problem_named(name: &str) -> Result<Problem, LabError> {
    taut_problems::find(name).map_err(LabError::from)
}

/// The mechanism of a problem.
fn mechanism_of(problem: &Problem) -> Result<&dyn Mechanism, LabError> {
    problem.system.mechanism().ok_or_else(|| LabError::NotMechanical { problem: problem.name.clone() })
}

/// The SPARK method with so many stages.
fn spark(stages: usize) -> Result<Method, LabError> {
    let method = Method::named("spark").and_then(|method| method.with_stages(stages));
    method.map_err(LabError::from)
}
