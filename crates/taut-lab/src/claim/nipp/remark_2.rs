//! Remark 2: stiffly accurate methods on systems of index 1.

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::methods::{global_errors, stiffly_accurate};
use crate::error::LabError;
use crate::experiment::{Graph, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-remark-2",
    paper: Paper::Nipp,
    statement: "With a_si = b_i the discrete manifold on index 1 is y = s_0(x) itself, reached in one step, and both x and \
                y have order p.",
    claimed: "y - s_0(x) = 0 after a step; x, y >= p",
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
    for method in stiffly_accurate(trial)? {
        let consistent = graph.orbit(&method.scheme, 0.05, 2.0, 0.0)?;
        let orbit = graph.orbit(&method.scheme, 0.05, 2.0, 0.3)?;
        let above = largest(orbit.states[1..].iter().map(|state| graph.above(state)));
        finding.check(&method.name, "y - s_0(x) after a step", AtMost(1e-14), above);
        let pairs = consistent.states.iter().zip(&orbit.states);
        let apart = largest(pairs.flat_map(|(one, other)| [one[0] - other[0], one[1] - other[1]]));
        finding.check(&method.name, "what y_0 does to x", AtMost(1e-14), apart);
        let steps = [0.2, 0.15, 0.1, 0.075, 0.05, 0.04, 0.025, 0.02];
        global_errors(&mut finding, &graph, &method, &steps, [method.p; 2])?;
    }
    Ok(finding)
}
