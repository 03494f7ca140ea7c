//! Stiff springs under every method: taken along, followed with a warning, or refused with numbers; never a silent crawl.

use taut::method::{Meeting, Method, catalog};
use taut::motion::{Motion, Statistics};
use taut::options::{Options, Vibrations};
use taut::start::StartError;
use taut::system::{Differentiated, ForceClass, Scalar, Sketch};
use taut::{Error, Solver};
use taut_problems::mechanics::{StiffSpringPendulum, TwoPendulums};

const ALONG: [&str; 5] = ["auto", "radau", "lobatto-iiic", "radau-ia", "bdf"];
const FOLLOWING: [&str; 9] =
    ["gauss", "lobatto-iiid", "sdirk", "spark", "rattle", "dopri8", "adams", "taylor", "dopri5"];
const REFUSED: [&str; 3] = ["lobatto-iiia", "lobatto-iiib", "esdirk"];
const START: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn pendulum(epsilon: f64) -> Differentiated<StiffSpringPendulum> {
    Differentiated::new(StiffSpringPendulum { epsilon, mass: 1.0, rest_length: 1.0, gravity: 1.0 })
}

fn run(method: &str, epsilon: f64, until: f64, options: Options) -> Result<Motion, Error> {
    let system = pendulum(epsilon);
    let method = Method::named(method).unwrap();
    Solver::mechanical(&system).method(method).options(options).run(0.0, until, &START)
}

fn work(count: Statistics) -> [usize; 3] {
    [count.steps, count.jacobians, count.newton_iterations]
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |largest, (x, y)| largest.max((x - y).abs()))
}

#[test]
fn every_method_of_the_catalogue_is_of_one_kind() {
    for entry in catalog() {
        let along = Meeting::takes_springs_along(&entry.method());
        assert_eq!(along.is_ok(), ALONG.contains(&entry.name), "{}", entry.name);
        if let Err(mismatch) = along {
            let known = FOLLOWING.contains(&entry.name) || REFUSED.contains(&entry.name);
            assert!(known && mismatch.instead.contains("radau"), "{mismatch}");
        }
    }
}

#[test]
fn methods_that_take_springs_along_work_as_on_a_rod() {
    let exact = |epsilon: f64| {
        run("radau", epsilon, 10.0, Options { rtol: 1e-11, atol: 1e-11, ..Options::default() }).unwrap()
    };
    let exact_rod = exact(0.0);
    for method in ["radau", "lobatto-iiic", "radau-ia", "bdf"] {
        let rod = run(method, 0.0, 10.0, Options::default()).unwrap();
        for epsilon in [1e-3, 1e-4, 1e-6, 1e-8, 1e-10] {
            let spring = run(method, epsilon, 10.0, Options::default()).unwrap();
            let (now, rigid) = (work(spring.statistics), work(rod.statistics));
            println!("{method}, epsilon {epsilon:e}: {now:?}, rod {rigid:?}");
            for (now, rigid) in now.into_iter().zip(rigid) {
                assert!(
                    now as f64 <= 1.1 * rigid as f64,
                    "{method}, epsilon {epsilon:e}: {now}, rod {rigid}"
                );
            }
            let (on_spring, on_rod) =
                (distance(spring.q(), exact(epsilon).q()), distance(rod.q(), exact_rod.q()));
            let what = format!("{method}, epsilon {epsilon:e}: error {on_spring:e}, on the rod {on_rod:e}");
            assert!(on_spring <= 1.1 * on_rod + 1e-7, "{what}");
            assert_eq!(spring.warning, None, "{method}");
            assert!(spring.springs.unwrap().contains("1 in smooth motion"), "{method}");
        }
    }
}

#[test]
fn methods_that_follow_say_so_and_need_about_the_steps_they_say() {
    for method in FOLLOWING {
        let motion = run(method, 1e-3, 2.0, Options::default()).unwrap();
        let warning = motion.warning.unwrap_or_else(|| panic!("{method} is silent"));
        println!("{warning}: {:?}", work(motion.statistics));
        for part in [method, "'spring'", "6.28e-3", "1.0e3 steps", "radau, lobatto-iiic or bdf"] {
            assert!(warning.contains(part), "{part} is missing in: {warning}");
        }
        let steps = motion.statistics.steps;
        assert!((250..4000).contains(&steps), "{method}: {steps} steps");
    }
}

#[test]
fn vibrations_that_would_take_too_many_steps_are_refused_before_the_first_one() {
    let follow = Options { vibrations: Vibrations::Follow, ..Options::default() };
    let runs = FOLLOWING.iter().map(|method| (*method, Options::default())).chain([("radau", follow)]);
    for (method, options) in runs {
        let error = run(method, 1e-8, 10.0, options).unwrap_err();
        println!("{error}");
        let Error::Vibrations { method: named, spring, period, steps, most_steps, .. } = &error else {
            panic!("{method}: {error}")
        };
        assert_eq!((*named, spring.as_str(), *most_steps), (method, "spring", 1_000_000));
        assert!((period / (std::f64::consts::TAU * 1e-8) - 1.0).abs() < 1e-6, "{error}");
        assert!((steps / 5e8 - 1.0).abs() < 1e-6, "{error}");
        assert!(error.to_string().contains("5.0e8 steps, and 1000000 are allowed"), "{error}");
    }
}

#[test]
fn more_steps_may_be_allowed() {
    let few = Options { most_steps: 500, ..Options::default() };
    assert!(matches!(run("gauss", 1e-3, 2.0, few), Err(Error::Vibrations { .. })));
    let enough = Options { most_steps: 1100, ..Options::default() };
    assert!(run("gauss", 1e-3, 2.0, enough).is_ok());
}

