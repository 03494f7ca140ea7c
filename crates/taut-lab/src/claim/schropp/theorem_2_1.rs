//! Theorem 2.1: the orders of projected Runge-Kutta methods.

use taut::options::{Multipliers, Projection};
use taut_problems::find;

use super::super::Expected::OrderAtLeast;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;
use crate::order::{Setting, measure_orders};

pub(super) const CLAIM: Claim = Claim {
    id: "schropp-thm-2.1",
    paper: Paper::Schropp,
    statement: "Projected Runge-Kutta methods (2.5)-(2.7) of stage order q converge with order q in u and v and with \
                order q - 1 in lambda (2.9).",
    claimed: "u, v >= q, lambda >= q - 1",
    bounds: "orders of (2.9)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

/// Method, number of stages, stage order.
const METHODS: [(&str, usize, usize); 6] = [
    ("radau", 2, 2),
    ("radau", 3, 3),
    ("radau-ia", 3, 2),
    ("radau-ia", 4, 3),
    ("lobatto-iiic", 3, 2),
    ("lobatto-iiic", 4, 3),
];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = find("pendulum/cash_g1")?;
    for (name, s, q) in METHODS {
        let setting = Setting::named(name, trial.stages_of(name, s))?.projection(Projection::Full);
        let setting = setting.multipliers(Multipliers::FromStages);
        let orders = measure_orders(&pendulum, 1.0, &setting, &[8, 12, 16, 24, 32, 48, 64])?;
        let expected = [("q", OrderAtLeast(q)), ("v", OrderAtLeast(q)), ("lambda", OrderAtLeast(q - 1))];
        finding.orders(&format!("{name} s = {s}"), &orders, &expected);
    }
    // The same for a system that is not mechanical but in Hessenberg form, (4.1).
    let hessenberg = find("schropp_pendulum")?;
    for s in [2, 3] {
        let setting =
            Setting::named("radau", trial.stages(s))?.projection(Projection::Full).accuracy(1e-13, 1e-11);
        let setting = setting.multipliers(Multipliers::FromStages);
        let orders = measure_orders(&hessenberg, 10.0, &setting, &[80, 120, 160, 240, 320, 480])?;
        let expected =
            [("index 1", OrderAtLeast(s)), ("index 2", OrderAtLeast(s)), ("index 3", OrderAtLeast(s - 1))];
        finding.orders(&format!("radau s = {s}, (4.1)"), &orders, &expected);
    }
    Ok(finding)
}
