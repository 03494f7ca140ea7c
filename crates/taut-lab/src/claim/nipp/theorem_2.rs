//! Theorem 2: drift of Runge-Kutta methods on the form of index 1.

use taut_problems::theory::Form;

use super::super::Expected::{AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{Method, PLATEAU, general, stiffly_accurate};
use crate::error::LabError;
use crate::experiment::{Graph, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-thm-2",
    paper: Paper::Nipp,
    statement: "On the index-1 form 0 = G_x f of an index-2 system Runge-Kutta methods leave G(x) = 0 at most linearly in t, \
                by O(t h^(q+1)), and not at all when G is linear.",
    claimed: "drift >= q + 1 in h, at most 1 in t; 0 for linear G",
    bounds: "orders of the theorem, 1 in t up to a tenth; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for method in general(trial)?.iter().chain(&stiffly_accurate(trial)?) {
        drift(&mut finding, method, method.q + 1, &[0.2, 0.15, 0.1, 0.075, 0.05, 0.04, 0.025])?;
    }
    finding.remarks.push("The bound is not sharp: the drift has the order p.".into());
    Ok(finding)
}

/// Checks the drift of G along orbits: its order in h, its growth in t, and its absence for linear G.
pub(super) fn drift(
    finding: &mut Finding,
    method: &Method,
    order: usize,
    steps: &[f64],
) -> Result<(), LabError> {
    let (curved, plane) = (Graph::curved(Form::Index1), Graph::plane(Form::Index1));
    let name = &method.name;
    let over = Series::measured(name, steps, PLATEAU, |h| {
        let orbit = curved.orbit(&method.scheme, h, 6.0, 0.0)?;
        Ok(largest(orbit.states.iter().map(|state| curved.constraint(state))))
    })?;
    finding.slope("drift", OrderAtLeast(order), "h", "|G|", over);
    let long = curved.orbit(&method.scheme, 0.05, 160.0, 0.0)?;
    let times = [160.0, 80.0, 40.0, 20.0];
    let growth = Series::measured(name, &times, 0.0, |until| {
        let early = long.timed().filter(|(t, _)| *t <= until);
        Ok(largest(early.map(|(_, state)| curved.constraint(state))))
    })?;
    finding.check(name, "growth in t", AtMost(1.1), growth.slope());
    finding.draw("drift in time", "t", "|G|", growth);
    let linear = plane.orbit(&method.scheme, 0.05, 20.0, 0.0)?;
    let off = largest(linear.states.iter().map(|state| plane.constraint(state)));
    finding.check(name, "drift for linear G", AtMost(1e-13), off);
    Ok(())
}
