//! Remark 4.1: how fast the stiff component is damped down.

use taut_tableau::Family::{self, RadauIia};

use super::super::Expected::{AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::lemma_6_4::constant_of_contraction;
use super::scenes::{Problem, STARS, scheme};
use crate::error::LabError;
use crate::experiment::RungeKutta;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-remark-4.1",
    paper: Paper::Auzinger,
    statement: "A stiff error of Radau IIA above the level K_min eps h^s is damped down to it: K_nu - K_min falls at least by \
                1/(1 + phi h/eps) in each step (4.27).",
    claimed: "(K_1 - K_min)/(K_0 - K_min) at most 1/(1 + phi h/eps); order 1 in eps; K_nu -> K_min",
    bounds: "the factor of (4.27), with the phi of lemma 6.4",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::Gauss)]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let h = 0.05;
    for problem in STARS {
        for s in [2, 3, 4] {
            let case = format!("s = {s}, {}", problem.0);
            let method = scheme(trial, RadauIia, s)?;
            let phi = constant_of_contraction(&RadauIia.tableau(s)?)?;
            let mut worst = 0.0_f64;
            let damping = Series::measured(&case, &[3e-3, 1e-3, 3e-4, 1e-4, 3e-5], 0.0, |epsilon| {
                let (first, _) = damped(problem, &method, epsilon, h)?;
                worst = worst.max(first * (1.0 + phi * h / epsilon));
                Ok(first)
            })?;
            finding.check(&case, "(K_1 - K_min)(1 + phi h/eps)/(K_0 - K_min)", AtMost(1.0), worst);
            finding.slope("order of the damping in eps", Near(1.0, 0.2), "ε", "damping", damping);
            let (_, left) = damped(problem, &method, 1e-3, h)?;
            finding.check(&case, "K_nu/K_min at the end", Near(1.0, 0.01), left);
        }
    }
    Ok(finding)
}

/// What is left of a stiff error d_0 = 1e-3 beyond that of the exact start after one step, and both stiff errors
/// compared at the end.
fn damped(problem: Problem, method: &RungeKutta, epsilon: f64, h: f64) -> Result<(f64, f64), LabError> {
    let d_0 = 1e-3;
    let scene = problem.1(epsilon);
    let exact = scene.orbit(method, h, 2.0, scene.start(0.0))?;
    let disturbed = scene.orbit(method, h, 2.0, scene.start(d_0))?;
    let stiff = |states: &[Vec<f64>], j: usize| scene.split(j as f64 * h, &states[j]).stiff;
    let left = |j: usize| (stiff(&disturbed.states, j) - stiff(&exact.states, j)).abs() / d_0;
    let end = exact.states.len() - 1;
    Ok((left(1), stiff(&disturbed.states, end) / stiff(&exact.states, end)))
}
