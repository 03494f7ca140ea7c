//! Lemma 5.1: the stages exist, for steps that do not depend on eps.

use taut_tableau::Family;
use taut_tableau::number::DoubleDouble;

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Paper, Series as Curve};
use crate::error::LabError;
use crate::experiment::series::Series;
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};
use crate::experiment::spring::{State, plus, tangent_start};

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-5.1",
    paper: Paper::Lubich,
    statement: "From a start with grad U = O(h^2) and (grad U)' = O(h) the equations of the stages (5.1) have a locally \
                unique solution with bounded accelerations for 0 < eps <= h <= h_0, h_0 independent of eps.",
    claimed: "accelerations bounded, one solution; condition of (8.4) bounded",
    correction: None,
    fast: true,
    source: file!(),
    experiment,
};

/// The start is off the circle by this times h^2, and its radial velocity is this times h.
const OFF: f64 = 0.3;

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for (family, s) in [(Family::RadauIia, 2), (Family::RadauIia, 3), (Family::LobattoIiic, 3)] {
        let tableau = family.tableau(s)?;
        let case = format!("{family} s = {s}");
        let mut at_longest = None;
        for h in [0.2_f64, 0.1, 0.05, 0.025] {
            let (mut accelerations, mut conditions, mut distance) = (Vec::new(), 0.0_f64, 0.0_f64);
            for epsilon in [h, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10] {
                let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
                let stepper = Stepper::<1>::new(&tableau, h.into(), Series::from(e));
                let start = Expanded::new(&[off_start(h)]);
                let found = stepper.stages(&start)?;
                let again = stepper.solve(&start, ([DoubleDouble::ZERO; 2], DoubleDouble::ZERO))?;
                let pairs = found.a.iter().zip(&again.a).flat_map(|(a, b)| [(a[0], b[0]), (a[1], b[1])]);
                let largest =
                    found.a.iter().flatten().map(|x| x.leading().to_f64().abs()).fold(0.0, f64::max);
                accelerations.push((epsilon, largest));
                conditions = conditions.max(stepper.condition(&start, &found));
                distance = pairs.map(|(a, b)| (a - b).leading().to_f64().abs()).fold(distance, f64::max);
            }
            let largest = accelerations.iter().map(|(_, a)| *a).fold(0.0, f64::max);
            finding.check(
                format!("{case}, h = {h}"),
                "acceleration, over h = 0.2",
                AtMost(1.2),
                largest / *at_longest.get_or_insert(largest),
            );
            finding.check(format!("{case}, h = {h}"), "condition", AtMost(1e3), conditions);
            finding.check(format!("{case}, h = {h}"), "distance from another guess", AtMost(1e-12), distance);
            finding.draw(
                "acceleration",
                "eps",
                "largest",
                Curve::plain(format!("{case}, h = {h}"), accelerations),
            );
        }
    }
    Ok(finding)
}

fn off_start(h: f64) -> State {
    let State { y, v } = tangent_start();
    State { y: plus(y, (OFF * h * h).into(), y), v: plus(v, (OFF * h).into(), y) }
}
