//! What the squeezer from bodies costs beside the one by hand, at equal error of its angles.
//!
//! Both run with each method at the same tolerances. Instructions are interpolated between runs, in logarithms, at errors that are
//! asked; a run that is more accurate than asked counts where it is the cheapest.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut_lab::{Comparison, solver_of, start_of};
use taut_problems::{Problem, find};
use taut_text::Model;

use crate::equal_error::{Run, at_error, counted_alone, counts, tolerances};
use crate::workloads::{Failure, model_named};

const METHODS: [&str; 4] = ["auto", "radau", "dopri8", "adams"];
/// Tolerances are these powers of the root of 10.
const POWERS: std::ops::RangeInclusive<i32> = -22..=-3;
const ERRORS: [f64; 4] = [1e-5, 1e-6, 1e-7, 1e-8];
/// Bodies may take so many times the instructions of functions by hand, with the method that is best for each.
const MOST: f64 = 2.0;

/// The two of them, until where the first has a reference.
struct Squeezers {
    by_hand: Problem,
    bodies: Model,
    until: f64,
    angles: Vec<f64>,
}

impl Squeezers {
    fn new() -> Result<Self, Failure> {
        let (by_hand, bodies) = (find("andrews")?, model_named("squeezer-bodies")?);
        let until = bodies.end.ok_or("the model has no end")?;
        let comparison = Comparison::at(&by_hand, until)?;
        let positions = comparison.groups().first().ok_or("no reference")?;
        let angles = positions.entries.iter().map(|(_, angle)| *angle).collect();
        Ok(Self { by_hand, bodies, until, angles })
    }

    fn run_by_hand(&self, method: &Method, tolerance: f64) -> Result<Motion, Failure> {
        let solver = solver_of(&self.by_hand).tolerance(tolerance).method(method.clone());
        Ok(solver.run(0.0, self.until, &start_of(&self.by_hand))?)
    }

    fn run_bodies(&self, method: &Method, tolerance: f64) -> Result<Motion, Failure> {
        let system = self.bodies.system.mechanism().ok_or("it is no mechanical system")?;
        let start = [self.bodies.start.q.as_slice(), &self.bodies.start.v].concat();
        let solver = Solver::mechanical(system).tolerance(tolerance).method(method.clone());
        Ok(solver.run(0.0, self.until, &start)?)
    }

    /// The root mean square of the errors of seven angles.
    fn error(&self, angles: &[f64]) -> f64 {
        let square = |(angle, exact): (&f64, &f64)| ((angle - exact) / (1.0 + exact.abs())).powi(2);
        let sum: f64 = angles.iter().zip(&self.angles).map(square).sum();
        (sum / self.angles.len() as f64).sqrt()
    }
}

/// The angles of the one by hand from those of the bodies, whose coordinates are x, y and the angle of each.
fn relative(q: &[f64]) -> [f64; 7] {
    let [k1, k2, k3, k4, k5, k6, k7] = std::array::from_fn(|body| q[3 * body + 2]);
    [k1, k2 - k1, k3, k4 - k5, k5, k6 - k7, k7]
}

/// Prints instructions at equal error, and says where bodies cost too much.
pub fn table() -> Result<(), Failure> {
    let squeezers = Squeezers::new()?;
    let mut runs = Vec::new();
    for method in METHODS {
        let counts = counts(&["bodies", method])?;
        let named = Method::named(method)?;
        let (mut by_hand, mut bodies) = (Vec::new(), Vec::new());
        for (tolerance, counts) in tolerances(POWERS).zip(counts.chunks_exact(2)) {
            let error = squeezers.error(&squeezers.run_by_hand(&named, tolerance)?.y);
            let error_of_bodies = squeezers.error(&relative(&squeezers.run_bodies(&named, tolerance)?.y));
            println!(
                "{method:8}{tolerance:>9.1e}   by hand {:8.3} M, error {error:7.1e}   bodies {:8.3} M, error {error_of_bodies:7.1e}",
                counts[0] * 1e-6,
                counts[1] * 1e-6
            );
            by_hand.push((error, counts[0]));
            bodies.push((error_of_bodies, counts[1]));
        }
        runs.push([by_hand, bodies]);
    }
    judge(&runs)
}

fn judge(runs: &[[Vec<Run>; 2]]) -> Result<(), Failure> {
    println!("bodies / by hand at equal error (million instructions)");
    let show = |name: &str, error: f64, [by_hand, bodies]: [f64; 2]| {
        let ratio = bodies / by_hand;
        println!("{name:8}{error:>7.0e}   {:7.3} / {:7.3} = {ratio:.3}", bodies * 1e-6, by_hand * 1e-6);
        ratio
    };
    let mut faults = Vec::new();
    for error in ERRORS {
        let mut best = [f64::INFINITY; 2];
        for (method, runs) in METHODS.iter().zip(runs) {
            let work = [0, 1].map(|which| at_error(&runs[which], error));
            show(method, error, work);
            best = [0, 1].map(|which| best[which].min(work[which]));
        }
        let ratio = show("best", error, best);
        // Not a number is too much, too.
        let within = ratio <= MOST;
        if !within {
            faults.push(format!(
                "the squeezer from bodies takes {ratio:.2} times the instructions at {error:.0e}"
            ));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Runs one method at all tolerances, by hand and from bodies, each counted alone: what this program does under callgrind.
pub fn run(method: &str) -> Result<(), Failure> {
    let method = Method::named(method)?;
    // Coefficients of methods are computed once, and storage is set up for the first run of a thread.
    let squeezers: &'static Squeezers = Box::leak(Box::new(Squeezers::new()?));
    for tolerance in tolerances(POWERS) {
        squeezers.run_by_hand(&method, tolerance)?;
        squeezers.run_bodies(&method, tolerance)?;
    }
    for tolerance in tolerances(POWERS) {
        let (one, two) = (method.clone(), method.clone());
        counted_alone(Box::new(move || {
            squeezers.run_by_hand(&one, tolerance).map(|motion| drop(std::hint::black_box(motion)))
        }))?;
        counted_alone(Box::new(move || {
            squeezers.run_bodies(&two, tolerance).map(|motion| drop(std::hint::black_box(motion)))
        }))?;
    }
    Ok(())
}
