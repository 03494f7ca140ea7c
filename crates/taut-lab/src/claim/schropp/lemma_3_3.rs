//! Lemma 3.3: local errors.

use taut::options::{Multipliers, Projection};
use taut_problems::find;

use super::super::Expected::OrderAtLeast;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::comparison::{solver_of, start_of};
use crate::error::LabError;
use crate::order::Setting;

pub(super) const CLAIM: Claim = Claim {
    id: "schropp-lemma-3.3",
    paper: Paper::Schropp,
    statement: "The local errors of projected Runge-Kutta methods are O(h^min(q+2,p)) in u, O(h^(q+1)) in v and O(h^(q-1)) in lambda (3.21).",
    claimed: "u >= min(q + 2, p), v >= q + 1, lambda >= q - 1",
    bounds: "exponents of (3.21)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

/// Method, stages, order, stage order.
const METHODS: [(&str, usize, usize, usize); 5] = [
    ("radau", 2, 3, 2),
    ("radau", 3, 5, 3),
    ("lobatto-iiic", 4, 6, 3),
    ("radau-ia", 3, 5, 2),
    ("radau-ia", 4, 7, 3),
];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let problem = find("pendulum/cash_g1")?;
    let (t, start) = (problem.start.t, start_of(&problem));
    for (name, s, p, q) in METHODS {
        let setting = Setting::classical(name, trial.stages_of(name, s))?.projection(Projection::Full);
        let setting = setting.multipliers(Multipliers::FromStages);
        let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
        for h in [0.2, 0.15, 0.125, 0.1, 0.075, 0.0625, 0.05] {
            let exact = solver_of(&problem).tolerance(1e-13).run(t, t + h, &start)?;
            let solver = solver_of(&problem).method(setting.method.clone()).options(setting.options(h));
            let step = solver.run(t, t + h, &start)?;
            let pairs = [(step.q(), exact.q()), (step.v(), exact.v()), (step.lambda(), exact.lambda())];
            for (curve, (found, known)) in curves.iter_mut().zip(pairs) {
                let error = found.iter().zip(known).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                curve.push((h, error));
            }
        }
        let orders = [p.min(q + 2), q + 1, q - 1];
        for ((quantity, order), points) in ["u", "v", "lambda"].into_iter().zip(orders).zip(curves) {
            let series = Series::fitted(format!("{name} s = {s}"), points, 1e-12);
            finding.slope(quantity, OrderAtLeast(order), "h", "local error", series);
        }
    }
    Ok(finding)
}
