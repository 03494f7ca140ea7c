//! (GE)_{h,eps}: global errors for epsilon > 0; (9): drift for epsilon > 0; and orbits of both forms for linear G.

use taut_problems::theory::Form;

use super::super::Expected::{AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{Method, PLATEAU, bdf, general, stiffly_accurate, with_memory_as_methods};
use crate::error::LabError;
use crate::experiment::{Graph, largest};

pub(super) const GLOBAL_ERRORS: Claim = Claim {
    id: "nipp-ge",
    paper: Paper::Nipp,
    statement: "For epsilon > 0 the global errors from the manifold are O(h^p) + O(eps h^(q+1)) in x and O(h^(q+1)) in y, with a_si = b_i \
                O(h^p) + O(eps h^q) in y; for multistep methods O(h^p) in both ((GE)_{h,eps}).",
    claimed: "orders p, q + 1 (or p) for eps << h; along eps = h^2/10 min(p, q + 3) in x, q + 1 (or min(p, q + 2)) in y",
    bounds: "exponents of the statement",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix, Mutant::Weights]),
    experiment: global_errors,
};

pub(super) const DRIFT: Claim = Claim {
    id: "nipp-9",
    paper: Paper::Nipp,
    statement: "For epsilon > 0 Runge-Kutta methods on the index-1 form change G(x) - eps y by O(h^(q+1)) only (9); with epsilon = 0 and \
                linear G stiffly accurate methods have the same orbits in the forms of index 1 and 2.",
    claimed: "change of G - eps y >= q + 1 in h; orbits alike to rounding",
    bounds: "order of (9); rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment: drift,
};

const STEPS: [f64; 6] = [0.1, 0.08, 0.0625, 0.05, 0.04, 0.025];

fn global_errors(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for method in general(trial)? {
        let (p, q) = (method.p, method.q);
        along(&mut finding, &method, ("eps = 1e-9", |_| 1e-9), [p, q + 1])?;
        along(&mut finding, &method, ("eps = h^2/10", |h| 0.1 * h * h), [p.min(q + 3), q + 1])?;
    }
    for method in stiffly_accurate(trial)? {
        let (p, q) = (method.p, method.q);
        along(&mut finding, &method, ("eps = 1e-9", |_| 1e-9), [p, p])?;
        along(&mut finding, &method, ("eps = h^2/10", |h| 0.1 * h * h), [p.min(q + 3), p.min(q + 2)])?;
    }
    for method in bdf(trial, 1..=4, false)?.into_iter().chain(with_memory_as_methods(trial, false)?) {
        along(&mut finding, &method, ("eps = 1e-9", |_| 1e-9), [method.p; 2])?;
        along(&mut finding, &method, ("eps = h^2/10", |h| 0.1 * h * h), [method.p; 2])?;
    }
    Ok(finding)
}

/// Checks the orders of errors of x and y where eps goes to zero with h in some way.
pub(super) fn along(
    finding: &mut Finding,
    method: &Method,
    (way, epsilon): (&str, fn(f64) -> f64),
    orders: [usize; 2],
) -> Result<(), LabError> {
    let mut curves = [Vec::new(), Vec::new()];
    for h in STEPS {
        let graph = Graph::attractive(epsilon(h));
        let errors = graph.errors(&graph.orbit(&method.scheme, h, 2.0, 0.0)?, 0.0);
        for (curve, error) in curves.iter_mut().zip(errors) {
            curve.push((h, error));
        }
    }
    for ((name, order), points) in ["x", "y"].into_iter().zip(orders).zip(curves) {
        let series = Series::fitted(format!("{}, {way}", method.name), points, PLATEAU);
        finding.slope(name, OrderAtLeast(order), "h", "error", series);
    }
    Ok(())
}

fn drift(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let epsilon = 1e-5;
    let graph = Graph::curved(Form::Perturbed(epsilon));
    for method in general(trial)?.iter().chain(&stiffly_accurate(trial)?) {
        let series = Series::measured(&method.name, &[0.2, 0.15, 0.1, 0.075, 0.05, 0.04], PLATEAU, |h| {
            let orbit = graph.orbit(&method.scheme, h, 6.0, 0.0)?;
            // From the second state on, which lies on the discrete manifold up to O(eps).
            let integral = |state: &[f64]| graph.constraint(state) - epsilon * state[2];
            let first = integral(&orbit.states[1]);
            Ok(largest(orbit.states[1..].iter().map(|state| integral(state) - first)))
        })?;
        finding.slope("change of G - eps y", OrderAtLeast(method.q + 1), "h", "change", series);
    }
    let forms = [Graph::plane(Form::Index1), Graph::plane(Form::Index2)];
    for method in stiffly_accurate(&Trial::FAIR)? {
        let [one, two] = [&forms[0], &forms[1]].map(|graph| graph.orbit(&method.scheme, 0.05, 2.0, 0.0));
        let (one, two) = (one?, two?);
        let pairs = one.states.iter().zip(&two.states);
        let apart = largest(pairs.flat_map(|(one, two)| (0..one.len() - 1).map(move |k| one[k] - two[k])));
        finding.check(&method.name, "distance of x in both forms", AtMost(1e-12), apart);
    }
    Ok(finding)
}
