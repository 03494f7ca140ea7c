//! Section 2.2: multistep methods on systems of index 1.

use taut_tableau::Multistep;

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{PLATEAU, global_errors, with_memory, with_memory_as_methods};
use crate::error::LabError;
use crate::experiment::{Graph, Orbit, Scheme, decay, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-2.2",
    paper: Paper::Nipp,
    statement: "Strictly and stiffly stable multistep methods keep the manifold M_0 of an index-1 system, draw to it at the \
                rate max(rho_1, sigma_1), and have order p; starting values of y off M_0 disturb x by O(h).",
    claimed: "M_{h,0} = M_0; rates at most 0.5, 0.667; x, y >= p = 2",
    bounds: "rates rho_1 and sigma_1 of the coefficients, order p; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Weights]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::attractive(0.0);
    let steps = [0.05, 0.04, 0.025, 0.02, 0.0125, 0.01];
    for (method, coefficients) in with_memory_as_methods(trial, false)?.iter().zip(with_memory()?) {
        let (name, rates) = (&method.name, (coefficients.rho_1(), coefficients.sigma_1()));
        let on = graph.orbit(&method.scheme, 0.05, 2.0, 0.0)?;
        finding.check(
            name,
            "y - s_0(x) on M_0",
            AtMost(1e-13),
            largest(on.states.iter().map(|state| graph.above(state))),
        );
        let off = graph.orbit(&method.scheme, 0.05, 2.0, 1e-3)?;
        let above: Vec<f64> = off.states.iter().skip(3).map(|state| graph.above(state)).collect();
        let rate = decay(&above, 1e-11);
        finding.check(name, "rate in y", AtMost(rates.0.max(rates.1) + 0.01), rate);
        finding.check(name, "rate in y, from sigma", Near(rates.1, 0.01), rate);
        if rates.0 > 0.0 {
            finding.check(name, "rate in x, from rho", Near(rates.0, 0.01), parasitic(&graph, coefficients)?);
        }
        let disturbed = Series::measured(name, &steps, PLATEAU, |h| {
            let [one, other] = [0.0, 0.1].map(|above| graph.orbit(&method.scheme, h, 2.0, above));
            let (one, other) = (one?, other?);
            let pairs = one.states.iter().zip(&other.states);
            Ok(largest(pairs.flat_map(|(one, other)| [one[0] - other[0], one[1] - other[1]])))
        })?;
        finding.slope("what y_0 does to x", OrderAtLeast(1), "h", "difference", disturbed);
        global_errors(&mut finding, &graph, method, &steps, [method.p; 2])?;
    }
    Ok(finding)
}

/// The rate at which a disturbed starting value of x is forgotten, with steps so short that nothing else happens.
fn parasitic(graph: &Graph, coefficients: Multistep) -> Result<f64, LabError> {
    let scheme = Scheme::multistep(coefficients);
    let h = 1e-7;
    let mut starts = graph.starts(&scheme, h, 0.0);
    let one = Orbit::from(&scheme, &graph.system, h, starts.clone(), 14)?;
    starts[1][0] += 0.1;
    let other = Orbit::from(&scheme, &graph.system, h, starts, 14)?;
    let apart: Vec<f64> =
        one.states.iter().zip(&other.states).map(|(one, other)| other[0] - one[0]).collect();
    let changes: Vec<f64> = apart.windows(2).skip(1).map(|two| two[1] - two[0]).collect();
    Ok(decay(&changes, 1e-5))
}
