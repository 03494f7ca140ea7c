//! Stiff springs: steps that do not depend on their stiffness, starts that do not vibrate.

use taut::Solver;
use taut::linear::Choice;
use taut::motion::{Motion, Statistics};
use taut::options::{Options, Projection, Vibrations};
use taut::start::{StartError, smooth_start};
use taut::system::{Constraint, Differentiated, Mass, Mechanical, Number, Scalar, Sketch};
use taut_problems::mechanics::StiffSpringPendulum;

/// Pendulums one below the other on springs (or rods, ε = 0) of length 1, in the plane.
struct SpringChain {
    links: usize,
    epsilon: f64,
}

impl Mechanical for SpringChain {
    fn coordinates(&self) -> Vec<String> {
        (1..=self.links).flat_map(|i| [format!("x{i}"), format!("y{i}")]).collect()
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.iter().skip(1).step_by(2).fold(S::zero(), |sum, y| sum + *y)
    }
    fn constraints(&self) -> Vec<Constraint> {
        let square = self.epsilon * self.epsilon;
        (1..=self.links).map(|i| Constraint::spring(format!("link {i}"), square)).collect()
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        for (i, g) in g.iter_mut().enumerate() {
            let above = |k: usize| if i == 0 { S::zero() } else { q[2 * i - 2 + k] };
            *g = (q[2 * i] - above(0)).hypot(q[2 * i + 1] - above(1)) - 1.0;
        }
    }
}

impl SpringChain {
    /// Stretched out at an angle, at rest, every link longer by `off` times ε.
    fn start(&self, off: f64) -> Vec<f64> {
        let (sine, cosine) = 0.5_f64.sin_cos();
        let length = 1.0 + off * self.epsilon;
        let positions =
            (1..=self.links).flat_map(|i| [i as f64 * length * sine, -(i as f64) * length * cosine]);
        positions.chain(std::iter::repeat_n(0.0, 2 * self.links)).collect()
    }
}

fn work(count: Statistics) -> [usize; 3] {
    [count.steps, count.jacobians, count.newton_iterations]
}

/// Asserts that each number of `now` is at most `most` times that of the rigid system.
#[track_caller]
fn assert_no_more_than(most: f64, now: [usize; 3], rigid: [usize; 3], what: &str) {
    for (now, rigid) in now.into_iter().zip(rigid) {
        assert!(now as f64 <= most * rigid as f64, "{what}: {now} instead of {rigid}");
    }
}

fn pendulum_run(epsilon: f64, start: &[f64], options: Options) -> Motion {
    let system = Differentiated::new(SpringChain { links: 1, epsilon });
    Solver::mechanical(&system)
        .method(taut::method::Method::radau())
        .options(options)
        .run(0.0, 10.0, start)
        .unwrap()
}

const STIFFNESSES: [f64; 9] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

#[test]
fn a_pendulum_takes_as_many_steps_as_if_its_spring_were_a_rod() {
    for start in [[1.0, 0.0, 0.0, 0.0], [0.6, -0.8, 0.4, 0.3]] {
        let rigid = work(pendulum_run(0.0, &start, Options::default()).statistics);
        for epsilon in STIFFNESSES {
            let smooth = Options { smooth_start: Some(2), ..Options::default() };
            let motion = pendulum_run(epsilon, &start, smooth);
            assert_no_more_than(1.1, work(motion.statistics), rigid, &format!("epsilon {epsilon:e}"));
            let stretched = [start[0] * (1.0 + epsilon), start[1] * (1.0 + epsilon), start[2], start[3]];
            let motion = pendulum_run(epsilon, &stretched, Options::default());
            assert_no_more_than(1.3, work(motion.statistics), rigid, &format!("off by epsilon {epsilon:e}"));
        }
    }
}

#[test]
fn so_does_a_chain_of_ten() {
    let run = |epsilon: f64, off: f64| {
        let chain = SpringChain { links: 10, epsilon };
        let start = chain.start(off);
        let system = Differentiated::new(chain);
        Solver::mechanical(&system).method(taut::method::Method::radau()).run(0.0, 10.0, &start).unwrap()
    };
    let rigid = run(0.0, 0.0);
    for epsilon in [1e-3, 1e-4, 1e-6, 1e-8, 1e-10] {
        let what = format!("epsilon {epsilon:e}");
        assert_no_more_than(1.1, work(run(epsilon, 0.0).statistics), work(rigid.statistics), &what);
        assert_no_more_than(1.3, work(run(epsilon, 1.0).statistics), work(rigid.statistics), &what);
    }
}

