//! Remark 11: global errors of backward differentiation on the form of index 2.

use taut_problems::theory::Form;

use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::methods::{bdf, global_errors};
use crate::error::LabError;
use crate::experiment::Graph;

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-remark-11",
    paper: Paper::Nipp,
    statement: "Multistep methods (19) with beta = 0 on the index-2 form have order p in x and in y.",
    claimed: "x, y >= k for k = 1, ..., 5",
    bounds: "order p of the remark",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Weights]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for method in bdf(trial, 1..=5, true)? {
        let steps = [0.05, 0.04, 0.025, 0.02, 0.0125, 0.01, 0.008];
        global_errors(&mut finding, &Graph::curved(Form::Index2), &method, &steps, [method.p; 2])?;
    }
    Ok(finding)
}
