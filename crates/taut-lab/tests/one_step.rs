//! Single steps against an independent implementation in extended precision.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use taut::Solver;
use taut::method::Method;
use taut::options::{Multipliers, Options, Projection};
use taut::system::{Differentiated, Scalar, Sketch};
use taut_lab::solver_of;
use taut_problems::find;

/// Relative to the largest entry of each part of the state.
const CLOSE: f64 = 1e-13;

/// Multipliers are found by dividing the rounding of u·u − 1 by h²; that is small against the weight, which is 1, not
/// against the multiplier, which is 0.002 after this step.
const CLOSE_TO_WEIGHT: f64 = 1e-13;

fn golden() -> Value {
    serde_json::from_str(include_str!("../reference/one-step.json")).unwrap()
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap().parse().unwrap()).collect()
}

fn options(projection: Projection) -> Options {
    let mut options = Options {
        rtol: 1e-13,
        atol: 1e-13,
        constant_step: Some(0.1),
        projection: Some(projection),
        multipliers: Multipliers::FromStages,
        ..Options::default()
    };
    options.newton.most_iterations = 30;
    options
}

fn agree(label: &str, found: &[f64], group: &Value) {
    let expected = ["u1", "v1", "lam1"].map(|part| numbers(&group[part]));
    let size = |part: &[f64]| part.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let allowed = [CLOSE * size(&expected[0]), CLOSE * size(&expected[1]), CLOSE_TO_WEIGHT];
    let entries = expected.iter().zip(allowed).flat_map(|(part, allowed)| part.iter().map(move |x| (x, allowed)));
    for (place, (value, allowed)) in entries.enumerate() {
        let error = (found[place] - value).abs();
        println!("{label} entry {place}: {:.17e}, error {error:.1e}, allowed {allowed:.1e}", found[place]);
        assert!(error <= allowed, "{label} entry {place}: {} and {value}", found[place]);
    }
}

fn steps() -> Vec<(&'static str, usize, Projection)> {
    vec![
        ("classical", 2, Projection::None),
        ("classical", 3, Projection::None),
        ("projected", 3, Projection::Velocity),
        ("projected", 3, Projection::Full),
    ]
}

/// In the variables of the paper: u' = v, v' = (−2 u1 λ, −1 − 2 u2 λ), 0 = u·u − 1.
#[test]
fn hessenberg_form() {
    let golden = &golden()["schropp_pendulum"];
    let problem = find("schropp_pendulum").unwrap();
    for (kind, s, projection) in steps() {
        let method = Method::radau().with_stages(s).unwrap();
        let solver = solver_of(&problem).method(method).options(options(projection));
        let motion = solver.run(0.0, 0.1, &[1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let label = format!("hessenberg {kind} s = {s} {}", projection.name());
        agree(&label, &motion.y, &golden[kind][format!("RadauIIA{s}/rest")]);
    }
}

/// As a mechanical system with the same constraint, so that the multiplier is the same.
#[test]
fn mechanical_form() {
    let golden = &golden()["schropp_pendulum"];
    let sketch = Sketch::new(["x", "y"])
        .potential(|q| q[1] * 1.0)
        .rod("rod", |_t, q| q[0].square() + q[1].square() - 1.0);
    let pendulum = Differentiated::new(sketch);
    for (kind, s, projection) in steps() {
        let method = Method::radau().with_stages(s).unwrap();
        let solver = Solver::mechanical(&pendulum).method(method).options(options(projection));
        let motion = solver.run(0.0, 0.1, &[1.0, 0.0, 0.0, 0.0]).unwrap();
        let label = format!("mechanical {kind} s = {s} {}", projection.name());
        agree(&label, &motion.y, &golden[kind][format!("RadauIIA{s}/rest")]);
    }
}
