//! Theorem 1: the invariant manifold of Runge-Kutta methods on systems of index 1.

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{Method, PLATEAU, general, global_errors};
use crate::error::LabError;
use crate::experiment::{Graph, decay, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-thm-1",
    paper: Paper::Nipp,
    statement: "Runge-Kutta methods with |R(inf)| < 1 in the direct form (I)_{h,0} on index 1 have (i) an invariant \
                manifold y = sigma_0(x, h), (ii) attractive at the rate |R(inf)|, (iii) with vertical fibres, (iv) \
                O(h^(q+1)) from y = s_0(x); (v) x has order p and y order q + 1.",
    claimed: "rate |R(inf)| = 0, 0, 0.732, 1/3; distance and y >= q + 1; x >= p",
    bounds: "rates and orders of the theorem; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

/// Steps for orders.
const STEPS: [f64; 6] = [0.1, 0.05, 0.04, 0.025, 0.02, 0.0125];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::attractive(0.0);
    for method in general(trial)? {
        let name = method.name.clone();
        finding.check(&name, "(i) defect of invariance", AtMost(1e-12), invariance(&graph, &method)?);
        let (rate, first, apart) = attraction(&graph, &method)?;
        if method.rate > 0.0 {
            finding.check(&name, "(ii) rate", Near(method.rate, 1e-6), rate);
        } else {
            finding.check(&name, "(ii) distance after a step", AtMost(1e-14), first);
        }
        finding.check(&name, "(iii) distance of x", AtMost(1e-13), apart);
        let distance = Series::measured(&name, &STEPS, PLATEAU, |h| {
            let orbit = graph.orbit(&method.scheme, h, 2.0, 0.0)?;
            let late = orbit.timed().filter(|(t, _)| *t > 1.0);
            Ok(largest(late.map(|(_, state)| graph.above(state))))
        })?;
        finding.slope("(iv) distance of manifolds", OrderAtLeast(method.q + 1), "h", "|σ - s|", distance);
        global_errors(&mut finding, &graph, &method, &STEPS, [method.p, method.q + 1])?;
    }
    Ok(finding)
}

/// How far the image of (x, σ(x)) is from (x̄, σ(x̄)).
fn invariance(graph: &Graph, method: &Method) -> Result<f64, LabError> {
    let (h, depth) = (0.02, 100);
    let guess = graph.solution(0.0);
    let x = &graph.solution(depth as f64 * h)[..2];
    let sigma = graph.discrete_height(&method.scheme, h, x, depth, &guess[..2])?;
    let image = method.scheme.step(&graph.system, h, &[[x, &[sigma]].concat()])?;
    let other = graph.discrete_height(&method.scheme, h, &image[..2], depth, &graph.solution(h)[..2])?;
    Ok((image[2] - other).abs())
}

/// The rate at which two orbits with the same x come together, their distance after one step, that of their x.
fn attraction(graph: &Graph, method: &Method) -> Result<(f64, f64, f64), LabError> {
    let (h, until) = (0.05, 2.0);
    let one = graph.orbit(&method.scheme, h, until, 0.0)?;
    let other = graph.orbit(&method.scheme, h, until, 0.1)?;
    let pairs: Vec<(&Vec<f64>, &Vec<f64>)> = one.states.iter().zip(&other.states).collect();
    let distances: Vec<f64> = pairs.iter().map(|(one, other)| one[2] - other[2]).collect();
    let apart = largest(pairs.iter().flat_map(|(one, other)| [one[0] - other[0], one[1] - other[1]]));
    Ok((decay(&distances, 1e-8), distances[1].abs(), apart))
}
