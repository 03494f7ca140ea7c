//! Lemmas 4.1 to 4.4 and 4.6: one step, its stages, and what a stiff error at its beginning does.

use taut_tableau::Family::{self, RadauIia};

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::scenes::{EPSILONS, PLATEAU, Problem, STARS, scheme};
use crate::error::LabError;
use crate::experiment::{RungeKutta, Split, StiffScene};

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-lemmas-4.1-4.6",
    paper: Paper::Auzinger,
    statement: "In one step of Radau IIA from the exact start the stiff components of the stages are O(eps h^s) (4.14), (4.15), \
                the smooth ones O(h^(s+1)) (4.18), the smooth error of the result O((h + eps) h^(s+1)) (4.19), (4.25); a stiff \
                error d of the start moves the smooth component by O(max(h, d) d) (4.19) and is left with the factor \
                1/(1 + phi h/eps) (4.20).",
    claimed: "stages: stiff >= s in h, 1 in eps, smooth >= s + 1; result: smooth >= s + 2; with d = h^2: smooth >= 3",
    bounds: "exponents of the lemmas; 1 for the factor of (4.20), with phi = 1/s of lemma 6.4",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix, Mutant::Instead(Family::Gauss)]),
    experiment,
};

const STEPS: [f64; 8] = [0.16, 0.125, 0.1, 0.08, 0.0625, 0.05, 0.04, 0.025];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in STARS {
        for s in [2, 3] {
            let method = scheme(trial, RadauIia, s)?;
            let case = format!("s = {s}, {}", problem.0);
            let over_h = |epsilon: f64, of: fn(&Step) -> f64| {
                Series::measured(&case, &STEPS, PLATEAU, |h| {
                    Ok(of(&step(problem, &method, epsilon, h, 0.0)?))
                })
            };
            let stiff = over_h(1e-5, |step| step.stages.stiff)?;
            finding.slope("stages, stiff", OrderAtLeast(s), "h", "|D|", stiff);
            let in_epsilon = Series::measured(&case, &EPSILONS, PLATEAU, |epsilon| {
                Ok(step(problem, &method, epsilon, 0.1, 0.0)?.stages.stiff)
            })?;
            finding.slope("stages, stiff, in eps", Near(1.0, 0.1), "ε", "|D|", in_epsilon);
            let smooth = over_h(1e-9, |step| step.stages.smooth)?;
            finding.slope("stages, smooth", OrderAtLeast(s + 1), "h", "|X - x|", smooth);
            let result = over_h(1e-9, |step| step.result.smooth)?;
            finding.slope("result, smooth", OrderAtLeast(s + 2), "h", "|x_1 - x|", result);
            disturbed(&mut finding, problem, &method, s)?;
        }
    }
    Ok(finding)
}

/// What a stiff error of the start does.
fn disturbed(finding: &mut Finding, problem: Problem, method: &RungeKutta, s: usize) -> Result<(), LabError> {
    let case = format!("s = {s}, {}", problem.0);
    let moved = Series::measured(&case, &STEPS, PLATEAU, |h| {
        Ok(step(problem, method, 1e-9, h, h * h)?.result.smooth)
    })?;
    finding.slope("result, smooth, from d = h^2", OrderAtLeast(3), "h", "|x_1 - x|", moved);
    let (d, h) = (1e-3, 0.05);
    let mut worst = 0.0_f64;
    for epsilon in EPSILONS {
        let [exact, off] = [0.0, d].map(|d| step(problem, method, epsilon, h, d));
        let left = (off?.result.stiff - exact?.result.stiff).abs() / d;
        worst = worst.max(left * (1.0 + h / (s as f64 * epsilon)));
    }
    finding.check(&case, "|d_1|/|d_0| (1 + h/(s eps))", AtMost(1.0), worst);
    Ok(())
}

/// The errors of one step.
struct Step {
    /// the largest ones of its stages
    stages: Split,
    result: Split,
}

fn step(problem: Problem, method: &RungeKutta, epsilon: f64, h: f64, d: f64) -> Result<Step, LabError> {
    let scene: StiffScene = problem.1(epsilon);
    let start = scene.start(d);
    let stages = scene.stages(method, h, &start)?;
    let mut worst = Split::default();
    for (t, stage) in &stages {
        let split = scene.split(*t, stage);
        worst.stiff = worst.stiff.max(split.stiff);
        worst.smooth = worst.smooth.max(split.smooth);
    }
    let orbit = scene.orbit(method, h, h, start)?;
    Ok(Step { stages: worst, result: scene.split(h, orbit.end()) })
}
