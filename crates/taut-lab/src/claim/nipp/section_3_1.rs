//! Section 3.1 B.b: drift of multistep methods on the form of index 1.

use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::methods::{bdf, with_memory_as_methods};
use super::theorem_2::drift;
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-3.1-bb",
    paper: Paper::Nipp,
    statement: "On the index-1 form of an index-2 system multistep methods leave G(x) = 0 at most linearly in t, by \
                O(t h^p) (12), and not at all when G is linear.",
    claimed: "drift >= p in h, at most 1 in t; 0 for linear G",
    bounds: "orders of (12), 1 in t up to a tenth; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Weights]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for method in bdf(trial, 1..=4, false)?.iter().chain(&with_memory_as_methods(trial, false)?) {
        drift(&mut finding, method, method.p, &[0.1, 0.075, 0.05, 0.04, 0.025, 0.02, 0.0125, 0.01])?;
    }
    Ok(finding)
}
