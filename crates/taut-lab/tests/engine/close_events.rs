//! Pairs of events that are close to each other, in random motions of a pendulum and a double pendulum with rods.
//!
//! The judge shares neither equations nor arithmetic with the runs: the same motion in angles, in double-double numbers, at places
//! so close to one another that the value of the event has at most one extremum between two. What it counts are monotone pieces
//! whose ends have different signs.

use taut::Solver;
use taut::digits::{Digits, DigitsSystem};
use taut::method::Method;
use taut::run::Event;
use taut::system::number::{DoubleDouble, Scalar};
use taut::system::{Differentiated, Mass, Mechanical, MechanicalSystem};
use taut_problems::mechanics::{Chain, DoublePendulum};

/// Random numbers between 0 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// The pendulum in its angle.
struct Swing;

impl Mechanical for Swing {
    fn coordinates(&self) -> Vec<String> {
        vec!["theta".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        -q[0].cos()
    }
}

const END: f64 = 6.0;
/// The judge looks so often.
const PLACES: usize = 1500;

/// A motion and an event of it: the height of the last bob, or a sine of some multiple of that.
struct Case {
    links: usize,
    /// angles and their rates at the start
    angles: Vec<f64>,
    multiple: f64,
    tolerance: f64,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let links = 1 + (random.next() * 2.0) as usize;
        let mut angles: Vec<f64> = (0..links).map(|_| random.between(-2.0, 2.0)).collect();
        angles.extend((0..links).map(|_| random.between(-0.8, 0.8)));
        let multiple = [0.0, 0.0, 3.0, 10.0][(random.next() * 4.0) as usize];
        Case { links, angles, multiple, tolerance: 10.0_f64.powf(random.between(-12.0, -7.0)) }
    }

    /// The value of the event at a height.
    fn value(&self, height: f64) -> f64 {
        if self.multiple == 0.0 { height } else { (self.multiple * height).sin() }
    }

    /// Values of the event and their rates as the judge sees them.
    fn judged(&self) -> Vec<[f64; 2]> {
        let (swing, double) =
            (Differentiated::new(Swing), Differentiated::new(DoublePendulum { gravity: 1.0 }));
        let system: &dyn MechanicalSystem = if self.links == 1 { &swing } else { &double };
        let system =
            DigitsSystem::Mechanical(system.expansion().unwrap(), Box::new(system.structure().clone()));
        let times: Vec<DoubleDouble> =
            (0..=PLACES).map(|k| DoubleDouble::from(END) * k as f64 / PLACES as f64).collect();
        let start: Vec<DoubleDouble> = self.angles.iter().map(|&x| DoubleDouble::from(x)).collect();
        let motion =
            Digits::new(system, Vec::new(), 18).run(DoubleDouble::from(0.0), &start, &times).unwrap();
        let value = |state: &Vec<DoubleDouble>| {
            let (angles, rates) = state.split_at(self.links);
            let heights = angles.iter().map(|angle| -angle.value().cos());
            let rate: f64 =
                angles.iter().zip(rates).map(|(angle, rate)| angle.value().sin() * rate.value()).sum();
            let height: f64 = heights.sum();
            let slope =
                if self.multiple == 0.0 { 1.0 } else { self.multiple * (self.multiple * height).cos() };
            [self.value(height), slope * rate]
        };
        motion.states.iter().map(value).collect()
    }

    /// How often the event happens in the run.
    fn found(&self, level: f64) -> usize {
        let n = self.links;
        let mut start = vec![0.0; 4 * n];
        let (mut position, mut velocity) = ([0.0, 0.0], [0.0, 0.0]);
        for i in 0..n {
            let (angle, rate) = (self.angles[i], self.angles[n + i]);
            position = [position[0] + angle.sin(), position[1] - angle.cos()];
            velocity = [velocity[0] + rate * angle.cos(), velocity[1] + rate * angle.sin()];
            start[2 * i..2 * i + 2].copy_from_slice(&position);
            start[2 * n + 2 * i..2 * n + 2 * i + 2].copy_from_slice(&velocity);
        }
        let chain = Differentiated::new(Chain::<2> { links: n, mass: 1.0, length: 1.0, gravity: 1.0 });
        let event = Event::new("level", |_t, y| self.value(y[2 * n - 1]) - level);
        let solver = Solver::mechanical(&chain).method(Method::named("taylor").unwrap());
        solver.tolerance(self.tolerance).event(event).run(0.0, END, &start).unwrap().crossings.len()
    }
}

/// The extrema of a function between places, from values and rates there, with its values at both ends.
fn turns(values: &[[f64; 2]]) -> Vec<f64> {
    let width = END / PLACES as f64;
    let mut turns = vec![values[0][0]];
    for pair in values.windows(2) {
        let ([a, a_rate], [b, b_rate]) = (pair[0], pair[1]);
        if a_rate * b_rate < 0.0 {
            // Hermite's cubic, at the zero of its slope.
            let (p, q) = (a_rate * width, b_rate * width);
            let (third, second) = (2.0 * (a - b) + p + q, 3.0 * (b - a) - 2.0 * p - q);
            let root = (second * second - 3.0 * third * p).sqrt();
            let x = -p / (second + root.copysign(second));
            turns.push(a + x * (p + x * (second + x * third)));
        }
    }
    turns.push(values[values.len() - 1][0]);
    turns
}

/// Runs with an event just below or above an extremum; how many, and those in which some were missed.
fn missed(runs: usize, seed: u64) -> (usize, Vec<String>) {
    let mut random = Random(seed);
    let (mut looked_at, mut missed) = (0, Vec::new());
    while looked_at < runs {
        let case = Case::random(&mut random);
        let turns = turns(&case.judged());
        // An extremum among all, and a level a little inside of it; the motion of the run is wrong by some tolerances.
        let (choice, size) = (random.next(), random.next());
        if turns.len() < 3 {
            continue;
        }
        let k = 1 + (choice * (turns.len() - 2) as f64) as usize;
        let deepest = (2e4 * case.tolerance).max(1e-7);
        let depth = 0.03 * (deepest / 0.03).powf(size);
        let level = turns[k] + depth * (turns[k - 1] - turns[k]).signum();
        // Others may not be as close as errors are.
        if turns.iter().any(|turn| (turn - level).abs() < 0.5 * depth) {
            continue;
        }
        looked_at += 1;
        let expected = turns.windows(2).filter(|ends| (ends[0] - level) * (ends[1] - level) < 0.0).count();
        let found = case.found(level);
        if found != expected {
            let Case { links, multiple, tolerance, .. } = case;
            missed.push(format!(
                "{links} links, multiple {multiple}, depth {depth:.1e}, tolerance {tolerance:.1e}: {found} of {expected}"
            ));
        }
    }
    (looked_at, missed)
}

#[test]
fn no_event_of_two_hundred_runs_is_missed() {
    let (runs, missed) = missed(200, 1);
    assert!(missed.is_empty(), "{} of {runs}: {missed:#?}", missed.len());
}

/// The same in ten thousand runs: `cargo test --release --test engine ten_thousand -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn no_event_of_ten_thousand_runs_is_missed() {
    let (runs, missed) = missed(10_000, 2);
    assert!(missed.is_empty(), "{} of {runs}: {missed:#?}", missed.len());
}
