//! Events of multipliers are located as exactly as those of positions.
#![allow(clippy::unwrap_used)]

use taut::Solver;
use taut::method::Method;
use taut::run::{Direction, Event};
use taut::system::{Differentiated, Scalar, Sketch};

/// From rest at height y₀ on a unit circle, v² = 2g(y₀ − y), and the rod begins to push where v² = g y: at y = 2y₀/3.
#[test]
fn a_rod_begins_to_push_where_it_has_to() {
    let pendulum = Differentiated::new(
        Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81).rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0),
    );
    for name in ["auto", "dopri8", "radau", "bdf", "adams"] {
        for tolerance in [1e-5, 1e-8] {
            let pushed = Event::new("pushed", |_t, y| y[4]).direction(Direction::Falling).ends_after(3);
            let motion = Solver::mechanical(&pendulum)
                .method(Method::named(name).unwrap())
                .tolerance(tolerance)
                .event(pushed)
                .run(0.0, 100.0, &[0.6, 0.8, 0.0, 0.0])
                .unwrap();
            assert_eq!(motion.crossings.len(), 3, "{name}");
            for crossing in &motion.crossings {
                let error = (crossing.y[1] - 1.6 / 3.0).abs();
                assert!(error < 100.0 * tolerance, "{name} at {tolerance:.0e}: {error:.1e}");
            }
        }
    }
}
