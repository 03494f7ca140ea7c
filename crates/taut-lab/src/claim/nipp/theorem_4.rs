//! Theorem 4: the invariant manifold of stiffly accurate methods on the form of index 2.

use taut_problems::theory::Form;

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{Method, PLATEAU, stiffly_accurate, stretched};
use crate::error::LabError;
use crate::experiment::{Graph, largest, newton};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-thm-4",
    paper: Paper::Nipp,
    statement: "Stiffly accurate Runge-Kutta methods on the index-2 form have (i) an invariant manifold G(x) = 0, \
                y = sigma_0(x, h), (ii) reached in one step from |G(x)| <= gamma h^2, (iii) with vertical fibres, (iv) \
                O(h^q) from y = s_0(x).",
    claimed: "G = 0 and y = sigma_0(x) after a step; distance of manifolds >= q",
    bounds: "orders of the theorem; rounding",
    correction: Some(
        "Printed: one step from |G(x)| <= gamma h^2 gives y = sigma_0(x, h) exactly. It gives G(x) = 0 exactly, but y is \
         off the manifold by O(h) unless G vanished before the step: the proof uses the map (16), which keeps G(x), not \
         (13), which makes it zero. Lobatto IIIC takes the offset up in its first multiplier and holds as printed. From the second step on y = sigma_0(x, h).",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Weights]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::curved(Form::Index2);
    for method in stiffly_accurate(trial)? {
        let name = &method.name;
        let h = 0.05;
        let [one, other] = [0.0, 0.3].map(|above| graph.orbit(&method.scheme, h, 2.0, above));
        let (one, other) = (one?, other?);
        let off = largest(other.states[1..].iter().map(|state| graph.constraint(state)));
        finding.check(name, "(i) G", AtMost(1e-14), off);
        let pairs = one.states[1..].iter().zip(&other.states[1..]);
        let apart = largest(pairs.flat_map(|(one, other)| (0..3).map(move |k| one[k] - other[k])));
        finding.check(name, "(iii) what y_0 does to x and y", AtMost(1e-12), apart);
        let on = from_near(&graph, &method, h, 0.0)?;
        finding.check(name, "(ii) y - sigma_0(x) after a step from G = 0", AtMost(1e-12), on.distance[0]);
        let near = from_near(&graph, &method, h, h * h)?;
        finding.check(name, "(ii) G after a step from G = h^2", AtMost(1e-14), near.constraint);
        finding.check(
            name,
            "(ii) y - sigma_0(x) after two steps from G = h^2",
            AtMost(1e-12),
            near.distance[1],
        );
        let steps = [0.1, 0.05, 0.025, 0.0125, 0.00625];
        let first = Series::measured(name, &steps, PLATEAU, |h| {
            Ok(from_near(&graph, &method, h, h * h)?.distance[0])
        })?;
        if method.absorbs_offsets {
            let distance = largest(first.points.iter().map(|point| point.1));
            finding.check(name, "(ii) y - sigma_0(x) after a step from G = h^2", AtMost(1e-12), distance);
        } else {
            finding.slope("(ii) order of y - sigma_0(x) after a step", Near(1.0, 0.2), "h", "|y - σ|", first);
        }
        let closeness =
            Series::measured(name, &[0.1, 0.075, 0.05, 0.04, 0.025, 0.02, 0.0125], PLATEAU, |h| {
                let orbit = graph.orbit(&method.scheme, h, 2.0, 0.0)?;
                Ok(largest(orbit.states.iter().map(|state| graph.above(state))))
            })?;
        finding.slope("(iv) distance of manifolds", OrderAtLeast(method.q), "h", "|σ - s|", closeness);
    }
    Ok(finding)
}

/// What two steps from near the constraint give.
struct TwoSteps {
    /// |G| after one step
    constraint: f64,
    /// |y - σ_0(x)| after one and two steps
    distance: [f64; 2],
}

fn from_near(graph: &Graph, method: &Method, h: f64, off: f64) -> Result<TwoSteps, LabError> {
    // From t = 1, away from where the first variable is stationary.
    let start = stretched(&graph.solution(1.0), off);
    let first = method.scheme.step(&graph.system, h, &[start])?;
    let second = method.scheme.step(&graph.system, h, std::slice::from_ref(&first))?;
    let distance =
        [off_manifold(graph, method, h, &first, 1.0)?, off_manifold(graph, method, h, &second, 1.0 + h)?];
    Ok(TwoSteps { constraint: graph.constraint(&first).abs(), distance })
}

/// |y - σ_0(x)|: σ_0(x) is y after a step from the point of G = 0 that leads to x, which is found along the motion.
fn off_manifold(graph: &Graph, method: &Method, h: f64, state: &[f64], about: f64) -> Result<f64, LabError> {
    let image = |t: f64| method.scheme.step(&graph.system, h, &[graph.solution(t)]);
    let t = newton(vec![about], |t, residual, matrix| {
        let (here, there) = (image(t[0])?, image(t[0] + DIFFERENCE)?);
        residual[0] = here[0] - state[0];
        matrix[0] = (there[0] - here[0]) / DIFFERENCE;
        Ok(())
    })?;
    Ok((image(t[0])?[2] - state[2]).abs())
}

const DIFFERENCE: f64 = 1e-7;
