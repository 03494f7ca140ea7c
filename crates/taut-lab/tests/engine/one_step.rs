//! Single steps against an independent implementation in extended precision.

use serde_json::Value;
use taut::Solver;
use taut::method::Method;
use taut::options::{Multipliers, Options, Projection};
use taut::system::{Differentiated, Scalar, Sketch};
use taut_lab::solver_of;
use taut_problems::find;

/// What u, v and λ may differ by. Rod, √(g l) and weight are 1, so that these are relative to what the pendulum is measured
/// in; the rounding of u·u − 1 enters λ divided by h², whatever its size after one step.
const CLOSE: [f64; 3] = [1e-13, 1e-13, 1e-12];

fn golden() -> Value {
    serde_json::from_str(include_str!("../../reference/one-step.json")).unwrap()
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap().parse().unwrap()).collect()
}

fn options(projection: Projection) -> Options {
    let mut options = Options {
        rtol: 1e-14,
        atol: 1e-14,
        constant_step: Some(0.1),
        projection: Some(projection),
        multipliers: Multipliers::FromStages,
        ..Options::default()
    };
    options.newton.most_iterations = 30;
    options
}

fn agree(label: &str, found: &[f64], group: &Value) {
    let mut found = found.iter();
    for (part, close) in ["u1", "v1", "lam1"].into_iter().zip(CLOSE) {
        for value in numbers(&group[part]) {
            let found = found.next().unwrap();
            let error = (found - value).abs();
            println!("{label} {part}: {found:.17e}, error {error:.1e}");
            assert!(error <= close, "{label} {part}: {found} and {value}");
        }
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
