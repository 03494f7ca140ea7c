//! Lemma 4.5: the stiff component does not grow.

use taut_tableau::Family::RadauIia;

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Paper};
use super::scenes::{Problem, STARS, scheme};
use crate::error::LabError;
use crate::experiment::{RungeKutta, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-lemma-4.5",
    paper: Paper::Auzinger,
    statement: "For Radau IIA |d_0| <= K eps h^s implies |d_nu| <= K eps h^s for all nu, with the same K, for every K between \
                a K_min that does not depend on eps and 1/eps (4.23), (4.24).",
    claimed: "|d_nu|/(K eps h^s) at most 1 for K = K_min, ..., 1/eps",
    correction: None,
    fast: true,
    source: file!(),
    experiment,
};

const EPSILONS: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];
const STEPS: [f64; 3] = [0.1, 0.05, 0.025];

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in STARS {
        for s in [2, 3] {
            let method = scheme(RadauIia, s)?;
            let mut least = Vec::new();
            for epsilon in EPSILONS {
                for h in STEPS {
                    least.push(growth(problem, &method, s, epsilon, h, 0.0)?);
                }
            }
            // As in the proof: K_min is twice what errors from the exact start need.
            let k_min = 2.0 * largest(least);
            let case = format!("s = {s}, {}", problem.0);
            finding.check(&case, "K_min", AtMost(MODERATE), k_min);
            let mut ratios = Vec::new();
            for epsilon in EPSILONS {
                for h in STEPS {
                    let largest_k = 1.0 / epsilon;
                    for k in [k_min, 2.0 * k_min, (k_min * largest_k).sqrt(), largest_k] {
                        ratios.push(growth(problem, &method, s, epsilon, h, k)? / k);
                    }
                }
            }
            finding.check(&case, "|d_nu|/(K eps h^s)", AtMost(1.0), largest(ratios));
        }
    }
    Ok(finding)
}

/// K_min should be moderate: derivatives of the smooth motions are of the size 1.
const MODERATE: f64 = 2.0;

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
