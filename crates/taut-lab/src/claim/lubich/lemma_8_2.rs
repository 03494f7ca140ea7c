//! Lemma 8.2: iterations that do not notice eps.

use taut_tableau::Family;

use super::super::Expected::{AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::iteration::{Step, condition};
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-8.2",
    paper: Paper::Lubich,
    statement: "The outer iteration (8.5)-(8.7) has the error O(eps^2 h^(2k)) in accelerations; the inner iteration with the \
                matrix (8.8), whose inverse is bounded, converges with the rate O(h), independent of eps.",
    claimed: "error >= 2 in eps (measured: 2k + 2); inner rate >= 1 in h; condition bounded",
    bounds: "exponents of the lemma; 1e3 for \"bounded\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Stiffness]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let tableau = trial.tableau(Family::RadauIia, 3)?;
    let expansion = Expansion::at_start(tangent_start(), 6);
    let step = |h: f64, epsilon: f64| Step::new(&tableau, h, epsilon, expansion.sum(epsilon, 6));
    let mut curves = vec![Vec::new(); 3];
    for epsilon in [0.015, 0.0125, 0.01, 0.008, 0.006] {
        let (step, iterated) = (step(0.1, epsilon), step(0.1, trial.epsilon(epsilon)));
        for (curve, course) in curves.iter_mut().zip(iterated.outer(2)?) {
            curve.push((epsilon, step.error(&course.a)?));
        }
    }
    for (k, points) in curves.into_iter().enumerate() {
        let series = Series::fitted(format!("k = {k}"), points, 1e-18);
        finding.slope("outer error", OrderAtLeast(2 * k + 2), "eps", "error of accelerations", series);
    }
    let mut over_h = vec![Vec::new(); 3];
    for h in [0.2, 0.16, 0.125, 0.1, 0.08] {
        // ε as a fixed share of h: the statement's ε² h^(2k) is then of the order 2k + 2 in h.
        let step = step(h, 0.1 * h);
        for (curve, course) in over_h.iter_mut().zip(step.outer(2)?) {
            curve.push((h, step.error(&course.a)?));
        }
    }
    for (name, fixed, parameters) in [
        ("over eps, h = 0.1", 0.1, [0.015, 0.0125, 0.01, 0.008, 0.006]),
        ("over h, eps = 1e-3", 1e-3, [0.2, 0.16, 0.125, 0.1, 0.08]),
    ] {
        let series = Series::measured(name, &parameters, 1e-18, |x| {
            let step = if fixed > 0.05 { step(fixed, x) } else { step(x, fixed) };
            step.error_of_positions(&step.outer(0)?[0].a)
        })?;
        finding.slope("first iterate, positions", OrderAtLeast(2), "eps or h", "error of positions", series);
    }
    for (k, points) in over_h.into_iter().enumerate() {
        let series = Series::fitted(format!("k = {k}"), points, 1e-18);
        finding.slope(
            "outer error, eps = h/10",
            OrderAtLeast(2 * k + 2),
            "h",
            "error of accelerations",
            series,
        );
    }
    inner(&mut finding, step)?;
    Ok(finding)
}

/// The inner iteration: its rate, and the condition of its matrix.
fn inner(finding: &mut Finding, step: impl Fn(f64, f64) -> Step) -> Result<(), LabError> {
    for epsilon in [1e-3, 1e-5, 1e-8] {
        let mut points = Vec::new();
        for h in [0.1, 0.075, 0.05, 0.035, 0.025] {
            let courses = step(h, epsilon).outer(0)?;
            points.push((h, courses[0].rate()));
        }
        let series = Series::fitted(format!("eps {epsilon:.0e}"), points, 0.0);
        finding.slope("inner rate", OrderAtLeast(1), "h", "contraction", series);
    }
    for h in [0.1, 0.01] {
        let conditions =
            [1e-2, 1e-4, 1e-6, 1e-8, 1e-10].map(|epsilon| condition(&step(h, epsilon).inner_matrix()));
        let largest = conditions.into_iter().fold(0.0, f64::max);
        finding.check(format!("h = {h}"), "condition of (8.8)", AtMost(1e3), largest);
    }
    Ok(())
}
