//! Theorem 4.8: convergence of Radau IA and Gauss methods.

use taut_tableau::Family::{Gauss, RadauIa};

use super::super::Expected::{Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::scenes::{ALL, order, order_in_epsilon};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-4.8",
    paper: Paper::Auzinger,
    statement: "Radau IA and Gauss methods of stage order sigma >= 2 have errors C h^sigma (4.28); there is no factor eps \
                in the stiff component.",
    claimed: "stiff, smooth, whole >= sigma in h; stiff 0 in eps",
    bounds: "orders of (4.28)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

/// ε far below h: where a factor ε would show.
const STRONG: [f64; 5] = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for problem in ALL {
        for (family, s, sigma) in [(RadauIa, 3, 2), (RadauIa, 4, 3), (Gauss, 2, 2), (Gauss, 3, 3)] {
            let case = (problem, family, s);
            order(trial, &mut finding, case, 1e-6, ("stiff", |split| split.stiff), OrderAtLeast(sigma))?;
            order(trial, &mut finding, case, 1e-6, ("smooth", |split| split.smooth), OrderAtLeast(sigma))?;
            order(trial, &mut finding, case, 1e-6, ("whole", |split| split.total), OrderAtLeast(sigma))?;
            order_in_epsilon(trial, &mut finding, case, &STRONG, Near(0.0, 0.1))?;
        }
    }
    Ok(finding)
}
