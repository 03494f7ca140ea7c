//! Lemma 3.2: how far a step is projected.

use taut::equations::Layout;
use taut::options::Projection;
use taut_problems::find;

use super::super::Expected::OrderAtLeast;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::comparison::{solver_of, start_of};
use crate::error::LabError;
use crate::order::Setting;

pub(super) const CLAIM: Claim = Claim {
    id: "schropp-3.3",
    paper: Paper::Schropp,
    statement: "The multipliers of the projection (2.7) are small: mu_1, mu_2 = O(h^(q+1)) in a step from the \
                constraints (3.3).",
    claimed: "mu_1, mu_2 >= q + 1",
    bounds: "orders of (3.3)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

/// Method, number of stages, stage order, whether positions are moved.
const METHODS: [(&str, usize, usize, bool); 4] =
    [("radau", 2, 2, false), ("radau", 3, 3, false), ("radau-ia", 3, 2, true), ("radau-ia", 4, 3, true)];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for (name, s, q, moves) in METHODS {
        let steps = [0.1, 0.075, 0.05, 0.035, 0.025, 0.0175, 0.0125];
        let mu: Vec<[f64; 2]> =
            steps.iter().map(|&h| projected(name, trial.stages_of(name, s), h)).collect::<Result<_, _>>()?;
        let curve = |k: usize| {
            let points = steps.iter().zip(&mu).map(|(&h, mu)| (h, mu[k])).collect();
            Series::fitted(format!("{name} s = {s}"), points, 1e-13)
        };
        if moves {
            finding.slope("mu_1", OrderAtLeast(q + 1), "h", "|mu_1|", curve(0));
        }
        finding.slope("mu_2", OrderAtLeast(q + 1), "h", "|mu_2|", curve(1));
    }
    Ok(finding)
}

/// |mu_1| and |mu_2| of one step: u is moved by mu_1 and v by mu_2/h, along vectors of the size of G, which is 1.
fn projected(name: &str, s: usize, h: f64) -> Result<[f64; 2], LabError> {
    let problem = find("pendulum/cash_g1")?;
    let step = |projection: Projection| {
        let setting = Setting::classical(name, s)?.projection(projection);
        let solver = solver_of(&problem).method(setting.method.clone()).options(setting.options(h));
        solver.run(problem.start.t, problem.start.t + h, &start_of(&problem)).map_err(LabError::from)
    };
    let (before, after) = (step(Projection::None)?, step(Projection::Full)?);
    let layout = Layout::mechanical(2, 1);
    let moved = |places: std::ops::Range<usize>| {
        places.map(|k| (after.y[k] - before.y[k]).powi(2)).sum::<f64>().sqrt()
    };
    Ok([moved(layout.q()), h * moved(layout.v())])
}
