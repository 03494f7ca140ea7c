//! Theorem 3.1: errors on smooth motion are those of the rigid system, up to eps^2 h^(q-2).

use taut::Solver;
use taut::method::Method;
use taut::options::Projection;
use taut::system::Differentiated;
use taut_problems::mechanics::StiffSpringPendulum;
use taut_tableau::{Family, Tableau};

use super::super::Expected::{AtLeast, AtMost, Order};
use super::super::finding::CLOSE;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::stiff_end;
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;
use crate::order::Setting;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-3.1",
    paper: Paper::Lubich,
    statement: "From a start on smooth motion the error of a Runge-Kutta method of stage order q, with steps h >= eps, is \
                that for the associated system of index 3 up to O(eps^2 h^(q-2)) (3.7).",
    claimed: "defect of y and y': 2 in eps, >= q - 2 in h",
    bounds: "exponents of (3.7); Taut's solver against extended precision: rounding, multiplied by the number of steps",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Stiffness, Mutant::Matrix]),
    experiment,
};

const TERMS: usize = 5;
/// Family, stages, stage order.
const METHODS: [(Family, usize, usize); 7] = [
    (Family::RadauIia, 2, 2),
    (Family::RadauIia, 3, 3),
    (Family::LobattoIiic, 3, 2),
    (Family::LobattoIiic, 4, 3),
    (Family::RadauIa, 3, 2),
    (Family::RadauIa, 4, 3),
    (Family::Sdirk, 3, 1),
];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let start = Expansion::at_start(tangent_start(), TERMS);
    let end = start.after(1.0);
    for (family, s, q) in METHODS {
        let tableau = trial.tableau(family, s)?;
        let case = format!("{family} s = {s}");
        let over_epsilon = curves(&[8e-4, 4e-4, 2e-4, 1e-4], |epsilon| {
            defect(trial, &tableau, 10, epsilon, [&start, &end])
        })?;
        for (name, points) in ["y over eps", "y' over eps"].into_iter().zip(over_epsilon) {
            finding.slope(name, Order(2), "eps", "defect", Series::fitted(&case, points, 1e-24));
        }
        let over_h = curves(&[1.0 / 32.0, 1.0 / 48.0, 1.0 / 64.0, 1.0 / 96.0, 1.0 / 128.0], |h| {
            defect(trial, &tableau, (1.0 / h).round() as usize, 1e-6, [&start, &end])
        })?;
        for (name, points) in ["y over h", "y' over h"].into_iter().zip(over_h) {
            let series = Series::fitted(&case, points, 1e-24);
            finding.check(&case, name, AtLeast(q as f64 - 2.0 - CLOSE), series.slope());
            finding.draw(name, "h", "defect", series);
        }
    }
    finding.check("radau s = 3", "distance of Taut's solver", AtMost(1e-12), from_product(&start)?);
    Ok(finding)
}

/// Pairs of numbers as two curves.
fn curves(
    at: &[f64],
    measure: impl Fn(f64) -> Result<[f64; 2], LabError>,
) -> Result<[Vec<(f64, f64)>; 2], LabError> {
    let mut curves = [Vec::new(), Vec::new()];
    for &x in at {
        for (curve, y) in curves.iter_mut().zip(measure(x)?) {
            curve.push((x, y));
        }
    }
    Ok(curves)
}

/// (y_n^eps - y^eps) - (y_n^0 - y^0) at t = 1, and the same for the velocities.
fn defect(
    trial: &Trial,
    tableau: &Tableau,
    steps: usize,
    epsilon: f64,
    [start, end]: [&Expansion; 2],
) -> Result<[f64; 2], LabError> {
    let stiff = stiff_end(tableau, steps, trial.epsilon(epsilon), start.sum(epsilon, TERMS))?;
    let stiff = stiff.minus(&end.sum(epsilon, TERMS));
    let rigid = stiff_end(tableau, steps, 0.0, start.sum(0.0, 0))?.minus(&end.sum(0.0, 0));
    Ok(stiff.minus(&rigid).sizes())
}

/// How far the solver of the library, with constant steps and without projection, is from the one of this laboratory.
fn from_product(start: &Expansion) -> Result<f64, LabError> {
    let (epsilon, steps) = (1e-3, 16);
    let begin = start.sum(epsilon, TERMS);
    let pendulum = StiffSpringPendulum { epsilon, mass: 1.0, rest_length: 1.0, gravity: 1.0 };
    let system = Differentiated::new(pendulum);
    let setting = Setting::of(Method::radau().with_stages(3)?).projection(Projection::None);
    let solver = Solver::mechanical(&system).method(setting.method.clone());
    let motion = solver.options(setting.options(1.0 / steps as f64)).run(0.0, 1.0, &begin.rounded())?;
    let here = stiff_end(&Family::RadauIia.tableau(3)?, steps, epsilon, begin)?.rounded();
    Ok(motion.y.iter().zip(here).fold(0.0_f64, |error, (a, b)| error.max((a - b).abs())))
}
