//! Section 3.2 b: multistep methods on the form of index 2.

use taut_problems::theory::Form;

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{Method, bdf, stretched, with_memory, with_memory_as_methods};
use crate::error::LabError;
use crate::experiment::{Graph, Orbit, decay, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-3.2b",
    paper: Paper::Nipp,
    statement: "Multistep methods (19) on the index-2 form have the invariant manifold G(x) = 0, y = sigma_0(x, h), \
                O(h^p) from y = s_0(x); with beta = 0 it is reached at once, else at the rate max(rho_1, sigma_1).",
    claimed: "G = 0; distance of manifolds >= p; rates at most 0.5, 0.667",
    bounds: "rates rho_1 and sigma_1, order p; rounding",
    correction: Some(
        "Printed: for beta = 0 and G(x_i) = O(h^2) in the starting values |y_j - sigma_0| <= K h^p for j >= k in any case. \
         This needs starting values of x with errors O(h^(p+1)); from G(x_i) = h^2 the first y are off by O(h).",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Weights]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::curved(Form::Index2);
    for method in bdf(trial, 1..=5, true)? {
        attraction_at_once(&mut finding, &graph, &method)?;
        closeness(&mut finding, &graph, &method)?;
        if method.p > 1 {
            from_near(&mut finding, &graph, &method)?;
        }
    }
    for (method, coefficients) in with_memory_as_methods(trial, true)?.iter().zip(with_memory()?) {
        closeness(&mut finding, &graph, method)?;
        let [one, other] = [0.0, 1e-3].map(|above| graph.orbit(&method.scheme, 0.02, 2.0, above));
        let (one, other) = (one?, other?);
        let pairs = one.states.iter().zip(&other.states).skip(4);
        let apart: Vec<f64> = pairs.map(|(one, other)| graph.above(one) - graph.above(other)).collect();
        let rate = decay(&apart[..12], 1e-10);
        let (rho_1, sigma_1) = (coefficients.rho_1(), coefficients.sigma_1());
        finding.check(&method.name, "rate in y", AtMost(rho_1.max(sigma_1) + 0.02), rate);
        finding.check(&method.name, "rate in y, from sigma", Near(sigma_1, 0.05), rate);
    }
    Ok(finding)
}

/// G = 0 from the first step on, and nothing left of the starting values of y.
fn attraction_at_once(finding: &mut Finding, graph: &Graph, method: &Method) -> Result<(), LabError> {
    let [one, other] = [0.0, 0.3].map(|above| graph.orbit(&method.scheme, 0.05, 2.0, above));
    let (one, other) = (one?, other?);
    let k = method.scheme.memory();
    let off = largest(other.states[k..].iter().map(|state| graph.constraint(state)));
    finding.check(&method.name, "G", AtMost(1e-14), off);
    let pairs = one.states[k..].iter().zip(&other.states[k..]);
    let apart = largest(pairs.flat_map(|(one, other)| (0..3).map(move |i| one[i] - other[i])));
    finding.check(&method.name, "what y_0 does to x and y", AtMost(1e-12), apart);
    Ok(())
}

/// The order of y - s_0(x) from the first step on.
fn closeness(finding: &mut Finding, graph: &Graph, method: &Method) -> Result<(), LabError> {
    let steps = [0.1, 0.075, 0.05, 0.04, 0.025, 0.02, 0.0125];
    let series = Series::measured(&method.name, &steps, 1e-12, |h| {
        let orbit = graph.orbit(&method.scheme, h, 2.0, 0.0)?;
        Ok(largest(orbit.states.iter().map(|state| graph.above(state))))
    })?;
    finding.slope("distance of manifolds", OrderAtLeast(method.p), "h", "|σ - s|", series);
    Ok(())
}

/// The order of the largest y - s_0(x) from starting values with G = h².
fn from_near(finding: &mut Finding, graph: &Graph, method: &Method) -> Result<(), LabError> {
    let series = Series::measured(&method.name, &[0.05, 0.025, 0.0125, 0.00625, 0.003125], 1e-12, |h| {
        let starts = graph.starts(&method.scheme, h, 0.0);
        let moved = starts.iter().map(|state| stretched(state, h * h)).collect();
        let orbit = Orbit::from(&method.scheme, &graph.system, h, moved, 20)?;
        Ok(largest(orbit.states[starts.len()..].iter().map(|state| graph.above(state))))
    })?;
    finding.slope("order of y - s_0(x) from G = h^2", Near(1.0, 0.2), "h", "|y - s|", series);
    Ok(())
}
