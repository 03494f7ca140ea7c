//! A pendulum on a spring, stiffer and stiffer: the steps are those of the rod, whatever the stiffness.

#![allow(clippy::print_stdout)]

use taut::Solver;
use taut::system::{Differentiated, Scalar, Sketch};

fn main() -> Result<(), taut::Error> {
    println!("  stiffness  steps            x            y");
    for stiffness in [1e6, 1e9, 1e12, 1e15, f64::INFINITY] {
        let pendulum = Differentiated::new(Sketch::new(["x", "y"]).potential(|q| q[1]).spring(
            "spring",
            1.0 / stiffness,
            |_t, q| q[0].hypot(q[1]) - 1.0,
        ));
        let motion = Solver::mechanical(&pendulum).tolerance(1e-7).run(0.0, 10.0, &[0.8, -0.6, 0.0, 0.0])?;
        let (steps, q) = (motion.statistics.accepted, motion.q());
        println!("{stiffness:11.0e} {steps:6} {:12.7} {:12.7}", q[0], q[1]);
    }
    Ok(())
}