#[test]
fn results_are_continuous_where_a_spring_becomes_a_rod() {
    let start = [0.6, -0.8, 0.4, 0.3];
    let rigid = pendulum_run(0.0, &start, Options::default());
    let stiff = pendulum_run(1e-9, &start, Options::default());
    for (a, b) in rigid.y.iter().zip(&stiff.y) {
        assert!((a - b).abs() < 1e-11, "{a} and {b}");
    }
}

#[test]
fn the_tolerance_is_the_error_also_for_springs() {
    let start = [0.6, -0.8, 0.4, 0.3];
    for epsilon in [1e-1, 3e-2, 1e-2, 1e-3] {
        let run = |rtol: f64, vibrations: Vibrations| {
            let options =
                Options { rtol, atol: rtol, vibrations, smooth_start: Some(3), ..Options::default() };
            pendulum_run(epsilon, &start, options)
        };
        let reference = run(1e-12, Vibrations::Follow);
        for rtol in [1e-4, 1e-6, 1e-8] {
            let motion = run(rtol, Vibrations::Auto);
            let error = |a: &[f64], b: &[f64]| {
                a.iter().zip(b).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max) / rtol
            };
            let (q, v) = (error(motion.q(), reference.q()), error(motion.v(), reference.v()));
            assert!(q < 10.0 && v < 100.0, "epsilon {epsilon}, tolerance {rtol}: {q} and {v} tolerances");
        }
    }
}

#[test]
fn vibrations_are_followed_where_they_are_slow_or_asked_for() {
    let start = [1.01, 0.0, 0.0, 0.0];
    let options = |vibrations, rtol| Options { rtol, atol: rtol, vibrations, ..Options::default() };
    let reference = pendulum_run(1e-2, &start, options(Vibrations::Follow, 1e-11));
    let followed = pendulum_run(1e-2, &start, options(Vibrations::Follow, 1e-7));
    assert!((followed.v()[0] - reference.v()[0]).abs() < 1e-5);
    let damped = pendulum_run(1e-2, &start, options(Vibrations::Damp, 1e-7));
    assert!((damped.v()[0] - reference.v()[0]).abs() > 1e-3);
    assert!(damped.statistics.steps * 3 < followed.statistics.steps);
}

#[test]
fn constant_steps_damp_what_they_do_not_resolve_without_projection_too() {
    let start = [1.0 + 1e-4, 0.0, 0.0, 0.0];
    let options =
        Options { constant_step: Some(0.05), projection: Some(Projection::None), ..Options::default() };
    let motion = pendulum_run(1e-4, &start, options);
    let length = motion.q()[0].hypot(motion.q()[1]) - 1.0;
    assert!((length - 1e-8 * motion.lambda()[0]).abs() < 1e-9, "stretched by {length:e}");
}

/// Coefficients of ε⁰, ε², ε⁴, ε⁶ of a smooth start of the pendulum, from starts at 8 compliances.
fn expansion() -> [[f64; 4]; 4] {
    let nodes: Vec<f64> = (1..=8).map(|k| 4e-3 * f64::from(k)).collect();
    let starts: Vec<Vec<f64>> = nodes
        .iter()
        .map(|c| {
            let system = Differentiated::new(SpringChain { links: 1, epsilon: c.sqrt() });
            let start = smooth_start(&system, 0.0, &[0.6, -0.8], &[0.4, 0.3], 3, Choice::Auto).unwrap();
            [start.q, start.v].concat()
        })
        .collect();
    // Newton's divided differences, then the coefficients of the polynomial.
    std::array::from_fn(|component| {
        let mut differences: Vec<f64> = starts.iter().map(|start| start[component]).collect();
        for level in 1..nodes.len() {
            for k in (level..nodes.len()).rev() {
                differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - level]);
            }
        }
        let mut polynomial = vec![0.0; nodes.len()];
        for k in (0..nodes.len()).rev() {
            for j in (1..nodes.len()).rev() {
                polynomial[j] = polynomial[j - 1] - nodes[k] * polynomial[j];
            }
            polynomial[0] = differences[k] - nodes[k] * polynomial[0];
        }
        std::array::from_fn(|j| polynomial[j])
    })
}

