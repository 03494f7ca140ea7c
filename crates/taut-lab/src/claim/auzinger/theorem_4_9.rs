//! Theorem 4.9: the strongly stiff case.

use taut_tableau::Family::{Gauss, RadauIia};

use super::super::Expected::{AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Paper};
use super::scenes::{ALL, EPSILONS, STEPS, order, scheme, worst};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-4.9",
    paper: Paper::Auzinger,
    statement: "In the strongly stiff case the smooth error is C (eps + h^(s-1)) h^s for Radau IIA, which is the classical \
                order 2s - 1 for eps <= C h^(s-1), and C (min(eps, h) + h^(s+1)) h^(s-1) for Gauss (4.29).",
    claimed: "Radau IIA: smooth, whole >= 2s - 1; Gauss: smooth >= 2s, stiff and whole >= s; one C for all eps and h",
    correction: None,
    fast: true,
    source: file!(),
    experiment,
};

/// The C of one problem and method may not exceed this; derivatives of the smooth motions are of the size 1.
const MODERATE: f64 = 1.0;

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in ALL {
        for s in [2, 3] {
            let case = (problem, RadauIia, s);
            order(&mut finding, case, 1e-9, ("smooth", |split| split.smooth), OrderAtLeast(2 * s - 1))?;
            order(&mut finding, case, 1e-9, ("whole", |split| split.total), OrderAtLeast(2 * s - 1))?;
            let method = scheme(RadauIia, s)?;
            let (power, mut constant) = (s as i32, 0.0_f64);
            for (epsilon, h) in grid() {
                let bound = (epsilon + h.powi(power - 1)) * h.powi(power);
                constant = constant.max(worst(problem, &method, epsilon, h)?.smooth / bound);
            }
            finding.check(format!("radau s = {s}, {}", problem.0), "C", AtMost(MODERATE), constant);
        }
        for s in [2, 3] {
            let case = (problem, Gauss, s);
            order(&mut finding, case, 1e-9, ("smooth, Gauss", |split| split.smooth), OrderAtLeast(2 * s))?;
            order(&mut finding, case, 1e-9, ("stiff, Gauss", |split| split.stiff), OrderAtLeast(s))?;
            order(&mut finding, case, 1e-9, ("whole, Gauss", |split| split.total), OrderAtLeast(s))?;
            let method = scheme(Gauss, s)?;
            let (power, mut constant) = (s as i32, 0.0_f64);
            for (epsilon, h) in grid() {
                let bound = (epsilon.min(h) + h.powi(power + 1)) * h.powi(power - 1);
                constant = constant.max(worst(problem, &method, epsilon, h)?.smooth / bound);
            }
            finding.check(format!("gauss s = {s}, {}", problem.0), "C, Gauss", AtMost(MODERATE), constant);
        }
    }
    Ok(finding)
}

/// Pairs of ε and h, from not stiff to very stiff.
fn grid() -> impl Iterator<Item = (f64, f64)> {
    let epsilons = [0.1, 0.03, 0.01].into_iter().chain(EPSILONS);
    epsilons.flat_map(|epsilon| STEPS.into_iter().step_by(2).map(move |h| (epsilon, h)))
}
