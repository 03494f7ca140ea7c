//! Long runs: rounding errors of a SPARK step do not add up to a trend.

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::run::{Observer, Output, View};
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

/// Goes along with a run and with the map, and keeps how far they are apart.
struct Companion {
    map: Rattle,
    h: Exact,
    /// the largest difference of a position or velocity
    largest: f64,
    /// the differences of the energies, summed over each of so many parts of the run
    parts: Vec<f64>,
    steps_in_part: usize,
    /// the squares of these differences, summed over the steps from 2ᵏ to 2ᵏ⁺¹
    octaves: Vec<f64>,
    steps: usize,
}

const PARTS: usize = 10;

impl Companion {
    /// The mean squares of the differences of the energies in the octaves that are complete.
    fn mean_squares(&self) -> Vec<f64> {
        let complete = self.octaves.len().saturating_sub(1);
        self.octaves[..complete].iter().enumerate().map(|(k, sum)| sum / f64::from(1 << k)).collect()
    }
}

/// The exponent with which the root of mean squares grows with the number of steps, fitted over octaves from `first` on.
fn growth(mean_squares: &[f64], first: usize) -> f64 {
    let points: Vec<(f64, f64)> = mean_squares
        .iter()
        .enumerate()
        .skip(first)
        .map(|(k, square)| (k as f64, 0.5 * square.log2()))
        .collect();
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    covariance / points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>()
}

fn energy(q: [Exact; 2], v: [Exact; 2]) -> Exact {
    (v[0] * v[0] + v[1] * v[1]) * exact(0.5) + q[1]
}

impl Observer for Companion {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.map.step(self.h);
        let (q, v) = ([0, 1].map(|k| exact(view.y[k])), [2, 3].map(|k| exact(view.y[k])));
        for k in 0..2 {
            self.largest = self.largest.max((q[k] - self.map.q[k]).to_f64().abs());
            self.largest = self.largest.max((v[k] - self.map.v[k]).to_f64().abs());
        }
        let difference = (energy(q, v) - energy(self.map.q, self.map.v)).to_f64();
        self.parts[self.steps / self.steps_in_part] += difference / self.steps_in_part as f64;
        self.steps += 1;
        let octave = self.steps.ilog2() as usize;
        if self.octaves.len() == octave {
            self.octaves.push(0.0);
        }
        self.octaves[octave] += difference * difference;
        true
    }
}

const START: [f64; 4] = [0.6, -0.8, 0.4, 0.3];

/// So many steps of RATTLE, and of the same map with 32 digits.
fn compare(steps: usize, start: [f64; 4]) -> Companion {
    let h = 0.01;
    let pendulum = Sketch::new(["x", "y"])
        .potential(|q| q[1])
        .rod("rod", |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5);
    let pendulum = Differentiated::new(pendulum);
    let solver = || Solver::mechanical(&pendulum).method(Method::named("rattle").unwrap()).step(h);
    let one = solver().run(0.0, h, &start).unwrap();
    let begin = one.start.unwrap();
    let map = Rattle { q: [0, 1].map(|k| exact(begin.q[k])), v: [0, 1].map(|k| exact(begin.v[k])) };
    let mut companion = Companion {
        map,
        h: exact(h),
        largest: 0.0,
        parts: vec![0.0; PARTS],
        steps_in_part: steps / PARTS,
        octaves: Vec::new(),
        steps: 0,
    };
    let solver =
        solver().options(Options { most_steps: usize::MAX, constant_step: Some(h), ..Options::default() });
    solver.output(Output::End).run_with(0.0, steps as f64 * h, &start, &mut companion).unwrap();
    assert_eq!(companion.steps, steps);
    println!("{steps} steps: largest difference {:.1e}, energies {:?}", companion.largest, companion.parts);
    companion
}

/// A hundred thousand steps: the state differs by what a random walk of errors far below the rounding error of the state
/// gives, and the energy does not drift away.
#[test]
fn rattle_stays_with_exact_arithmetic() {
    let companion = compare(100_000, START);
    assert!(companion.largest < 3e-13, "largest difference {:.2e}", companion.largest);
    let (first, second) = companion.parts.split_at(PARTS / 2);
    let mean = |parts: &[f64]| parts.iter().sum::<f64>() / parts.len() as f64;
    let drift = mean(second) - mean(first);
    assert!(drift.abs() < 1e-16, "drift of the energy {drift:.2e}");
}

/// Rounding errors of the energy grow like a random walk, √N after N steps, and not like a trend, N.
#[test]
fn rounding_errors_of_the_energy_are_a_random_walk() {
    const RUNS: usize = 16;
    let mut squares = vec![0.0; 12];
    for run in 0..RUNS {
        let angle: f64 = 0.3 + 0.1 * run as f64;
        let start = [angle.sin(), -angle.cos(), 0.5 * angle.cos(), 0.5 * angle.sin()];
        let companion = compare(4100, start);
        squares.iter_mut().zip(companion.mean_squares()).for_each(|(sum, square)| *sum += square);
    }
    let exponent = growth(&squares, 4);
    println!("exponent {exponent:.2}");
    assert!(exponent < 0.75, "rounding errors grow with the exponent {exponent:.2}");
}

/// Ten million steps: the energies differ by a random walk, u h √N for N steps, and not by a trend, which would be u h N.
/// Takes four minutes: `cargo test --release -p taut-lab --test engine spark_rounding -- --ignored`.
#[test]
#[ignore = "takes four minutes in a release build"]
fn ten_million_steps_of_rattle_stay_with_exact_arithmetic() {
    const STEPS: usize = 10_000_000;
    let companion = compare(STEPS, START);
    let walk = 0.5 * f64::EPSILON * 0.01 * (STEPS as f64).sqrt();
    for (part, difference) in companion.parts.iter().enumerate() {
        assert!(difference.abs() < 10.0 * walk, "energy in part {part}: {difference:.1e}, walk {walk:.1e}");
    }
    let squares = companion.mean_squares();
    let exponent = growth(&squares, 4);
    let last = squares.last().copied().unwrap_or_default().sqrt();
    println!("exponent {exponent:.2}, last octave {last:.1e}");
}
