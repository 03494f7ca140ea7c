//! Section 3.2a, its end: Runge-Kutta methods that are not stiffly accurate on the form of index 2.

use taut_problems::theory::Form;

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{PLATEAU, general, stretched};
use crate::error::LabError;
use crate::experiment::{Graph, Orbit, decay, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-3.2a",
    paper: Paper::Nipp,
    statement: "Orbits of Runge-Kutta methods with |R(inf)| < 1 on the index-2 form, whether stiffly accurate or not, from \
                G(x) = O(h^2) draw exponentially to a manifold y = sigma_0(x, h) that is O(h^q) from y = s_0(x), as long as \
                G(x_j) = O(h^2).",
    claimed: "rate |R(inf)| = 0, 0, 0.732, 1/3; distance of manifolds >= q; G >= 2",
    bounds: "rates and orders of the statement; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

const STEPS: [f64; 6] = [0.04, 0.025, 0.02, 0.0125, 0.01, 0.00625];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::curved(Form::Index2);
    for method in general(trial)? {
        let name = &method.name;
        let orbit = |h: f64, above: f64| {
            let mut start = stretched(&graph.solution(0.0), h * h);
            start[2] += above;
            Orbit::from(&method.scheme, &graph.system, h, vec![start], (2.0 / h).round() as usize)
        };
        let (one, other) = (orbit(0.05, 0.0)?, orbit(0.05, 0.1)?);
        let heights: Vec<f64> = one.states.iter().zip(&other.states).map(|(a, b)| a[2] - b[2]).collect();
        match method.rate > 0.0 {
            true => finding.check(name, "rate", Near(method.rate, 1e-6), decay(&heights, 1e-8)),
            false => finding.check(name, "distance after a step", AtMost(1e-13), heights[1].abs()),
        }
        let late = |h: f64, part: &dyn Fn(&[f64]) -> f64| -> Result<f64, LabError> {
            Ok(largest(orbit(h, 0.0)?.timed().filter(|(t, _)| *t > 1.0).map(|(_, state)| part(state))))
        };
        let distance = Series::measured(name, &STEPS, PLATEAU, |h| late(h, &|state| graph.above(state)))?;
        finding.slope("distance of manifolds", OrderAtLeast(method.q), "h", "|σ - s|", distance);
        let off = Series::measured(name, &STEPS, PLATEAU, |h| late(h, &|state| graph.constraint(state)))?;
        finding.slope("G", OrderAtLeast(2), "h", "|G|", off);
    }
    Ok(finding)
}
