//! Theorem 4.7: convergence of Radau IIA methods, uniform in the stiffness.

use taut_tableau::Family::RadauIia;

use super::super::Expected::{Near, OrderAtLeast};
use super::super::{Claim, Finding, Paper};
use super::scenes::{ALL, EPSILONS, order, order_in_epsilon};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-4.7",
    paper: Paper::Auzinger,
    statement: "Radau IIA methods with s stages have the stiff error |d| <= K eps h^s and the smooth and whole error \
                C (h + eps) h^s (4.26), also where the stiff direction turns.",
    claimed: "stiff >= s in h, 1 in eps; smooth, whole >= s + 1 for eps << h",
    correction: None,
    fast: true,
    source: file!(),
    experiment,
};

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in ALL {
        for s in [2, 3, 4] {
            let case = (problem, RadauIia, s);
            order(&mut finding, case, 1e-5, ("stiff", |split| split.stiff), OrderAtLeast(s))?;
            order_in_epsilon(&mut finding, case, &EPSILONS, Near(1.0, 0.1))?;
            order(&mut finding, case, 1e-9, ("smooth", |split| split.smooth), OrderAtLeast(s + 1))?;
            order(&mut finding, case, 1e-9, ("whole", |split| split.total), OrderAtLeast(s + 1))?;
        }
    }
    Ok(finding)
}
