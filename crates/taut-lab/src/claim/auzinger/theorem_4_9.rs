//! Theorem 4.9: the strongly stiff case.

use taut_tableau::Family::{Gauss, RadauIia};

use super::super::Expected::{AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::scenes::{ALL, EPSILONS, Problem, STEPS, order, scheme, worst};
use crate::error::LabError;
use crate::experiment::RungeKutta;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-4.9",
    paper: Paper::Auzinger,
    statement: "In the strongly stiff case the smooth error is C (eps + h^(s-1)) h^s for Radau IIA, which is the classical \
                order 2s - 1 for eps <= C h^(s-1), and C (min(eps, h) + h^(s+1)) h^(s-1) for Gauss (4.29).",
    claimed: "Radau IIA: smooth, whole >= 2s - 1; Gauss: smooth >= 2s, stiff and whole >= s; one C for all eps and h",
    bounds: "orders of (4.29); C is fitted on long steps and tested on short ones, with a half more",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

/// C is fitted on the long steps; on the short ones it may be larger by this factor at most. Errors of one order less than
/// claimed would make it 4 times as large.
const GROWTH: f64 = 1.5;
/// Where long steps end.
const LONG: f64 = 0.1;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in ALL {
        for s in [2, 3] {
            let case = (problem, RadauIia, s);
            order(
                trial,
                &mut finding,
                case,
                1e-9,
                ("smooth", |split| split.smooth),
                OrderAtLeast(2 * s - 1),
            )?;
            order(trial, &mut finding, case, 1e-9, ("whole", |split| split.total), OrderAtLeast(2 * s - 1))?;
            let method = scheme(trial, RadauIia, s)?;
            let power = s as i32;
            let ratio =
                uniformity(problem, &method, |epsilon, h| (epsilon + h.powi(power - 1)) * h.powi(power))?;
            finding.check(
                format!("radau s = {s}, {}", problem.0),
                "C for h < 0.1 over C for h >= 0.1",
                AtMost(GROWTH),
                ratio,
            );
        }
        for s in [2, 3] {
            let case = (problem, Gauss, s);
            order(
                trial,
                &mut finding,
                case,
                1e-9,
                ("smooth, Gauss", |split| split.smooth),
                OrderAtLeast(2 * s),
            )?;
            order(trial, &mut finding, case, 1e-9, ("stiff, Gauss", |split| split.stiff), OrderAtLeast(s))?;
            order(trial, &mut finding, case, 1e-9, ("whole, Gauss", |split| split.total), OrderAtLeast(s))?;
            let method = scheme(trial, Gauss, s)?;
            let power = s as i32;
            let ratio = uniformity(problem, &method, |epsilon, h| {
                (epsilon.min(h) + h.powi(power + 1)) * h.powi(power - 1)
            })?;
            finding.check(
                format!("gauss s = {s}, {}", problem.0),
                "C for h < 0.1 over C for h >= 0.1, Gauss",
                AtMost(GROWTH),
                ratio,
            );
        }
    }
    Ok(finding)
}

/// The largest ratio of smooth errors to a bound over short steps, in units of that over long ones.
fn uniformity(
    problem: Problem,
    method: &RungeKutta,
    bound: impl Fn(f64, f64) -> f64,
) -> Result<f64, LabError> {
    let (mut long, mut short) = (0.0_f64, 0.0_f64);
    for (epsilon, h) in grid() {
        let constant = worst(problem, method, epsilon, h)?.smooth / bound(epsilon, h);
        let most = if h >= LONG { &mut long } else { &mut short };
        *most = most.max(constant);
    }
    Ok(short / long)
}

/// Pairs of ε and h, from not stiff to very stiff.
fn grid() -> impl Iterator<Item = (f64, f64)> {
    let epsilons = [0.1, 0.03, 0.01].into_iter().chain(EPSILONS);
    epsilons.flat_map(|epsilon| STEPS.into_iter().step_by(2).map(move |h| (epsilon, h)))
}
