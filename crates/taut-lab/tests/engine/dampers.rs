//! Dampers beside stiff springs: their strength is not seen in the work either, and the limits are those of mechanics.

use crate::snapshots_common::Keeper;
use taut::equations::{FirstOrderView, Index3};
use taut::linear::Choice;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::{Options, Vibrations};
use taut::start::{StartError, consistent_start, smooth_start};
use taut::system::{Constraint, Differentiated, ForceClass, Mass, Mechanical, Scalar, Sketch};
use taut::{Error, Solver};

/// On the circle of radius 1 and along it.
const START: [f64; 4] = [0.6, -0.8, 0.4, 0.3];
/// Stretched by a fifth: the damper lets it creep back.
const STRETCHED: [f64; 4] = [0.72, -0.96, 0.48, 0.36];
const TOLERANCE: f64 = 1e-6;

/// A pendulum on a spring of compliance ε² with a damper of relaxation time d; ε = 0 is the rod.
struct DampedPendulum {
    epsilon: f64,
    d: f64,
}

impl Mechanical for DampedPendulum {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y"].map(String::from).to_vec()
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1]
    }
    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::damped_spring("spring", self.epsilon.powi(2), self.d)]
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0].hypot(q[1]) - 1.0;
    }
}

fn pendulum(epsilon: f64, d: f64) -> Differentiated<DampedPendulum> {
    Differentiated::new(DampedPendulum { epsilon, d })
}

fn options(tolerance: f64, vibrations: Vibrations) -> Options {
    Options { rtol: tolerance, atol: tolerance, vibrations, ..Options::default() }
}

fn run(method: &str, (epsilon, d): (f64, f64), start: &[f64], options: Options) -> Result<Motion, Error> {
    let system = pendulum(epsilon, d);
    Solver::mechanical(&system).method(Method::named(method).unwrap()).options(options).run(0.0, 10.0, start)
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |largest, (x, y)| largest.max((x - y).abs()))
}

/// The largest error of positions and velocities, in tolerances.
fn error(motion: &Motion, exact: &Motion, tolerance: f64) -> f64 {
    distance(motion.q(), exact.q()).max(distance(motion.v(), exact.v())) / tolerance
}

fn usual() -> Options {
    options(TOLERANCE, Vibrations::Auto)
}

#[test]
fn critical_damping_costs_no_more_than_a_rod() {
    for method in ["radau", "lobatto-iiic", "radau-ia", "bdf"] {
        let rod = run(method, (0.0, 0.0), &START, usual()).unwrap();
        let exact = run("radau", (0.0, 0.0), &START, options(1e-11, Vibrations::Auto)).unwrap();
        for epsilon in [1e-4, 1e-6, 1e-8, 1e-10] {
            let spring = run(method, (epsilon, 2.0 * epsilon), &START, usual()).unwrap();
            let (now, rigid) = (spring.statistics, rod.statistics);
            println!("{method}, epsilon {epsilon:e}: {} steps, rod {}", now.steps, rigid.steps);
            for (now, rigid) in [
                (now.steps, rigid.steps),
                (now.jacobians, rigid.jacobians),
                (now.newton_iterations, rigid.newton_iterations),
            ] {
                assert!(
                    now as f64 <= 1.1 * rigid as f64,
                    "{method}, epsilon {epsilon:e}: {now}, rod {rigid}"
                );
            }
            assert!(error(&spring, &exact, TOLERANCE) < 100.0, "{method}, epsilon {epsilon:e}");
        }
    }
}

#[test]
fn neither_do_dampers_that_let_a_spring_creep() {
    for (d, start) in [(1e-2, START), (0.3, STRETCHED)] {
        for method in ["radau", "lobatto-iiic", "radau-ia", "bdf"] {
            let limit = run(method, (1e-10, d), &start, usual()).unwrap();
            for epsilon in [1e-4, 1e-6, 1e-8] {
                let motion = run(method, (epsilon, d), &start, usual()).unwrap();
                let (now, then) = (motion.statistics.steps, limit.statistics.steps);
                println!("{method}, d {d}, epsilon {epsilon:e}: {now} steps, in the limit {then}");
                assert!(now as f64 <= 1.1 * then as f64, "{method}, d {d}, epsilon {epsilon:e}");
                assert!(error(&motion, &limit, TOLERANCE) < 100.0, "{method}, d {d}, epsilon {epsilon:e}");
            }
        }
    }
}

