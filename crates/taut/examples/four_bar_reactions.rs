//! A four-bar linkage whose crank turns at a constant rate: the force that this takes, and the forces in the bars.
//!
//! Crank and rocker are pinned to the ground at (0, 0) and (4, 0); the coupler joins their ends, where the masses are.
//! The drive is one more constraint, which holds the end of the crank beside a line that turns with the time. Multipliers
//! are what constraints do to the motion.

#![allow(clippy::print_stdout)]

use taut::Solver;
use taut::run::Output;
use taut::system::{Differentiated, Scalar, Sketch};

const CRANK: f64 = 1.0;
const COUPLER: f64 = 4.0;
const ROCKER: f64 = 3.0;
const GROUND: f64 = 4.0;
/// How fast the crank turns.
const RATE: f64 = 2.0;

fn main() -> Result<(), taut::Error> {
    let linkage = Differentiated::new(
        Sketch::new(["x1", "y1", "x2", "y2"])
            .potential(|q| (q[1] + q[3]) * 9.81)
            .rod("crank", |_t, q| q[0].hypot(q[1]) - CRANK)
            .rod("coupler", |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - COUPLER)
            .rod("rocker", |_t, q| (q[2] - GROUND).hypot(q[3]) - ROCKER)
            .rod("drive", |t, q| q[1] * (t * RATE).cos() - q[0] * (t * RATE).sin()),
    );
    // A rough start is enough: the nearest one that satisfies all constraints is found, velocities included.
    let start = [1.0, 0.0, 4.5, 3.0, 0.0, 2.0, 0.0, 0.0];
    let turn = std::f64::consts::TAU / RATE;
    let motion = Solver::mechanical(&linkage)
        .tolerance(1e-8)
        .output(Output::Samples { first: 0.0, last: turn, count: 13 })
        .run(0.0, turn, &start)?;

    println!("    t   in crank  in coupler  in rocker   torque of the drive");
    for (t, state) in motion.trajectory.iter() {
        let (_, _, lambda) = motion.layout.split(state);
        // The drive pushes across the crank, with its length as lever.
        println!(
            "{t:5.2} {:10.3} {:11.3} {:10.3} {:21.3}",
            lambda[0],
            lambda[1],
            lambda[2],
            -lambda[3] * CRANK
        );
    }
    Ok(())
}
