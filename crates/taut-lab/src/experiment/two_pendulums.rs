//! A rigid pendulum on a stiff spring pendulum with friction (Jay 1998, section 10, figures 5 and 6).

use taut::Solver;
use taut::method::{Damped, Damping, Shares, SparkOptions};
use taut::options::{Multipliers, Options};
use taut_tableau::Lobatto;

use super::energy::EnergyError;
use super::{mechanism_of, problem_named, spark};
use crate::comparison::start_of;
use crate::error::LabError;

/// The paper's step, far beyond the period of the spring, 2π·1e-8.
pub const STEP: f64 = 0.12;

/// Lobatto IIIC for all equations, constraints excepted (figure 5).
pub fn damped() -> SparkOptions {
    let all = || Shares::only(Lobatto::C);
    SparkOptions {
        positions: all(),
        reactions: all(),
        conservative: all(),
        dissipative: all(),
        driving: all(),
        oscillatory: Some(all()),
        ..SparkOptions::default()
    }
}

/// Lobatto IIIB for the rod and for gravity, IIIC for the spring and for friction (figure 6).
pub fn mixed() -> SparkOptions {
    SparkOptions { oscillatory: Some(Shares::only(Lobatto::C)), ..SparkOptions::default() }
}

/// Lobatto IIIC for all equations of the stiff pendulum, IIIA and IIIB for those of the rigid one, body by body (figure 6).
pub fn by_body() -> SparkOptions {
    let damping = Damping::Shares(vec![1.0, 1.0, 0.0, 0.0]);
    SparkOptions { damping, damping_of: Damped::Motion, ..SparkOptions::default() }
}

/// The error of the energy v²/2 + z of the rigid pendulum over so many steps, with 1/ε = 1e8 and friction 1e12.
pub fn rigid_pendulum_energy(spark_options: SparkOptions, steps: usize) -> Result<EnergyError, LabError> {
    let problem = problem_named("two_pendulums/jay")?;
    let system = mechanism_of(&problem)?;
    // A good prediction of the next step, where friction makes accelerations that are over at once.
    let multipliers = Multipliers::FromStages;
    let options =
        Options { constant_step: Some(STEP), spark: spark_options, multipliers, ..Options::default() };
    let solver = Solver::mechanical(system).method(spark(3)?).options(options);
    let energy = |_t: f64, q: &[f64], v: &[f64]| 0.5 * (v[2] * v[2] + v[3] * v[3]) + q[3];
    let span = (0.0, steps as f64 * STEP);
    EnergyError::along(solver, &problem.name, system, span, &start_of(&problem), energy)
}
