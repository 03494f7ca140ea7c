//! Lemma 8.1: where modified Newton iterations converge.

use taut_tableau::Family;

use super::super::Expected::{AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::iteration::{Jacobian, Step, condition};
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-8.1",
    paper: Paper::Lubich,
    statement: "Modified Newton iterations for (5.1) converge for h <= c eps^(2/3) with the Jacobian J_0 (8.1), for \
                h <= c eps^(1/2) with J_1 (8.2), and these conditions are necessary; with J_2 (8.3) there is none.",
    claimed: "longest step: J_0 eps^(2/3), J_1 eps^(1/2); J_2 none",
    bounds: "exponents 1/2 of the corrected statement; 1 for convergence; 1/2 for a rate that does not notice eps",
    correction: Some(
        "The conditions are sufficient, and neither is necessary. J_0: convergence ends at h = c eps^(1/2), too. The \
         derivative of the iteration has the norm O(h^3/eps^2), but it takes normal directions to tangential ones and \
         back, with O(h) on the way back, so that its spectral radius is O(h^2/eps). J_1: the spectral radius depends on \
         h^2/eps and stays below 1, also at h = 20 eps^(1/2); it comes so close to 1 that the condition is needed for \
         convergence within a given number of iterations.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("J_2")]),
    experiment,
};

/// Stiffnesses for exponents.
const EPSILONS: [f64; 5] = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5];
/// Where J_1 still converges, however slowly, in units of sqrt(eps).
const FAR: f64 = 20.0;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for (name, jacobian, radius) in
        [("J_0, radius 1", Jacobian::AtStart, 1.0), ("J_1, radius 1/2", Jacobian::AlongVelocity, 0.5)]
    {
        let mut points = Vec::new();
        for epsilon in EPSILONS {
            points.push((epsilon, step_of_radius(epsilon, jacobian, radius)?));
        }
        let constants = points.iter().map(|(epsilon, h)| format!("{:.2}", h / f64::sqrt(*epsilon)));
        let constants = constants.collect::<Vec<_>>().join(", ");
        finding.remarks.push(format!("{name}: the step over sqrt(eps) is {constants}."));
        let series = Series::fitted(name, points, 0.0);
        finding.slope("exponent of the step with this spectral radius", Near(0.5, 0.05), "eps", "h", series);
    }
    for epsilon in [1e-4, 1e-5, 1e-6] {
        let case = format!("J_1, h = {FAR} sqrt(eps), eps {epsilon:.0e}");
        let radius = radius(epsilon, Jacobian::AlongVelocity, FAR * f64::sqrt(epsilon))?;
        finding.check(case, "spectral radius", AtMost(1.0), radius);
    }
    let conditions = Series::measured("J_0, h = 0.1", &EPSILONS, 0.0, |epsilon| {
        let start = Expansion::at_start(tangent_start(), 4).sum(epsilon, 4);
        let step = Step::new(&Family::RadauIia.tableau(3)?, 0.1, epsilon, start);
        Ok(condition(&step.frozen_matrix(Jacobian::AtStart)?))
    })?;
    finding.slope("exponent of the condition", Near(-2.0, 0.1), "eps", "condition", conditions);
    let tableau = Family::RadauIia.tableau(3)?;
    let third = if trial.without("J_2") { Jacobian::AlongVelocity } else { Jacobian::AtRigidStages };
    for epsilon in [1e-3, 1e-5, 1e-7] {
        let start = Expansion::at_start(tangent_start(), 4).sum(epsilon, 4);
        let course = Step::new(&tableau, 0.2, epsilon, start).modified_newton(third)?;
        finding.check(format!("J_2, h = 0.2, eps {epsilon:.0e}"), "contraction", AtMost(0.5), course.rate());
    }
    Ok(finding)
}

/// The spectral radius of the derivative of the iteration at the solution.
fn radius(epsilon: f64, jacobian: Jacobian, h: f64) -> Result<f64, LabError> {
    let tableau = Family::RadauIia.tableau(3)?;
    let start = Expansion::at_start(tangent_start(), 4).sum(epsilon, 4);
    Step::new(&tableau, h, epsilon, start).spectral_radius(jacobian)
}

/// The step at which the spectral radius reaches a value, by bisection between 0.2 and 20 times sqrt(eps).
fn step_of_radius(epsilon: f64, jacobian: Jacobian, value: f64) -> Result<f64, LabError> {
    let (mut short, mut long) = (0.2 * epsilon.sqrt(), FAR * epsilon.sqrt());
    for _ in 0..20 {
        let middle = (short * long).sqrt();
        if radius(epsilon, jacobian, middle)? < value { short = middle } else { long = middle }
    }
    Ok(short)
}
