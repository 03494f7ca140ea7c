//! Remark 3: backward differentiation on systems of index 1.

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::methods::{bdf, global_errors};
use crate::error::LabError;
use crate::experiment::{Graph, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-remark-3",
    paper: Paper::Nipp,
    statement: "With beta_0 = ... = beta_(k-1) = 0 a multistep method on index 1 has y_j = s_0(x_j) for j >= k whatever \
                the starting values of y, which do not touch x; x and y have order p.",
    claimed: "y - s_0(x) = 0 for j >= k; x, y >= k for k = 1, ..., 5",
    bounds: "orders of the remark; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Weights]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::attractive(0.0);
    for method in bdf(trial, 1..=5, false)? {
        let consistent = graph.orbit(&method.scheme, 0.05, 2.0, 0.0)?;
        let orbit = graph.orbit(&method.scheme, 0.05, 2.0, 0.3)?;
        let after = &orbit.states[method.scheme.memory()..];
        let above = largest(after.iter().map(|state| graph.above(state)));
        finding.check(&method.name, "y - s_0(x), j >= k", AtMost(1e-14), above);
        let pairs = consistent.states.iter().zip(&orbit.states);
        let apart = largest(pairs.flat_map(|(one, other)| [one[0] - other[0], one[1] - other[1]]));
        // What y_0 ... y_(k-1) do to x passes through h β_i f(x_i, y_i), and β_i = 0.
        finding.check(&method.name, "what y_0 does to x", AtMost(1e-13), apart);
        let steps = [0.04, 0.025, 0.02, 0.0125, 0.01, 0.008];
        global_errors(&mut finding, &graph, &method, &steps, [method.p; 2])?;
    }
    Ok(finding)
}
