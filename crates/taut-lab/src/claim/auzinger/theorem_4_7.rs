//! Theorem 4.7: convergence of Radau IIA methods, uniform in the stiffness.

use taut_tableau::Family::{self, RadauIia};

use super::super::Expected::{Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::scenes::{ALL, EPSILONS, PLATEAU, Problem, STEPS, order, order_in_epsilon, scheme, worst};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-4.7",
    paper: Paper::Auzinger,
    statement: "Radau IIA methods with s stages have the stiff error |d| <= K eps h^s and the smooth and whole error \
                C (h + eps) h^s (4.26), also where the stiff direction turns.",
    claimed: "stiff >= s in h, 1 in eps; smooth >= s + 1 along eps = h, h/10, h^2 and for eps << h",
    bounds: "orders of (4.26)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

fn of_h(h: f64) -> f64 {
    h
}

/// The order of the smooth error where eps goes to zero with h: (h + eps) h^s is of the order s + 1 for all of these.
fn smooth_along(
    trial: &Trial,
    finding: &mut Finding,
    (problem, family, s): (Problem, Family, usize),
    name: &str,
    epsilon: fn(f64) -> f64,
) -> Result<(), LabError> {
    let method = scheme(trial, family, s)?;
    let series = Series::measured(format!("s = {s}, {}, {name}", problem.0), &STEPS, PLATEAU, |h| {
        Ok(worst(problem, &method, epsilon(h), h)?.smooth)
    })?;
    finding.slope("smooth along eps = h, h/10, h^2", OrderAtLeast(s + 1), "h", "error", series);
    Ok(())
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in ALL {
        for s in [2, 3, 4] {
            let case = (problem, RadauIia, s);
            order(trial, &mut finding, case, 1e-5, ("stiff", |split| split.stiff), OrderAtLeast(s))?;
            order_in_epsilon(trial, &mut finding, case, &EPSILONS, Near(1.0, 0.1))?;
            order(trial, &mut finding, case, 1e-9, ("smooth", |split| split.smooth), OrderAtLeast(s + 1))?;
            for (name, epsilon) in
                [("eps = h", of_h as fn(f64) -> f64), ("eps = h/10", |h| 0.1 * h), ("eps = h^2", |h| h * h)]
            {
                smooth_along(trial, &mut finding, case, name, epsilon)?;
            }
            order(trial, &mut finding, case, 1e-9, ("whole", |split| split.total), OrderAtLeast(s + 1))?;
        }
    }
    Ok(finding)
}
