//! What the tests of SPARK methods share.
#![allow(dead_code)]

use taut::method::Method;
use taut::motion::Motion;
use taut::system::Differentiated;
use taut::{Error, Solver};
use taut_problems::mechanics::Pendulum;

/// The SPARK method with s stages.
pub fn spark(stages: usize) -> Method {
    Method::named("spark").and_then(|method| method.with_stages(stages)).unwrap()
}

/// The pendulum with unit mass, length and gravity.
pub fn pendulum() -> Differentiated<Pendulum> {
    Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 })
}

/// A start of the pendulum in the middle of its motion.
pub const SWINGING: [f64; 4] = [0.6, -0.8, 0.4, 0.3];

/// The largest difference of two vectors.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The errors of q, v and λ.
pub fn errors(motion: &Motion, exact: &Motion) -> [f64; 3] {
    [
        distance(motion.q(), exact.q()),
        distance(motion.v(), exact.v()),
        distance(motion.lambda(), exact.lambda()),
    ]
}

/// A motion; when it stops early, why, without what was computed until then.
pub fn run(solver: &Solver<'_>, t: f64, until: f64, start: &[f64]) -> Motion {
    let motion = solver.run(t, until, start).map_err(|error| match error {
        Error::Stopped { reason, .. } => reason.to_string(),
        other => other.to_string(),
    });
    motion.unwrap()
}
