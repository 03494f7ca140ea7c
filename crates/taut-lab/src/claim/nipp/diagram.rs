//! Figures 4 and 6: discretising and letting epsilon go to zero may be exchanged.

use taut_problems::theory::Form;

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{Method, bdf, general, stiffly_accurate};
use crate::error::LabError;
use crate::experiment::{Graph, decay, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-diagram",
    paper: Paper::Nipp,
    statement: "Results for index 1 are those for singular perturbations with epsilon = 0 (Fig. 4): sigma(x, h, eps) -> \
                sigma_0(x, h), rate |R(inf)| + O(eps/h), fibres of steepness O(eps), sigma - s = O(eps h^q) with \
                a_si = b_i and O(eps h^p) for multistep methods; for linear G all keep G(x) - eps y.",
    claimed: "1 in eps; q and p in h; G - eps y constant",
    bounds: "exponents of the statement; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

const EPSILONS: [f64; 5] = [1e-3, 3e-4, 1e-4, 3e-5, 1e-5];
const H: f64 = 0.05;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for method in &general(trial)? {
        limits(&mut finding, method)?;
        first_integral(&mut finding, method)?;
    }
    for method in stiffly_accurate(trial)?.iter().chain(&bdf(trial, 1..=4, false)?) {
        closeness(&mut finding, method)?;
        first_integral(&mut finding, method)?;
    }
    Ok(finding)
}

/// Manifold, rate and fibres tend to those of ε = 0 linearly.
fn limits(finding: &mut Finding, method: &Method) -> Result<(), LabError> {
    let name = &method.name;
    let depth = 80;
    let height = |epsilon: f64| {
        let graph = Graph::attractive(epsilon);
        let guess = graph.solution(0.0);
        graph.discrete_height(&method.scheme, H, &graph.solution(depth as f64 * H)[..2], depth, &guess[..2])
    };
    let zero = height(0.0)?;
    let manifold = Series::measured(name, &EPSILONS, 1e-12, |epsilon| Ok((height(epsilon)? - zero).abs()))?;
    finding.slope("sigma - sigma_0 in eps", Near(1.0, 0.1), "ε", "|σ - σ_0|", manifold);
    let fibre = Series::measured(name, &EPSILONS, 1e-12, |epsilon| Ok(together(method, epsilon)?.1))?;
    finding.slope("steepness of fibres in eps", Near(1.0, 0.1), "ε", "distance of x", fibre);
    let rate = Series::measured(name, &EPSILONS, 1e-9, |epsilon| {
        Ok((together(method, epsilon)?.0 - method.rate).abs())
    })?;
    finding.slope("rate - |R(inf)| in eps", Near(1.0, 0.1), "ε", "rate - |R(∞)|", rate);
    Ok(())
}

/// What is left after a step of a small distance of two y over the same x, relative to it; and how far x moves apart.
fn together(method: &Method, epsilon: f64) -> Result<(f64, f64), LabError> {
    let graph = Graph::attractive(epsilon);
    let [one, other] = [0.0, 1e-3].map(|above| graph.orbit(&method.scheme, H, 2.0, above));
    let (one, other) = (one?, other?);
    let pairs: Vec<(&Vec<f64>, &Vec<f64>)> = one.states.iter().zip(&other.states).collect();
    let distances: Vec<f64> =
        pairs.iter().map(|(one, other)| graph.above(one) - graph.above(other)).collect();
    let apart = largest(pairs.iter().flat_map(|(one, other)| [one[0] - other[0], one[1] - other[1]]));
    let rate = if method.rate > 0.0 { decay(&distances[..8], 0.0) } else { distances[1].abs() / 1e-3 };
    Ok((rate, apart))
}

/// σ - s = O(ε h^q), or O(ε h^p) for multistep methods.
fn closeness(finding: &mut Finding, method: &Method) -> Result<(), LabError> {
    let name = &method.name;
    let distance = |epsilon: f64, h: f64| {
        let graph = Graph::attractive(epsilon);
        let orbit = graph.orbit(&method.scheme, h, 2.0, 0.0)?;
        let late = orbit.timed().filter(|(t, _)| *t > 1.0);
        Ok(largest(late.map(|(_, state)| graph.above(state))))
    };
    let in_epsilon = Series::measured(name, &EPSILONS, 1e-14, |epsilon| distance(epsilon, H))?;
    finding.slope("sigma - s in eps", Near(1.0, 0.1), "ε", "|σ - s|", in_epsilon);
    let in_h = Series::measured(name, &[0.1, 0.075, 0.05, 0.04, 0.025], 1e-14, |h| distance(1e-5, h))?;
    finding.slope("sigma - s in h", OrderAtLeast(method.q), "h", "|σ - s|", in_h);
    Ok(())
}

/// For linear G, G(x) - ε y stays what it was (section 3.1).
fn first_integral(finding: &mut Finding, method: &Method) -> Result<(), LabError> {
    let epsilon = 1e-3;
    let graph = Graph::plane(Form::Perturbed(epsilon));
    let orbit = graph.orbit(&method.scheme, H, 5.0, 0.0)?;
    let integral = |state: &[f64]| graph.constraint(state) - epsilon * state[3];
    // Starting values of a multistep method do not have the same G - ε y: from the last of them on it must tend to a
    // constant as the parasitic roots decay.
    let settled = &orbit.states[orbit.states.len() / 2..];
    let first = integral(&settled[0]);
    let change = largest(settled.iter().map(|state| integral(state) - first));
    finding.check(&method.name, "change of G - eps y", AtMost(1e-13), change);
    Ok(())
}
