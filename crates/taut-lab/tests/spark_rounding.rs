//! Long runs: rounding errors of a SPARK step do not add up to a trend.
#![allow(clippy::unwrap_used)]

use taut::Solver;
use taut::method::Method;
use taut::run::Output;
use taut::system::{Differentiated, Scalar, Sketch};
use taut_tableau::number::DoubleDouble;

/// A number of about 32 digits.
type Exact = DoubleDouble;

fn exact(x: f64) -> Exact {
    Exact::from(x)
}

/// RATTLE for the pendulum with unit mass, length and gravity and the constraint (x² + y² − 1)/2, in closed form.
struct Rattle {
    q: [Exact; 2],
    v: [Exact; 2],
}

impl Rattle {
    fn step(&mut self, h: Exact) {
        let (half, one) = (exact(0.5), exact(1.0));
        let gravity = [exact(0.0), exact(-1.0)];
        // q₁ = u − m q₀ with m = h²λ/2: m² |q₀|² − 2 m u·q₀ + |u|² − 1 = 0
        let free: [Exact; 2] = [0, 1].map(|k| self.v[k] + h * half * gravity[k]);
        let u: [Exact; 2] = [0, 1].map(|k| self.q[k] + h * free[k]);
        let dot = |a: &[Exact; 2], b: &[Exact; 2]| a[0] * b[0] + a[1] * b[1];
        let (uq, qq, rest) = (dot(&u, &self.q), dot(&self.q, &self.q), dot(&u, &u) - one);
        let m = rest / (uq + (uq * uq - qq * rest).sqrt());
        let q: [Exact; 2] = [0, 1].map(|k| u[k] - m * self.q[k]);
        let middle: [Exact; 2] = [0, 1].map(|k| free[k] - m * self.q[k] / h);
        let v: [Exact; 2] = [0, 1].map(|k| middle[k] + h * half * gravity[k]);
        let along = dot(&v, &q) / dot(&q, &q);
        (self.q, self.v) = (q, [0, 1].map(|k| v[k] - along * q[k]));
    }
}

/// A hundred thousand steps against the same map with 32 digits: the phase differs by what a random walk of errors far
/// below the rounding error of the state gives, and the energy does not drift away.
#[test]
fn rattle_stays_with_exact_arithmetic() {
    const STEPS: usize = 100_000;
    let (h, start) = (0.01, [0.6, -0.8, 0.4, 0.3]);
    let pendulum = Sketch::new(["x", "y"])
        .potential(|q| q[1])
        .rod("rod", |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5);
    let pendulum = Differentiated::new(pendulum);
    let solver = Solver::mechanical(&pendulum).method(Method::named("rattle").unwrap()).step(h);
    let motion = solver.output(Output::Steps).run(0.0, STEPS as f64 * h, &start).unwrap();
    let first: Vec<f64> = motion.trajectory.iter().next().unwrap().1.to_vec();
    let mut map = Rattle { q: [0, 1].map(|k| exact(first[k])), v: [2, 3].map(|k| exact(first[k])) };
    let energy = |q: [Exact; 2], v: [Exact; 2]| (v[0] * v[0] + v[1] * v[1]) * exact(0.5) + q[1];
    let (mut state, mut energies) = (0.0_f64, Vec::new());
    for (_, y) in motion.trajectory.iter().skip(1) {
        map.step(exact(h));
        for k in 0..2 {
            state = state.max((exact(y[k]) - map.q[k]).to_f64().abs());
            state = state.max((exact(y[2 + k]) - map.v[k]).to_f64().abs());
        }
        let mine = energy([exact(y[0]), exact(y[1])], [exact(y[2]), exact(y[3])]);
        energies.push((mine - energy(map.q, map.v)).to_f64());
    }
    let half = energies.len() / 2;
    let mean = |energies: &[f64]| energies.iter().sum::<f64>() / energies.len() as f64;
    let drift = mean(&energies[half..]) - mean(&energies[..half]);
    println!("largest difference {state:.2e}, drift of the energy {drift:.2e}");
    assert!(state < 3e-13, "largest difference {state:.2e}");
    assert!(drift.abs() < 1e-16, "drift of the energy {drift:.2e}");
}