#[test]
fn a_smooth_start_has_the_known_expansion() {
    let known = [
        [0.6, 0.63, -0.4455, 0.39555],
        [-0.8, -0.84, 0.594, -0.5274],
        [0.4, -0.54, -0.891, -2.4786],
        [0.3, 0.72, 1.188, 3.3048],
    ];
    for (found, known) in expansion().iter().zip(&known) {
        for (order, (found, known)) in found.iter().zip(known).enumerate() {
            let tolerance = [1e-12, 1e-9, 1e-6, 1e-3][order];
            assert!((found - known).abs() < tolerance, "order {order}: {found} instead of {known}");
        }
    }
}

#[test]
fn a_smooth_start_leaves_a_vibration_of_the_claimed_order() {
    for passes in 0..=3 {
        let left = |epsilon: f64| {
            let system = Differentiated::new(SpringChain { links: 3, epsilon });
            let start = SpringChain { links: 3, epsilon }.start(0.0);
            let (q, v) = start.split_at(6);
            smooth_start(&system, 0.0, q, v, passes, Choice::Auto).unwrap().remaining
        };
        let order = (left(2e-2) / left(1e-2)).log2();
        let claimed = 2.0 * passes as f64 + 2.0;
        assert!((order - claimed).abs() < 0.2, "{passes} passes: order {order}");
    }
}

#[test]
fn the_vibration_of_a_start_is_told() {
    let system = Differentiated::new(SpringChain { links: 1, epsilon: 1e-3 });
    let start = smooth_start(&system, 0.0, &[1.002, 0.0], &[0.0, 0.0], 2, Choice::Auto).unwrap();
    let vibration = &start.vibrations[0];
    assert_eq!(vibration.name, "link 1");
    assert!((vibration.amplitude - 2e-3).abs() < 1e-5, "{}", vibration.amplitude);
    assert!((vibration.period - std::f64::consts::TAU * 1e-3).abs() < 1e-5, "{}", vibration.period);
}

#[test]
fn smooth_starts_that_cannot_be_found_say_why() {
    let recorded =
        Differentiated::new(Sketch::new(["x", "y"]).spring("spring", 1e-6, |_t, q| q[0].hypot(q[1]) - 1.0));
    assert!(smooth_start(&recorded, 0.0, &[1.0, 0.0], &[0.0, 1.0], 1, Choice::Auto).is_ok());
    // A closure that branches on a value has no series.
    let length = |q: &[Number]| if q[1].value() > -2.0 { 1.0 } else { 2.0 };
    let spring = move |_t: Number, q: &[Number]| q[0].hypot(q[1]) - length(q);
    let closures = Differentiated::new(Sketch::new(["x", "y"]).spring("spring", 1e-6, spring));
    let start = |passes| smooth_start(&closures, 0.0, &[1.0, 0.0], &[0.0, 1.0], passes, Choice::Auto);
    assert!(matches!(start(1), Err(StartError::NoSmoothMotion { .. })));
    assert_eq!(start(4), Err(StartError::Passes { asked: 4, most: 3 }));
    let twice = Differentiated::new(Twice);
    let error = smooth_start(&twice, 0.0, &[1.0], &[0.0], 1, Choice::Auto).unwrap_err();
    assert!(error.to_string().contains("depends on the others"), "{error}");
}

/// One mass on two springs, which therefore depend on each other.
struct Twice;

impl Mechanical for Twice {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::spring("left", 1e-8), Constraint::spring("right", 1e-8)]
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0];
        g[1] = q[0] * 2.0;
    }
}

#[test]
fn springs_that_depend_on_each_other_run_all_the_same() {
    let system = Differentiated::new(Twice);
    let motion = Solver::mechanical(&system).run(0.0, 1.0, &[1e-5, 0.0]).unwrap();
    assert!(motion.q()[0].abs() < 1e-5);
}

#[test]
fn the_problem_of_the_library_is_this_pendulum() {
    let system =
        Differentiated::new(StiffSpringPendulum { epsilon: 1e-3, mass: 1.0, rest_length: 1.0, gravity: 1.0 });
    let smooth = smooth_start(&system, 0.0, &[0.6, -0.8], &[0.4, 0.3], 2, Choice::Auto).unwrap();
    assert!((smooth.q[0] - (0.6 + 0.63e-6)).abs() < 1e-12);
}