#[test]
fn methods_without_multipliers_at_the_end_are_refused() {
    for method in REFUSED {
        let error = run(method, 1e-3, 1.0, Options::default()).unwrap_err();
        assert!(matches!(&error, Error::Mismatch(mismatch) if mismatch.instead.contains("radau")), "{error}");
    }
}

/// Multipliers of gauss are not damped: they follow from positions, else errors would shorten steps forty times.
#[test]
fn gauss_takes_no_shorter_steps_than_the_vibrations_need() {
    let motion = run("gauss", 1e-3, 2.0, Options::default()).unwrap();
    assert!(motion.statistics.steps <= 1010, "{:?}", motion.statistics);
    let reference =
        run("radau", 1e-3, 2.0, Options { rtol: 1e-11, atol: 1e-11, ..Options::default() }).unwrap();
    let apart = distance(motion.q(), reference.q());
    assert!(apart < 1e-6, "{apart:e}");
}

/// The first mass is held by friction: projections that moved it would be answered with forces of 1e12 times the move.
#[test]
fn strong_friction_does_not_shorten_steps_at_any_tolerance() {
    let held = Differentiated::new(TwoPendulums { epsilon: 1e-8, friction: 1e12 });
    let rigid = Differentiated::new(
        Sketch::new(["x", "z"]).potential(|q| q[1]).rod("rod", |_t, q| q[0].hypot(q[1] + 1.0) - 1.0),
    );
    let reference =
        Solver::mechanical(&rigid).tolerance(1e-12).run(0.0, 12.0, &[1.0, -1.0, 0.0, 0.0]).unwrap();
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let solver = Solver::mechanical(&held).method(Method::radau()).tolerance(tolerance);
        let start = [0.0, -1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0];
        let motion = solver.run(0.0, 12.0, &start).unwrap();
        let apart = distance(&motion.q()[2..], reference.q()).max(distance(&motion.v()[2..], reference.v()));
        let force = distance(&motion.lambda()[1..], reference.lambda());
        println!("{tolerance:e}: {:?}, {apart:e} apart, multiplier {force:e}", work(motion.statistics));
        assert!(motion.statistics.steps <= 300, "{tolerance:e}: {:?}", motion.statistics);
        assert!(apart < 100.0 * tolerance, "{tolerance:e}: {apart:e}");
        // What friction holds moves as multipliers of stages say, which are of lower order.
        assert!(force < 1e-2, "{tolerance:e}: {force:e}");
    }
}

#[test]
fn a_negative_compliance_is_refused_with_its_number() {
    for compliance in [-1e-4, f64::NAN, f64::INFINITY] {
        let sketch = Sketch::new(["x", "y"]).spring("spring", compliance, |_t, q| q[0].hypot(q[1]) - 1.0);
        let system = Differentiated::new(sketch);
        let error = Solver::mechanical(&system).run(0.0, 1.0, &START).unwrap_err();
        assert!(matches!(&error, Error::Start(StartError::Compliance { .. })), "{error}");
        let expected = format!("the compliance of 'spring' is {compliance:e}");
        assert!(error.to_string().contains(&expected), "{error}");
    }
}

#[test]
fn a_start_far_off_smooth_motion_is_moved_with_a_warning() {
    for method in ["radau", "lobatto-iiic", "bdf"] {
        let moved = |stretch: f64| {
            let system = pendulum(1e-6);
            let start = [1.0 + stretch, 0.0, 0.0, 0.0];
            Solver::mechanical(&system).method(Method::named(method).unwrap()).run(0.0, 1.0, &start).unwrap()
        };
        let far = moved(0.2);
        let warning = far.warning.unwrap_or_else(|| panic!("{method} is silent"));
        println!("{warning}");
        assert!(warning.contains("moved by 2.0e-1 in positions"), "{warning}");
        assert!(warning.contains("2.2e5 times as fast"), "{warning}");
        let near = moved(1e-6);
        assert_eq!(near.warning, None);
        assert!(near.springs.unwrap().contains("moved by 1.0e-6 in positions"), "{method}");
    }
}

/// A pendulum whose spring (or rod) has friction along itself.
fn damped(compliance: f64, friction: f64) -> Differentiated<Sketch> {
    let mut sketch = Sketch::new(["x", "y"])
        .potential(|q| q[1])
        .spring("spring", compliance, |_t, q| q[0].hypot(q[1]) - 1.0);
    for i in 0..2 {
        sketch = sketch.force(ForceClass::Dissipative, i, move |_t, q, v| {
            let along = (q[0] * v[0] + q[1] * v[1]) / (q[0].square() + q[1].square());
            -(along * q[i] * friction)
        });
    }
    Differentiated::new(sketch)
}

#[test]
fn friction_of_a_spring_does_not_shorten_steps_unless_it_is_strong() {
    for method in ["radau", "lobatto-iiic", "radau-ia", "bdf"] {
        let run = |compliance: f64| {
            let system = damped(compliance, 2.0);
            let solver = Solver::mechanical(&system).method(Method::named(method).unwrap());
            work(solver.run(0.0, 10.0, &[0.6, -0.8, 0.4, 0.3]).unwrap().statistics)
        };
        let rod = run(0.0);
        for epsilon in [1e-4_f64, 1e-6, 1e-8, 1e-10] {
            let spring = run(epsilon.powi(2));
            println!("{method}, epsilon {epsilon:e}: {spring:?}, rod {rod:?}");
            for (now, rigid) in spring.into_iter().zip(rod) {
                assert!(
                    now as f64 <= 1.1 * rigid as f64,
                    "{method}, epsilon {epsilon:e}: {now}, rod {rigid}"
                );
            }
        }
    }
}
