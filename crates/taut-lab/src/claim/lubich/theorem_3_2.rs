//! Theorem 3.2: what vibrates at the start dies out.

use taut_tableau::number::{DoubleDouble, Factored};
use taut_tableau::{Family, Matrix, Tableau};

use super::super::Expected::{AtLeast, AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series as Curve, Trial};
use crate::error::LabError;
use crate::experiment::decay;
use crate::experiment::series::Series;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};
use crate::experiment::spring::{State, dot, plus, tangent_start};

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-3.2",
    paper: Paper::Lubich,
    statement: "A Runge-Kutta solution from a start off smooth motion, grad U = O(h^2) and (grad U)' = O(h), approaches one \
                from a start on smooth motion like rho^n, where rho is close to |R(inf)| for eps << h (3.8).",
    claimed: "factor in a step: |R(inf)| + O(h)",
    bounds: "|R(inf)| of the method and the order 1 in h of \"any fixed number larger than\"; at the shortest step the deviation may be h itself",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

const STEPS_OF_TIME: [f64; 4] = [0.02, 0.01, 0.005, 0.0025];
const EPSILON: f64 = 1e-7;
const STEPS: usize = 60;
const TERMS: usize = 2;
/// Newton's iterations for the partner.
const SHOTS: usize = 4;
/// The start is off the circle by this times h^2, and its radial velocity is this times h.
const OFF: f64 = 0.3;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for (c, r) in [([0.4, 0.8], 0.375), ([0.45, 0.6], 22.0 / 27.0)] {
        let tableau = trial.changed(&collocation(c)?)?;
        let case = format!("c = {c:?}, R(inf) = {r:.3}");
        let mut deviations = Vec::new();
        for h in STEPS_OF_TIME {
            let distances = distances(&tableau, h)?;
            // The first steps still hold other modes; beyond the twentieth the partner is not known well enough.
            let factor = decay(&distances[4..20], 1e-22);
            deviations.push((h, (factor - r).abs()));
            if h == STEPS_OF_TIME[3] {
                finding.check(&case, "factor in a step, h = 0.0025", Near(r, h), factor);
                draw(&mut finding, &case, &distances);
            }
        }
        let series = Curve::fitted(&case, deviations, 0.0);
        finding.slope("factor - |R(inf)|", OrderAtLeast(1), "h", "deviation", series);
    }
    // A symmetric method violates (3.4), |R(inf)| < 1, and does not damp.
    let distances_of_symmetric = distances(&collocation([0.3, 0.7])?, 0.005)?;
    let kept = decay(&distances_of_symmetric[4..20], 1e-22);
    finding.check("c = [0.3, 0.7], R(inf) = 1", "factor in a step without (3.4)", AtLeast(0.98), kept);
    for s in [2, 3] {
        let distances = distances(&trial.tableau(Family::RadauIia, s)?, 0.005)?;
        let case = format!("radau s = {s}, R(inf) = 0");
        finding.check(&case, "left after 4 steps", AtMost(1e-4), distances[4] / distances[0]);
        draw(&mut finding, &case, &distances);
    }
    Ok(finding)
}

fn draw(finding: &mut Finding, case: &str, distances: &[f64]) {
    let points = distances.iter().enumerate().map(|(n, &d)| (n as f64, d)).collect();
    finding.draw_on("distance", ("n", "distance"), (false, true), Curve::plain(case, points));
}

/// The collocation method with two nodes: R(inf) = (1 - 1/c_1)(1 - 1/c_2).
fn collocation([c1, c2]: [f64; 2]) -> Result<Tableau, LabError> {
    let weights = |to: f64| {
        let second = to * (to / 2.0 - c1) / (c2 - c1);
        [to - second, second]
    };
    let rows = [weights(c1), weights(c2)];
    let a = Matrix::from_fn(2, 2, |i, j| rows[i][j]);
    Ok(Tableau::new("collocation", &a, &weights(1.0), &[c1, c2])?)
}

/// States after 0, 1, ... steps.
fn states(tableau: &Tableau, h: f64, start: State) -> Result<Vec<State>, LabError> {
    let e = DoubleDouble::from(EPSILON) * DoubleDouble::from(EPSILON);
    let stepper = Stepper::<1>::new(tableau, h.into(), Series::from(e));
    let mut at = Expanded::new(&[start]);
    let mut states = vec![start];
    for _ in 0..STEPS {
        at = stepper.step(&at)?;
        states.push(at.coefficient(0));
    }
    Ok(states)
}

/// Distances, across the circle, of the solution off smooth motion from its partner, which meets it in the end.
fn distances(tableau: &Tableau, h: f64) -> Result<Vec<f64>, LabError> {
    let begin = Expansion::at_start(tangent_start(), TERMS).sum(EPSILON, TERMS);
    let y = plus(begin.y, (OFF * h * h).into(), begin.y);
    let off = states(tableau, h, State { y, v: plus(begin.v, (OFF * h).into(), begin.y) })?;
    let mut parameters = [DoubleDouble::ZERO; 2];
    for _ in 0..SHOTS {
        parameters = shoot(tableau, h, &off, parameters)?;
    }
    let partner = partner(tableau, h, parameters)?;
    Ok(off.iter().zip(&partner).map(|(a, b)| dot(a.minus(b).y, b.y).to_f64().abs()).collect())
}

/// A step of Newton's iteration, with differences, for the two parameters of smooth motions.
fn shoot(
    tableau: &Tableau,
    h: f64,
    off: &[State],
    at: [DoubleDouble; 2],
) -> Result<[DoubleDouble; 2], LabError> {
    let small = DoubleDouble::from(1e-12);
    let here = miss(off, &partner(tableau, h, at)?);
    let turned = miss(off, &partner(tableau, h, [at[0] + small, at[1]])?);
    let faster = miss(off, &partner(tableau, h, [at[0], at[1] + small])?);
    let slopes = Matrix::from_fn(2, 2, |i, j| ([turned, faster][j][i] - here[i]) / small);
    let factored = Factored::new(&slopes).ok_or(LabError::Iteration { of: "the partner" })?;
    let change = factored.solve(&here);
    Ok([at[0] - change[0], at[1] - change[1]])
}

/// The solution from the smooth motion whose y^0 is turned and whose speed is changed a little.
fn partner(tableau: &Tableau, h: f64, [turn, faster]: [DoubleDouble; 2]) -> Result<Vec<State>, LabError> {
    let State { y, v } = tangent_start();
    let across = [-y[1], y[0]];
    let turned = plus(y, turn, across);
    let length = dot(turned, turned).sqrt();
    let y = turned.map(|x| x / length);
    let speed = dot(v, across) + faster;
    let start = State { y, v: [-(y[1] * speed), y[0] * speed] };
    states(tableau, h, Expansion::at_start(start, TERMS).sum(EPSILON, TERMS))
}

/// How far two solutions are from each other at the end, along the circle.
fn miss(a: &[State], b: &[State]) -> [DoubleDouble; 2] {
    let difference = a[STEPS].minus(&b[STEPS]);
    let across = [-b[STEPS].y[1], b[STEPS].y[0]];
    [dot(difference.y, across), dot(difference.v, across)]
}