#[test]
fn what_is_left_out_is_below_the_tolerance() {
    for (d, start) in [(2e-3, START), (1e-2, START), (0.3, STRETCHED)] {
        for epsilon in [1e-2, 1e-3] {
            // Followed: nothing is known of smooth or creeping motion, each vibration is resolved.
            let exact = run("radau", (epsilon, d), &start, options(1e-11, Vibrations::Follow)).unwrap();
            for tolerance in [1e-4, 1e-6, 1e-8] {
                let motion =
                    run("radau", (epsilon, d), &start, options(tolerance, Vibrations::Auto)).unwrap();
                let error = error(&motion, &exact, tolerance);
                println!("d {d}, epsilon {epsilon:e}, tolerance {tolerance:e}: {error:.2} tolerances");
                assert!(error < 100.0, "d {d}, epsilon {epsilon:e}, tolerance {tolerance:e}");
            }
        }
    }
}

#[test]
fn in_the_limit_a_damped_spring_is_a_condition_on_velocities() {
    let d = 0.3;
    // g + d g' = 0, whose multiplier acts along d G.
    let limit =
        Sketch::new(["x", "y"]).potential(|q| q[1] * 1.0).nonholonomic_rod("creep", move |_, q, v| {
            let r = q[0].hypot(q[1]);
            r - 1.0 + (q[0] * v[0] + q[1] * v[1]) / r * d
        });
    let limit = Differentiated::new(limit);
    let options = options(1e-10, Vibrations::Auto);
    let solver = Solver::mechanical(&limit).method(Method::radau()).options(options.clone());
    let limit = solver.run(0.0, 10.0, &STRETCHED).unwrap();
    let damped = run("radau", (1e-12, d), &STRETCHED, options).unwrap();
    assert!(error(&damped, &limit, 1e-8) < 1.0, "{:?} {:?}", damped.q(), limit.q());
    assert!((damped.lambda()[0] - d * limit.lambda()[0]).abs() < 1e-7);
    assert!(damped.springs.unwrap().contains("creeping"));
}

#[test]
fn a_damper_is_the_friction_that_it_stands_for() {
    let (epsilon, d) = (0.1, 0.05);
    let strength = d / (epsilon * epsilon);
    let mut friction =
        Sketch::new(["x", "y"])
            .potential(|q| q[1] * 1.0)
            .spring("spring", epsilon * epsilon, |_, q| q[0].hypot(q[1]) - 1.0);
    for k in 0..2 {
        friction = friction.force(ForceClass::Dissipative, k, move |_, q, v| {
            let square = q[0].square() + q[1].square();
            (q[0] * v[0] + q[1] * v[1]) / square * q[k] * -strength
        });
    }
    let friction = Differentiated::new(friction);
    for (method, tolerance) in [
        ("dopri8", 1e-10),
        ("radau", 1e-10),
        ("gauss", 1e-10),
        ("bdf", 1e-8),
        ("sdirk", 1e-7),
        ("spark", 1e-7),
    ] {
        let options = options(tolerance, Vibrations::Follow);
        let solver = Solver::mechanical(&friction).method(Method::radau()).tolerance(1e-12);
        let exact = solver.run(0.0, 10.0, &STRETCHED).unwrap();
        let motion = run(method, (epsilon, d), &STRETCHED, options.clone()).unwrap();
        let solver = Solver::mechanical(&friction).method(Method::named(method).unwrap()).options(options);
        let other = error(&solver.run(0.0, 10.0, &STRETCHED).unwrap(), &exact, tolerance);
        let error = error(&motion, &exact, tolerance);
        println!("{method}: {error:.2} tolerances, {other:.2} with friction as a force");
        assert!(error < 100.0_f64.max(2.0 * other), "{method}: {error} tolerances, {other}");
    }
}

/// SPARK has dampers as forces of their own; what it gives away are multipliers of spring and damper all the same.
#[test]
fn multipliers_are_those_of_spring_and_damper_with_every_method() {
    let follow = |tolerance: f64| options(tolerance, Vibrations::Follow);
    let exact = run("radau", (0.1, 0.05), &STRETCHED, follow(1e-11)).unwrap();
    for (method, tolerance) in [("spark", 1e-7), ("bdf", 1e-8), ("dopri8", 1e-9)] {
        let motion = run(method, (0.1, 0.05), &STRETCHED, follow(tolerance)).unwrap();
        let error = (motion.lambda()[0] - exact.lambda()[0]).abs();
        assert!(error < 1e-5, "{method}: {:?}, not {:?}", motion.lambda(), exact.lambda());
    }
}

#[test]
fn a_first_order_view_has_the_same_motion() {
    let system = pendulum(1e-3, 0.3);
    let view = FirstOrderView::<Index3>::new(&system);
    let start = consistent_start(&system, 0.0, &STRETCHED[..2], &STRETCHED[2..], Choice::Auto).unwrap();
    let x = view.layout().state(&start.q, &start.v, &start.a, &start.lambda);
    let seen = Solver::first_order(&view).method(Method::radau()).tolerance(1e-8).run(0.0, 1.0, &x).unwrap();
    let solver = Solver::mechanical(&system).method(Method::radau()).tolerance(1e-9);
    let motion = solver.run(0.0, 1.0, &STRETCHED).unwrap();
    let seen = view.layout().split(&seen.y);
    assert!(distance(seen.q, motion.q()) < 1e-6 && distance(seen.v, motion.v()) < 1e-5, "{seen:?}");
}

