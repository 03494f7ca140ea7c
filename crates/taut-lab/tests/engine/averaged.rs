//! Vibrations of springs with energy in them, averaged, against the same vibrations followed.

use taut::Error;
use taut::Solver;
use taut::method::Method;
use taut::options::{Options, Vibrations};
use taut::system::{Differentiated, ForceClass, Scalar, Sketch};

/// Two unit masses on two springs, one below the other, with compliances eps^2 and `ratio` eps^2, in weak gravity.
fn two_springs(epsilon: f64, ratio: f64) -> Sketch {
    let c = epsilon * epsilon;
    Sketch::new(["x1", "y1", "x2", "y2"])
        .potential(|q| q[1] + q[3])
        .spring("upper", c, |_t, q| q[0].hypot(q[1]) - 1.0)
        .spring("lower", ratio * c, |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
}

/// At the angles 0.4 and 1.5 from below, unstretched, moving along and across both springs.
fn start() -> Vec<f64> {
    let [(s1, c1), (s2, c2)] = [0.4_f64, 1.5].map(f64::sin_cos);
    vec![s1, -c1, s1 + s2, -c1 - c2, 1.2 * s1, -1.2 * c1, 2.0 * s2 + 0.3, -2.0 * c2 + 0.2]
}

fn end(sketch: Sketch, method: &str, vibrations: Vibrations, until: f64) -> Result<Vec<f64>, Error> {
    let options = Options { rtol: 1e-8, atol: 1e-8, vibrations, ..Options::default() };
    let system = Differentiated::new(sketch);
    let solver = Solver::mechanical(&system).method(Method::named(method).unwrap()).options(options);
    Ok(solver.run(0.0, until, &start())?.q().to_vec())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
}

#[test]
fn averaged_vibrations_move_everything_else_as_followed_ones_do() {
    let mut last = f64::INFINITY;
    for epsilon in [0.01, 0.005, 0.0025] {
        let run =
            |method: &str, vibrations| end(two_springs(epsilon, 0.25), method, vibrations, 2.0).unwrap();
        let followed = run("dopri8", Vibrations::Follow);
        let averaged = distance(&run("radau", Vibrations::Averaged), &followed);
        let damped = distance(&run("radau", Vibrations::Damp), &followed);
        assert!(averaged < 5.0 * epsilon && averaged < 0.7 * last, "{epsilon}: {averaged}");
        assert!(damped > 0.1, "{epsilon}: {damped}");
        last = averaged;
    }
}

#[test]
fn what_cannot_be_averaged_is_refused() {
    let run = |sketch: Sketch, method: &str| {
        end(sketch, method, Vibrations::Averaged, 2.0).unwrap_err().to_string()
    };
    let friction = two_springs(0.005, 0.25).force(ForceClass::Dissipative, 0, |_t, _q, v| -(v[0] * 0.1));
    let friction = run(friction, "radau");
    assert!(friction.contains("friction"), "{friction}");
    // At the angle 1.1 between these springs the one frequency is twice the other.
    let resonant = run(two_springs(0.005, 0.605), "radau");
    assert!(resonant.contains("resonance"), "{resonant}");
    let explicit = run(two_springs(0.005, 0.25), "dopri8");
    assert!(explicit.contains("damp vibrations"), "{explicit}");
}
