//! Events of multipliers are located as exactly as those of positions.

use taut::Solver;
use taut::method::Method;
use taut::run::{Direction, Event};
use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar, Sketch};

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

struct Pendulum;

impl Mechanical for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1]
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("rod")]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() - 1.0) * 0.5;
    }
}

/// The time from one turning point to the next, by the arithmetic-geometric mean.
fn half_period(amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::PI / a
}

/// A pendulum that is let go passes a height just below its turning points twice each time, however close that is; inside a long
/// step both are found.
#[test]
fn close_pairs_of_events_are_not_missed() {
    let pendulum = Differentiated::new(Pendulum);
    let mut seed = 12345_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let methods = ["taylor", "taylor", "dopri8", "radau", "adams", "bdf", "dopri5"];
    for run in 0..280_u32 {
        let method = methods[run as usize % methods.len()];
        let (amplitude, below, turns) =
            (0.3 + 2.5 * random(), 10.0_f64.powf(-1.5 - 4.0 * random()), 1 + run % 4);
        let (x, y) = (amplitude.sin(), -amplitude.cos());
        let motion = Solver::mechanical(&pendulum)
            .method(Method::named(method).unwrap())
            .tolerance(10.0_f64.powf(-9.0 - 2.0 * random()))
            .event(Event::new("height", |_t, state| state[1] - y + below))
            .run(0.0, (f64::from(turns) + 0.5) * half_period(amplitude), &[x, y, 0.0, 0.0])
            .unwrap();
        assert_eq!(motion.crossings.len(), 1 + 2 * turns as usize, "{method}: {amplitude} {below:e}");
    }
}