#[test]
fn a_smooth_start_knows_dampers() {
    // What is left after N passes falls with epsilon^(N + 2).
    for passes in 1..=3 {
        let left = |epsilon: f64| {
            let system = pendulum(epsilon, 2.0 * epsilon);
            smooth_start(&system, 0.0, &START[..2], &START[2..], passes, Choice::Auto).unwrap().remaining
        };
        let exponent = (left(2e-2) / left(1e-2)).log2();
        println!("{passes} passes: exponent {exponent:.2}");
        assert!(exponent > passes as f64 + 1.8, "{passes} passes: {exponent}");
    }
}

#[test]
fn a_spring_that_creeps_has_no_smooth_start() {
    let refused = smooth_start(&pendulum(1e-3, 3.0), 0.0, &START[..2], &START[2..], 3, Choice::Auto);
    let reason = refused.unwrap_err().to_string();
    assert!(reason.contains("'spring' creeps under its damper, whose relaxation time 3e0"), "{reason}");
}

#[test]
fn a_run_goes_on_from_a_snapshot_to_the_last_bit() {
    for (epsilon, d, start) in [(1e-6, 2e-6, START), (1e-6, 0.3, STRETCHED), (1e-2, 0.3, STRETCHED)] {
        for method in ["radau", "bdf"] {
            let system = pendulum(epsilon, d);
            let solver = || {
                let method = Method::named(method).unwrap();
                Solver::mechanical(&system).method(method).tolerance(TOLERANCE).snapshot_every(10)
            };
            let mut keeper = Keeper::default();
            let whole = solver().run_with(0.0, 10.0, &start, &mut keeper).unwrap();
            let rest = solver().resume(keeper.0.swap_remove(0)).run(0.0, 10.0, &start).unwrap();
            assert_eq!(whole.y, rest.y, "{method}, epsilon {epsilon:e}, d {d}");
        }
    }
}

#[test]
fn dampers_that_cannot_be_are_refused_with_numbers() {
    let refused = |epsilon: f64, d: f64| run("radau", (epsilon, d), &START, usual()).unwrap_err();
    let negative = refused(1e-3, -0.1);
    assert!(
        matches!(&negative, Error::Start(StartError::Relaxation { relaxation, .. }) if *relaxation == -0.1)
    );
    assert!(negative.to_string().contains("relaxation time of 'spring' is -1e-1"), "{negative}");
    let rod = refused(0.0, 0.1).to_string();
    assert!(rod.contains("the rod 'spring' has a relaxation time, 1e-1, but no compliance"), "{rod}");
    assert!(matches!(refused(1e-3, f64::NAN), Error::Start(StartError::Relaxation { .. })));
}

/// Where the multiplier passes through 0, the first pass stretches nothing: what follows is more, however short the
/// relaxation time.
#[test]
fn a_smooth_start_knows_dampers_where_the_multiplier_is_0() {
    let (epsilon, d) = (1e-3, 2e-3);
    let start = smooth_start(&pendulum(epsilon, d), 0.0, &[1.0, 0.0], &[0.0, 0.0], 3, Choice::Auto).unwrap();
    // λ' = -3 from rest at the horizontal, so that the spring moves with g' = c λ' before the damper is seen.
    assert!(start.remaining < 10.0 * epsilon.powi(2) * d.powi(2), "{}", start.remaining);
    let smooth = Options { smooth_start: Some(3), ..options(TOLERANCE, Vibrations::Auto) };
    let motion = run("radau", (epsilon, d), &[1.0, 0.0, 0.0, 0.0], smooth).unwrap();
    let rod = run("radau", (0.0, 0.0), &[1.0, 0.0, 0.0, 0.0], options(TOLERANCE, Vibrations::Auto)).unwrap();
    assert!(distance(motion.q(), rod.q()) < 1e-4, "{:?} {:?}", motion.q(), rod.q());
}

/// SPARK has dampers as forces of their own; a smooth start finds their series all the same.
#[test]
fn spark_begins_smoothly_with_dampers() {
    let (epsilon, d) = (1e-2, 2e-2);
    let smooth = |step: f64| Options { smooth_start: Some(2), constant_step: Some(step), ..usual() };
    let motion = run("spark", (epsilon, d), &START, smooth(0.01)).unwrap();
    let finer = run("radau", (epsilon, d), &START, Options { smooth_start: Some(2), ..usual() }).unwrap();
    assert!(distance(motion.q(), finer.q()) < 1e-3, "{:?} {:?}", motion.q(), finer.q());
}
