//! (4.5) to (4.8), and Lemma 6.2: local errors and stages on the systems of index 3 and 5.

use taut_tableau::number::DoubleDouble;
use taut_tableau::{Family, Tableau};

use super::super::Expected::AtLeast;
use super::super::finding::CLOSE;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series as Curve, Trial};
use crate::error::LabError;
use crate::experiment::series::Series;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};
use crate::experiment::spring::{dot, tangent_start};

pub(super) const LOCAL: Claim = Claim {
    id: "lubich-4.5",
    paper: Paper::Lubich,
    statement: "In a step from exact values the stages have errors O(h^q) in Y^0 and O(h^(q-1)) in their accelerations (4.6), (4.7), O(h^(q-1)) \
                in Y^1 (4.8); the result O(h^(q-1)) in y^1 and O(h^(q-2)) in y'^1, and O(h^q) and O(h^(q-1)) along the manifold (4.5).",
    claimed: "exponents of the statement, for q = 2, ..., 5",
    bounds: "exponents of (4.5) to (4.8)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment: local,
};

pub(super) const MULTIPLIERS: Claim = Claim {
    id: "lubich-6.2",
    paper: Paper::Lubich,
    statement: "The multipliers of the stages of (2.25.k), k = [q/2], are O(1/h) for q = 2k and O(1) for q = 2k + 1 (6.6).",
    claimed: "exponents of h: -1, 0, -1, 0 for Radau IIA with 2, 3, 4, 5 stages",
    bounds: "exponents of (6.6)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment: multipliers,
};

const STEPS: [f64; 6] = [0.1, 0.075, 0.05, 0.04, 0.03, 0.025];
const PLATEAU: f64 = 1e-22;

fn local(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=5 {
        let tableau = trial.tableau(Family::RadauIia, s)?;
        let q = s as f64;
        let names = [
            ("Y^0", q),
            ("acceleration of Y^0", q - 1.0),
            ("Y^1", q - 1.0),
            ("y^1", q - 1.0),
            ("y'^1", q - 2.0),
            ("y^1 along", q),
            ("y'^1 along", q - 1.0),
        ];
        let mut curves = vec![Vec::new(); names.len()];
        for h in STEPS {
            for (curve, error) in curves.iter_mut().zip(errors(&tableau, h)?) {
                curve.push((h, error));
            }
        }
        for ((name, exponent), points) in names.into_iter().zip(curves) {
            let series = Curve::fitted(format!("radau s = {s}"), points, PLATEAU);
            finding.check_slope(series.name.clone(), name, AtLeast(exponent - CLOSE), &series);
            finding.draw(name, "h", "error", series);
        }
    }
    Ok(finding)
}

/// The errors in the order of the names.
fn errors(tableau: &Tableau, h: f64) -> Result<[f64; 7], LabError> {
    let expansion = Expansion::at_start(tangent_start(), 1);
    let stepper = Stepper::<2>::new(tableau, h.into(), Series::parameter());
    let start = Expanded::new(&expansion.coefficients);
    let stages = stepper.stages(&start)?;
    let places = stepper.positions(&start, &stages);
    let mut worst = [0.0_f64; 3];
    for ((c, place), a) in tableau.c().iter().zip(&places).zip(&stages.a) {
        let exact = expansion.after(c * h);
        for k in 0..2 {
            let y = exact.coefficients[k].y;
            let error = (0..2).map(|d| (place[d].0[k] - y[d]).to_f64().abs()).fold(0.0, f64::max);
            worst[2 * k] = worst[2 * k].max(error);
        }
        let acceleration = rigid_acceleration(&exact);
        let error = (0..2).map(|d| (a[d].0[0] - acceleration[d]).to_f64().abs()).fold(0.0, f64::max);
        worst[1] = worst[1].max(error);
    }
    let (end, exact) = (stepper.step(&start)?.coefficient(1), expansion.after(h));
    let error = end.minus(&exact.coefficients[1]);
    let [y, v] = error.sizes();
    let across = exact.coefficients[0].y;
    let along = |x| dot(x, [-across[1], across[0]]).to_f64().abs();
    Ok([worst[0], worst[1], worst[2], y, v, along(error.y), along(error.v)])
}

/// The acceleration of the rigid pendulum.
fn rigid_acceleration(expansion: &Expansion) -> [DoubleDouble; 2] {
    let state = &expansion.coefficients[0];
    let lambda = (dot(state.v, state.v) - state.y[1]) / dot(state.y, state.y);
    let [x, y] = state.y;
    [-(x * lambda), -(y * lambda) - DoubleDouble::ONE]
}

fn multipliers(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for (s, k) in [(2, 1), (3, 1), (4, 2), (5, 2)] {
        let tableau = trial.tableau(Family::RadauIia, s)?;
        let expansion = Expansion::at_start(tangent_start(), 2);
        let mut points = Vec::new();
        for steps in [32_usize, 48, 64, 96, 128] {
            let h = DoubleDouble::ONE / DoubleDouble::from(steps);
            let stepper = Stepper::<3>::new(&tableau, h, Series::parameter());
            let at = stepper.run(Expanded::new(&expansion.coefficients), steps - 1)?;
            let stages = stepper.stages(&at)?;
            let most = stages.lambda.iter().map(|x| x.0[k].to_f64().abs()).fold(0.0, f64::max);
            points.push((1.0 / steps as f64, most));
        }
        let series = Curve::fitted(format!("radau s = {s}, k = {k}"), points, 0.0);
        let exponent = if s == 2 * k { -1.0 } else { 0.0 };
        finding.check_slope(series.name.clone(), "largest multiplier", AtLeast(exponent - CLOSE), &series);
        finding.draw("largest multiplier", "h", "|Lambda^k|", series);
    }
    Ok(finding)
}
