//! When does a pendulum swing through its lowest point, and when does its rod begin to push instead of pull?

#![allow(clippy::print_stdout)]

use taut::Solver;
use taut::run::{Direction, Event};
use taut::system::{Differentiated, Scalar, Sketch};

fn main() -> Result<(), taut::Error> {
    let pendulum = Differentiated::new(
        Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81).rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0),
    );
    // The state of a mechanical system is (q, v, lambda): here x, y, x', y' and the tension of the rod.
    let lowest = Event::new("lowest point", |_t, y| y[0]).ends_after(3);
    let pushed = Event::new("rod is pushed", |_t, y| y[4]).direction(Direction::Falling);
    let start = [0.6, 0.8, 0.0, 0.0];
    let motion =
        Solver::mechanical(&pendulum).tolerance(1e-10).event(lowest).event(pushed).run(0.0, 100.0, &start)?;

    for crossing in &motion.crossings {
        println!(
            "t = {:.10}  {:<14} x = {:8.5}, y = {:8.5}",
            crossing.t, crossing.event, crossing.y[0], crossing.y[1]
        );
    }
    println!("stopped at t = {:.10}: {:?}", motion.t, motion.stop);
    Ok(())
}
