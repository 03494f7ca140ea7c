//! A pendulum from its formulas: where it is after ten seconds, how taut its rod is, and how well that is known.

#![allow(clippy::print_stdout)]

use taut::Solver;
use taut::system::{Differentiated, Scalar, Sketch};

fn main() -> Result<(), taut::Error> {
    let pendulum = Differentiated::new(
        Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81).rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0),
    );
    let start = [1.0, 0.0, 0.0, 0.0];
    let motion = Solver::mechanical(&pendulum).tolerance(1e-10).watch(true).run(0.0, 10.0, &start)?;

    println!("x = {:.10}, y = {:.10}", motion.q()[0], motion.q()[1]);
    println!("tension of the rod {:.6}", motion.lambda()[0]);
    println!("{} steps of {}", motion.statistics.accepted, motion.method);
    println!(
        "rod off by {:.1e}, energy by {:.1e}",
        motion.invariants.residuals[0], motion.invariants.energy_error
    );
    Ok(())
}
