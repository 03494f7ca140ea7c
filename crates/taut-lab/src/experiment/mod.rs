//! Experiments of the papers, each a function that returns its numbers; and the numerics that they need and a solver does
//! not: the iterations of the papers, exact solutions to compare with. The latter are small, dense, in extended
//! precision where it is needed, and written for insight, not for speed.
//!
//! The product solves systems of any size, with control of errors and projections. Theorems speak of the bare methods:
//! constant steps, arbitrary starting values, stages solved to rounding.

mod between_rods;
mod dense;
mod dop853;
pub mod energy;
mod manifold;
mod newton;
mod orbit;
mod oscillator;
mod reduced;
mod runge_kutta;
mod scheme;
pub(crate) mod series;
pub(crate) mod spring;
pub mod squeezer_energy;
mod stage_growth;
mod stiff_split;
#[cfg(test)]
mod tests;
mod trigonometric;
pub(crate) mod two_pendulums;

pub use between_rods::{BetweenRods, largest_error};
pub use dense::DenseSystem;
pub use dop853::dop853;
pub use manifold::{Graph, decay, largest};
pub use newton::newton;
pub use orbit::Orbit;
pub use oscillator::spectral_radius;
pub use reduced::Reduced;
pub use runge_kutta::RungeKutta;
pub use scheme::{AlgebraicRows, LinearMultistep, Scheme};
pub use stage_growth::StageGrowth;
pub use stiff_split::{Split, StiffScene};
pub use trigonometric::{Filters, oscillatory_energy_change};

use taut::method::Method;
use taut::system::MechanicalSystem;
use taut_problems::Problem;

use crate::error::LabError;

/// The problem of a name.
fn problem_named(name: &str) -> Result<Problem, LabError> {
    taut_problems::find(name).map_err(LabError::from)
}

/// The mechanism of a problem.
fn mechanism_of(problem: &Problem) -> Result<&dyn MechanicalSystem, LabError> {
    problem.system.mechanism().ok_or_else(|| LabError::NotMechanical { problem: problem.name.clone() })
}

/// The SPARK method with so many stages.
fn spark(stages: usize) -> Result<Method, LabError> {
    let method = Method::named("spark").and_then(|method| method.with_stages(stages));
    method.map_err(LabError::from)
}
