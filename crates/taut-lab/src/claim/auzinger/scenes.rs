//! The problems and runs of the claims on convergence.

use taut_problems::theory::{SlantedCircle, StarCurve, StarSurface};
use taut_tableau::Family;

use super::super::{Expected, Finding, Series, Trial};
use crate::error::LabError;
use crate::experiment::{RungeKutta, Split, StiffScene};

/// A problem for every ε.
pub(super) type Problem = (&'static str, fn(f64) -> StiffScene);

/// Two problems with stiff lines through the origin.
pub(super) const STARS: [Problem; 2] = [
    ("star curve", |epsilon| StiffScene::new(StarCurve { epsilon })),
    ("star surface", |epsilon| StiffScene::new(StarSurface { epsilon })),
];

/// All problems.
pub(super) const ALL: [Problem; 3] =
    [STARS[0], STARS[1], ("slanted circle", |epsilon| StiffScene::new(SlantedCircle { epsilon }))];

/// Steps for orders in h.
pub(super) const STEPS: [f64; 10] = [0.4, 0.25, 0.2, 0.16, 0.125, 0.1, 0.0625, 0.05, 0.04, 0.025];
/// Stiffness for orders in ε.
pub(super) const EPSILONS: [f64; 5] = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5];
/// Errors below this are rounding.
pub(super) const PLATEAU: f64 = 2e-14;

/// The method with so many stages.
pub(super) fn scheme(trial: &Trial, family: Family, s: usize) -> Result<RungeKutta, LabError> {
    Ok(RungeKutta::new(&trial.tableau(family, s)?)?)
}

/// The largest components of the error on [0, 2] from the exact start; stages are found from the step before alone.
pub(super) fn worst(problem: Problem, scheme: &RungeKutta, epsilon: f64, h: f64) -> Result<Split, LabError> {
    let scene = problem.1(epsilon);
    let orbit = scene.smooth_orbit(scheme, h, 2.0)?;
    Ok(scene.worst(&orbit))
}

/// Checks the exponent of h of a component of the error at one ε.
pub(super) fn order(
    trial: &Trial,
    finding: &mut Finding,
    (problem, family, s): (Problem, Family, usize),
    epsilon: f64,
    (quantity, component): (&str, fn(Split) -> f64),
    expected: Expected,
) -> Result<(), LabError> {
    let scheme = scheme(trial, family, s)?;
    let series = Series::measured(format!("{family} s = {s}, {}", problem.0), &STEPS, PLATEAU, |h| {
        Ok(component(worst(problem, &scheme, epsilon, h)?))
    })?;
    finding.slope(quantity, expected, "h", "error", series);
    Ok(())
}

/// Checks the exponent of ε of the stiff component at one h.
pub(super) fn order_in_epsilon(
    trial: &Trial,
    finding: &mut Finding,
    (problem, family, s): (Problem, Family, usize),
    epsilons: &[f64],
    expected: Expected,
) -> Result<(), LabError> {
    let scheme = scheme(trial, family, s)?;
    let series =
        Series::measured(format!("{family} s = {s}, {}", problem.0), epsilons, PLATEAU, |epsilon| {
            Ok(worst(problem, &scheme, epsilon, 0.1)?.stiff)
        })?;
    finding.slope("stiff, in eps", expected, "ε", "|d|", series);
    Ok(())
}
