//! The energy of Andrews' squeezer with the 3-stage SPARK method (Jay 1998, section 10, figures 1 to 3).

use taut::Solver;
use taut::method::Method;
use taut::options::{Controller, Options};

use super::energy::EnergyError;
use super::{mechanism_of, problem_named};
use crate::comparison::start_of;
use crate::error::LabError;

/// The time from which on the squeezer of figures 1 and 2 swings freely.
pub const FREE_FROM: f64 = 0.02;
/// The constant steps of figures 1 and 3.
pub const STEP: f64 = 5e-5;
/// The constant torque of figures 3 and 4.
pub(crate) const TORQUE: f64 = 0.033;

/// The energy after the torque has gone, from [`FREE_FROM`] over a time `span`: with constant steps in figure 1, with
/// reversible ones in figure 2.
///
/// The state at [`FREE_FROM`] is that of the same method with steps of [`STEP`].
pub fn free_squeezer(method: &Method, options: Options, span: f64) -> Result<EnergyError, LabError> {
    let problem = problem_named("andrews/ramp_down")?;
    let failed = |cause| LabError::Run { problem: problem.name.clone(), cause };
    let system = mechanism_of(&problem)?;
    let driven = Solver::mechanical(system).method(method.clone()).step(STEP);
    let motion = driven.run(problem.start.t, FREE_FROM, &start_of(&problem)).map_err(failed)?;
    let start = [motion.q(), motion.v()].concat();
    let solver = Solver::mechanical(system).method(method.clone()).options(options).watch(true);
    let energy = |t: f64, q: &[f64], v: &[f64]| system.energy(t, q, v).map_or(f64::NAN, |e| e.total());
    EnergyError::along(solver, &problem.name, system, (FREE_FROM, FREE_FROM + span), &start, energy)
}

/// Figure 2: reversible steps with a tolerance and, if not the usual ones, weights of the error estimate.
pub fn reversible_squeezer(
    method: &Method,
    tolerance: f64,
    error_weights: Option<Vec<f64>>,
    span: f64,
) -> Result<EnergyError, LabError> {
    let mut options = variable_steps(tolerance, Controller::Reversible);
    options.spark.error_weights = error_weights;
    free_squeezer(method, options, span)
}

/// Variable steps with this tolerance and controller.
pub fn variable_steps(tolerance: f64, controller: Controller) -> Options {
    Options { rtol: tolerance, atol: tolerance, controller, ..Options::default() }
}

/// Figure 3: the energy under a constant torque, whose work belongs to it: T + U − 0.033 β is constant.
pub(crate) fn driven_squeezer(method: &Method, span: f64) -> Result<EnergyError, LabError> {
    let problem = problem_named("andrews")?;
    let system = mechanism_of(&problem)?;
    let solver = Solver::mechanical(system).method(method.clone()).step(STEP);
    let energy = |t: f64, q: &[f64], v: &[f64]| {
        system.energy(t, q, v).map_or(f64::NAN, |energy| energy.total() - TORQUE * q[0])
    };
    let t = problem.start.t;
    EnergyError::along(solver, &problem.name, system, (t, t + span), &start_of(&problem), energy)
}
