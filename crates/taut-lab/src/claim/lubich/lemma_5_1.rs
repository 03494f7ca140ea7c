//! Lemma 5.1: the stages exist, for steps that do not depend on eps.

use taut_tableau::number::DoubleDouble;
use taut_tableau::{Family, Tableau};

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series as Curve, Trial};
use crate::error::LabError;
use crate::experiment::series::Series;
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};
use crate::experiment::spring::{State, plus, tangent_start};

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-5.1",
    paper: Paper::Lubich,
    statement: "From a start with grad U = O(h^2) and (grad U)' = O(h) the equations of the stages (5.1) have a locally \
                unique solution with bounded accelerations for 0 < eps <= h <= h_0, h_0 independent of eps.",
    claimed: "accelerations bounded in h and eps, one solution; condition of (8.4) bounded",
    bounds: "the bound on accelerations is that of half of the points, tested on the others with a fifth more; 1e3 for \"bounded\"; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FartherStart]),
    experiment,
};

/// The start is off the circle by this times h^2, and its radial velocity is this times h.
const OFF: f64 = 0.3;

/// Steps and stiffnesses from which the bound on accelerations is taken; it is tested on all others.
const FITTED: ([f64; 2], [f64; 2]) = ([0.2, 0.05], [1e-2, 1e-3]);
const STEPS: [f64; 4] = [0.2, 0.1, 0.05, 0.025];
const EPSILONS: [f64; 6] = [1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for (family, s) in [(Family::RadauIia, 2), (Family::RadauIia, 3), (Family::LobattoIiic, 3)] {
        let tableau = trial.tableau(family, s)?;
        let case = format!("{family} s = {s}");
        let (mut fitted, mut tested) = (0.0_f64, 0.0_f64);
        for h in STEPS {
            let mut accelerations = Vec::new();
            let (mut conditions, mut distance) = (0.0_f64, 0.0_f64);
            for epsilon in [h].into_iter().chain(EPSILONS).filter(|epsilon| *epsilon <= h) {
                let stages = stages(trial, &tableau, h, epsilon)?;
                let belongs = FITTED.0.contains(&h) && FITTED.1.contains(&epsilon);
                let most = if belongs { &mut fitted } else { &mut tested };
                *most = most.max(stages.acceleration);
                accelerations.push((epsilon, stages.acceleration));
                conditions = conditions.max(stages.condition);
                distance = distance.max(stages.distance);
            }
            let case = format!("{case}, h = {h}");
            finding.check(&case, "condition", AtMost(1e3), conditions);
            finding.check(&case, "distance from another guess", AtMost(1e-12), distance);
            finding.draw("acceleration", "eps", "largest", Curve::plain(case, accelerations));
        }
        finding.check(&case, "acceleration, over that of half of the points", AtMost(1.2), tested / fitted);
    }
    Ok(finding)
}

/// What the stages of a step are like.
struct Stages {
    acceleration: f64,
    condition: f64,
    /// how far they are from those that Newton's iteration finds from another guess
    distance: f64,
}

fn stages(trial: &Trial, tableau: &Tableau, h: f64, epsilon: f64) -> Result<Stages, LabError> {
    let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
    let stepper = Stepper::<1>::new(tableau, h.into(), Series::from(e));
    let start = Expanded::new(&[off_start(trial, h)]);
    let found = stepper.stages(&start)?;
    let again = stepper.solve(&start, ([DoubleDouble::ZERO; 2], DoubleDouble::ZERO))?;
    let pairs = found.a.iter().zip(&again.a).flat_map(|(a, b)| [(a[0], b[0]), (a[1], b[1])]);
    Ok(Stages {
        acceleration: found.a.iter().flatten().map(|x| x.leading().to_f64().abs()).fold(0.0, f64::max),
        condition: stepper.condition(&start, &found),
        distance: pairs.map(|(a, b)| (a - b).leading().to_f64().abs()).fold(0.0, f64::max),
    })
}

fn off_start(trial: &Trial, h: f64) -> State {
    let State { y, v } = tangent_start();
    let [position, velocity] = [OFF * h * h, OFF * h].map(|meant| trial.off(meant, h));
    State { y: plus(y, position.into(), y), v: plus(v, velocity.into(), y) }
}
