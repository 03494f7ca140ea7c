//! The remark after theorem 2.1: what projection does to the order of u.

use taut::options::Projection;
use taut_problems::find;

use super::super::Expected::{self, Order};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;
use crate::order::{Setting, measure_orders};

pub(super) const CLAIM: Claim = Claim {
    id: "schropp-remark-2.1",
    paper: Paper::Schropp,
    statement: "For p >= q + 2 the order of u is q + 1 (remark after theorem 2.1), with the projection (2.7) as without.",
    claimed: "u q + 1",
    bounds: "orders of the corrected statement",
    correction: Some(
        "Printed: u has order q + 1 also with projection. This holds without projection, and with the projection of \
         velocities (2.8), which lifts v to q + 1, too. With the full projection (2.7) of methods that are not stiffly \
         accurate u falls back to order q.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("projection")]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = find("pendulum/cash_g1")?;
    let fine: &[usize] = &[64, 96, 128, 192, 256, 384, 512, 768];
    let coarse: &[usize] = &[32, 48, 64, 96, 128, 192, 256];
    // Radau IA with three stages: p = 5, q = 2.
    let cases: [(Projection, &[usize], [Expected; 3]); 3] = [
        (Projection::None, fine, [Order(3), Order(2), Order(1)]),
        (Projection::Velocity, coarse, [Order(3), Order(3), Expected::OrderAtLeast(1)]),
        (Projection::Full, fine, [Order(2), Order(2), Order(1)]),
    ];
    for (projection, steps, [q, v, lambda]) in cases {
        let asked = if trial.without("projection") { Projection::None } else { projection };
        let setting = Setting::classical("radau-ia", 3)?.projection(asked);
        let orders = measure_orders(&pendulum, 1.0, &setting, steps)?;
        let case = format!("radau-ia s = 3, projection {}", projection.name());
        finding.orders(&case, &orders, &[("q", q), ("v", v), ("lambda", lambda)]);
    }
    Ok(finding)
}
