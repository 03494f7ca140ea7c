//! Lemma 8.1: where modified Newton iterations converge.

use taut_tableau::Family;

use super::super::Expected::{AtMost, Near};
use super::super::{Claim, Finding, Paper, Series};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::iteration::{Jacobian, Step};
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-8.1",
    paper: Paper::Lubich,
    statement: "Modified Newton iterations for (5.1) converge for h <= c eps^(2/3) with the Jacobian J_0 (8.1), for \
                h <= c eps^(1/2) with J_1 (8.2), and these conditions are necessary; with J_2 (8.3) there is none.",
    claimed: "longest step: J_0 eps^(2/3), J_1 eps^(1/2)",
    correction: Some(
        "The conditions are sufficient; that for J_0 is not necessary: its longest step is c eps^(1/2), too. The \
         derivative of the iteration has the norm O(h^3/eps^2), but it takes normal directions to tangential ones and \
         back, with O(h) on the way back, so that its spectral radius is O(h^2/eps).",
    ),
    fast: true,
    source: file!(),
    experiment,
};

/// Steps are tried from short to long with this ratio.
const RATIO: f64 = 1.02;

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let epsilons = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5];
    for (name, jacobian) in [("J_0", Jacobian::AtStart), ("J_1", Jacobian::AlongVelocity)] {
        let mut points = Vec::new();
        for epsilon in epsilons {
            points.push((epsilon, longest_step(epsilon, jacobian)?));
        }
        let constants = points.iter().map(|(epsilon, h)| format!("{:.1}", h / f64::sqrt(*epsilon)));
        let constants = constants.collect::<Vec<_>>().join(", ");
        finding.remarks.push(format!("{name}: the longest step over sqrt(eps) is {constants}."));
        let series = Series::fitted(name, points, 0.0);
        finding.check(name, "exponent of the longest step", Near(0.5, 0.05), series.slope());
        finding.draw("longest step", "eps", "h", series);
    }
    let tableau = Family::RadauIia.tableau(3)?;
    for epsilon in [1e-3, 1e-5, 1e-7] {
        let start = Expansion::at_start(tangent_start(), 4).sum(epsilon, 4);
        let course = Step::new(&tableau, 0.2, epsilon, start).modified_newton(Jacobian::AtRigidStages)?;
        finding.check(format!("J_2, h = 0.2, eps {epsilon:.0e}"), "contraction", AtMost(0.5), course.rate());
    }
    Ok(finding)
}

/// The longest step up to which the iteration converges.
fn longest_step(epsilon: f64, jacobian: Jacobian) -> Result<f64, LabError> {
    let tableau = Family::RadauIia.tableau(3)?;
    let start = Expansion::at_start(tangent_start(), 4).sum(epsilon, 4);
    let mut h = 0.5 * epsilon.sqrt();
    while h < 1.0 {
        if !Step::new(&tableau, h * RATIO, epsilon, start).modified_newton(jacobian)?.converged {
            break;
        }
        h *= RATIO;
    }
    Ok(h)
}
