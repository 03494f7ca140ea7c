//! Lemmas 5.2 to 5.4: what perturbations of the start do, in one step and in many.

use taut_tableau::number::DoubleDouble;
use taut_tableau::{Family, Tableau};

use super::super::Expected::{AtLeast, AtMost};
use super::super::finding::CLOSE;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series as Curve, Trial};
use crate::error::LabError;
use crate::experiment::series::Series;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};
use crate::experiment::spring::{State, dot, plus, tangent_start};

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-5.2-5.4",
    paper: Paper::Lubich,
    statement: "For eps << h a perturbation of the start across the manifold, dv, changes accelerations by O(dv/h^2) across and O(dv/h) along \
                it (Lemma 5.2), is left after a step with R(inf) dv + O(h dv) across and O(h dv) along it (5.3), and a perturbation along it, \
                du, with O(h du) across it after one step and after many (5.3, 5.4).",
    claimed: "exponents of h: accelerations -2, -1; after a step 1, 1, 1; after many 0 along, 1 across",
    bounds: "exponents of the lemmas; 1 for the constant of O(h) where R(inf) = 0",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::Gauss)]),
    experiment,
};

const EPSILON: f64 = 1e-7;
const TERMS: usize = 2;
const STEPS: [f64; 5] = [0.1, 0.07, 0.05, 0.035, 0.025];
/// The size of perturbations: so small that squares do not count.
const SMALL: f64 = 1e-12;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in [2, 3] {
        let tableau = trial.tableau(Family::RadauIia, s)?;
        let case = format!("radau s = {s}");
        let names = [
            ("acceleration across, from dv", -2.0),
            ("acceleration along, from dv", -1.0),
            ("along after a step, from dv", 1.0),
            ("across after a step, from du", 1.0),
        ];
        let mut most = [0.0_f64; 2];
        let mut curves = vec![Vec::new(); names.len()];
        let mut long = Vec::new();
        for h in STEPS {
            let [across, along] = [true, false].map(|across| one_step(&tableau, h, across));
            let (across, along) = (across?, along?);
            let found = [across.acceleration[0], across.acceleration[1], across.end[1], along.end[0]];
            for (curve, value) in curves.iter_mut().zip(found) {
                curve.push((h, value));
            }
            let end = after_many(&tableau, h)?;
            long.push((h, end[1]));
            // For methods with R(inf) = 0 what is across is far below O(h), so that it is compared with h itself.
            most = [most[0].max(across.end[0] / h), most[1].max(end[0] / h)];
        }
        for ((name, exponent), points) in names.into_iter().zip(curves) {
            let series = Curve::fitted(&case, points, 1e-14);
            finding.check_slope(&case, name, AtLeast(exponent - CLOSE), &series);
            finding.draw(name, "h", "over the perturbation", series);
        }
        let along = Curve::fitted(&case, long, 1e-14);
        finding.check_slope(&case, "along at t = 1, from du", AtLeast(-CLOSE), &along);
        finding.check(&case, "across after a step, from dv, over h", AtMost(1.0), most[0]);
        finding.check(&case, "across at t = 1, from du, over h", AtMost(1.0), most[1]);
    }
    Ok(finding)
}

/// Changes over the size of the perturbation, across and along the circle.
struct Changes {
    acceleration: [f64; 2],
    end: [f64; 2],
}

/// The parts of a vector across and along the circle at y.
fn parts(y: [DoubleDouble; 2], x: [DoubleDouble; 2]) -> [f64; 2] {
    let scale = DoubleDouble::from(SMALL);
    [dot(x, y), dot(x, [-y[1], y[0]])].map(|part| (part / scale).to_f64().abs())
}

/// The start on smooth motion, and the same moved across or along the circle.
fn starts(across: bool) -> [State; 2] {
    let start = Expansion::at_start(tangent_start(), TERMS).sum(EPSILON, TERMS);
    let direction = if across { start.y } else { [-start.y[1], start.y[0]] };
    [start, State { y: plus(start.y, SMALL.into(), direction), v: start.v }]
}

fn stepper(tableau: &Tableau, h: f64) -> Stepper<1> {
    let e = DoubleDouble::from(EPSILON) * DoubleDouble::from(EPSILON);
    Stepper::new(tableau, h.into(), Series::from(e))
}

fn one_step(tableau: &Tableau, h: f64, across: bool) -> Result<Changes, LabError> {
    let stepper = stepper(tableau, h);
    let [start, moved] = starts(across).map(|start| Expanded::new(&[start]));
    let (stages, other) = (stepper.stages(&start)?, stepper.stages(&moved)?);
    let y = start.coefficient(0).y;
    let mut acceleration = [0.0_f64; 2];
    for (a, b) in stages.a.iter().zip(&other.a) {
        let difference = [0, 1].map(|d| (b[d] - a[d]).leading());
        for (most, part) in acceleration.iter_mut().zip(parts(y, difference)) {
            *most = most.max(part);
        }
    }
    let (end, other) = (stepper.step(&start)?.coefficient(0), stepper.step(&moved)?.coefficient(0));
    let change = other.minus(&end).y;
    let kept = moved.coefficient(0).minus(&start.coefficient(0)).y;
    // What a perturbation along the circle keeps of itself is no change.
    let change = if across { change } else { plus(change, (-1.0).into(), kept) };
    Ok(Changes { acceleration, end: parts(end.y, change) })
}

/// Changes across and along the circle at t = 1 by a perturbation along it.
fn after_many(tableau: &Tableau, h: f64) -> Result<[f64; 2], LabError> {
    let stepper = stepper(tableau, h);
    let steps = (1.0 / h).round() as usize;
    let [start, moved] = starts(false).map(|start| Expanded::new(&[start]));
    let (end, other) = (stepper.run(start, steps)?.coefficient(0), stepper.run(moved, steps)?.coefficient(0));
    Ok(parts(end.y, other.minus(&end).y))
}
