//! Remark 1: manifolds of the flow that repel.

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::global_errors::along;
use super::methods::{general, stiffly_accurate};
use crate::error::LabError;
use crate::experiment::{Graph, decay};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-remark-1",
    paper: Paper::Nipp,
    statement: "Where g_y has eigenvalues with positive real part the flow repels from M_eps, but with h >> eps the manifold of a method \
                attracts all the same, at the rate |R(inf)| + O(eps/h), and global errors are those of the attractive case for \
                solutions on M_eps (remark 1 ii).",
    claimed: "rate |R(inf)|; orders p, q + 1 (or p) for eps << h; along eps = h^2/10 min(p, q + 3) in x, q + 1 (or min(p, q + 2)) in y",
    bounds: "rates and exponents of the statements; 10 eps/h for \"O(eps/h)\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix, Mutant::Weights]),
    experiment,
};

/// What y_0 does to x by O(eps) is left of heights.
const ABOVE_REST: f64 = 1e-3;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    // The attractive system with a negative eps: the manifold is the same function of eps, and repels.
    let (epsilon, h) = (1e-6, 0.05);
    let graph = Graph::attractive(-epsilon);
    let mut above = graph.solution(0.0);
    above[2] += 0.1;
    let pushed = -graph.system.rate(&above)?[2] / epsilon;
    finding.check("flow", "y' above the manifold", AtLeast(1.0), pushed);
    let stiffly_accurate = stiffly_accurate(trial)?;
    let methods = general(trial)?.into_iter().map(|method| (method, false));
    for (method, accurate) in methods.chain(stiffly_accurate.into_iter().map(|method| (method, true))) {
        let (p, q) = (method.p, method.q);
        let [one, other] = [0.0, 0.1].map(|above| graph.orbit(&method.scheme, h, 2.0, above));
        let (one, other) = (one?, other?);
        let heights: Vec<f64> = one.states.iter().zip(&other.states).map(|(a, b)| a[2] - b[2]).collect();
        let small = 10.0 * epsilon / h;
        match method.rate > 0.0 {
            true => {
                finding.check(&method.name, "rate", Near(method.rate, small), decay(&heights, ABOVE_REST))
            }
            false => {
                finding.check(&method.name, "rate of a step", AtMost(small), (heights[1] / heights[0]).abs())
            }
        }
        let of_y = if accurate { [p, p.min(q + 2)] } else { [q + 1; 2] };
        along(&mut finding, &method, ("eps = -1e-9", |_| -1e-9), [p, of_y[0]])?;
        along(&mut finding, &method, ("eps = -h^2/10", |h| -0.1 * h * h), [p.min(q + 3), of_y[1]])?;
    }
    Ok(finding)
}
