//! Lemma 4.5: the stiff component does not grow.

use taut_tableau::Family::{self, RadauIia};

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::scenes::{Problem, STARS, scheme};
use crate::error::LabError;
use crate::experiment::{RungeKutta, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-lemma-4.5",
    paper: Paper::Auzinger,
    statement: "For Radau IIA |d_0| <= K eps h^s implies |d_nu| <= K eps h^s for all nu, with the same K, for every K between \
                a K_min that does not depend on eps and 1/eps (4.23), (4.24).",
    claimed: "|d_nu|/(K eps h^s) at most 1 for K = K_min, ..., 1/eps",
    bounds: "K_min is fitted on half of the eps and tested on the others, with a fifth more; 1 of the lemma",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::Gauss)]),
    experiment,
};

/// K_min is taken from these and tested on those.
const FITTED: [f64; 2] = [1e-2, 1e-4];
const TESTED: [f64; 2] = [1e-3, 1e-5];
const STEPS: [f64; 3] = [0.1, 0.05, 0.025];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in STARS {
        for s in [2, 3] {
            let method = scheme(trial, RadauIia, s)?;
            let from_exact = |epsilons: [f64; 2]| -> Result<f64, LabError> {
                let mut least = Vec::new();
                for (epsilon, h) in epsilons.into_iter().flat_map(|epsilon| STEPS.map(|h| (epsilon, h))) {
                    least.push(growth(problem, &method, s, epsilon, h, 0.0)?);
                }
                Ok(largest(least))
            };
            let k_min = from_exact(FITTED)?;
            let case = format!("s = {s}, {}", problem.0);
            finding.check(&case, "K_min, over that of other eps", AtMost(1.2), from_exact(TESTED)? / k_min);
            let mut ratios = Vec::new();
            for (epsilon, h) in TESTED.into_iter().flat_map(|epsilon| STEPS.map(|h| (epsilon, h))) {
                let largest_k = 1.0 / epsilon;
                for k in [1.2 * k_min, 2.0 * k_min, (k_min * largest_k).sqrt(), largest_k] {
                    ratios.push(growth(problem, &method, s, epsilon, h, k)? / k);
                }
            }
            finding.check(&case, "|d_nu|/(K eps h^s)", AtMost(1.0), largest(ratios));
        }
    }
    Ok(finding)
}

/// The largest |d_ν|/(ε h^s), ν > 0, from d_0 = K ε h^s.
fn growth(
    problem: Problem,
    method: &RungeKutta,
    s: usize,
    epsilon: f64,
    h: f64,
    k: f64,
) -> Result<f64, LabError> {
    let scene = problem.1(epsilon);
    let unit = epsilon * h.powi(s as i32);
    let orbit = scene.orbit(method, h, 2.0, scene.start(k * unit))?;
    Ok(scene.worst(&orbit).stiff / unit)
}
