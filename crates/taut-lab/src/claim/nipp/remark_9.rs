//! Remark 9: global errors of stiffly accurate methods on the form of index 2.

use taut_problems::theory::Form;

use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::methods::{global_errors, stiffly_accurate};
use crate::error::LabError;
use crate::experiment::Graph;

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-remark-9",
    paper: Paper::Nipp,
    statement: "Stiffly accurate Runge-Kutta methods on the index-2 form have order q + 1 at least in x and q in y.",
    claimed: "x >= q + 1, y >= q",
    bounds: "orders of the remark",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graphs = [Graph::curved(Form::Index2), Graph::plane(Form::Index2)];
    for graph in &graphs {
        for method in stiffly_accurate(trial)? {
            let steps = [0.1, 0.075, 0.05, 0.04, 0.025, 0.02, 0.0125];
            global_errors(&mut finding, graph, &method, &steps, [method.q + 1, method.q])?;
        }
    }
    Ok(finding)
}
