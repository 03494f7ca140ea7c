//! Errors of a stiff spring between two rods over stiffness, damping, tolerance and angle of the start, in tolerances:
//!
//! `cargo run --release -p taut-lab --example spring_sweep -- [method] [k=1e3,1e4] [zeta=0,1] [tol=1e-6] [angle=0]`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use taut::Error;
use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::run::Output;
use taut_lab::experiment::{BetweenRods, largest_error};

const END: f64 = 3.0;
/// Errors of positions are asked to be below so many tolerances.
const ASKED: f64 = 30.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = |name: &str, usual: &[f64]| -> Result<Vec<f64>, std::num::ParseFloatError> {
        let given = arguments.iter().find_map(|given| given.strip_prefix(name)?.strip_prefix('='));
        given.map_or(Ok(usual.to_vec()), |list| list.split(',').map(str::parse).collect())
    };
    let method = arguments.iter().find(|given| !given.contains('='));
    let method = Method::named(method.map_or("radau", String::as_str))?;
    let tolerances = list("tol", &[1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10])?;
    let angles = list("angle", &[0.0, 0.7, -0.6])?;
    let mut worst = [0.0_f64; 2];
    let mut beyond = 0;
    println!("k zeta angle: for each tolerance, errors of positions/velocities in tolerances (steps)");
    for stiffness in list("k", &[1e3, 3e3, 1e4, 1e5, 3e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e12])? {
        for zeta in list("zeta", &[0.0, 0.1, 1.0, 3.0, 10.0])? {
            for angle in &angles {
                let mut line = Line { spring: BetweenRods::new(stiffness, zeta), known: None };
                print!("{stiffness:e} {zeta} {angle}:");
                for tolerance in &tolerances {
                    let (told, errors) = line.measure(&method, *angle, *tolerance)?;
                    worst = [worst[0].max(errors[0]), worst[1].max(errors[1])];
                    beyond += usize::from(errors[0] > ASKED);
                    print!("  {told}");
                }
                println!();
            }
        }
    }
    let [positions, velocities] = worst;
    println!("worst: {positions:.1} in positions, {velocities:.1} in velocities; {beyond} beyond {ASKED}");
    Ok(())
}

/// One line of the table.
struct Line {
    spring: BetweenRods,
    /// the start that a reference was found for, and the reference
    known: Option<(Vec<f64>, Vec<f64>)>,
}

impl Line {
    /// What is printed of one run, and the errors of positions and velocities in tolerances.
    fn measure(&mut self, method: &Method, angle: f64, tolerance: f64) -> Result<(String, [f64; 2]), Error> {
        let options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
        let system = self.spring.mechanism();
        let solver =
            Solver::mechanical(&system).method(method.clone()).options(options).output(Output::Steps);
        let motion = match solver.run(0.0, END, &BetweenRods::at_rest(angle)) {
            Err(Error::Stopped { motion, reason }) => {
                eprintln!("{reason}");
                return Ok((format!("stopped {:.2}", motion.t), [0.0; 2]));
            }
            motion => motion?,
        };
        let used = &motion.trajectory.state(0)[..12];
        let exact = match self.known.take() {
            Some((start, exact)) if start == used => exact,
            _ => self.spring.reference(used, END)?,
        };
        let errors = [(motion.q(), &exact[..6]), (motion.v(), &exact[6..])];
        let errors = errors.map(|(x, exact)| largest_error(x, exact) / tolerance);
        self.known = Some((used.to_vec(), exact));
        // How the spring was treated, by first letters: smooth, creeping, damped, followed.
        let treated: String = motion.spring_spans.iter().take(4).map(|span| &span.motion[..1]).collect();
        Ok((format!("{:.1}/{:.1} ({}{treated})", errors[0], errors[1], motion.statistics.steps), errors))
    }
}
