//! Springs in smooth motion that begin to vibrate: a spring between two rods, released from rest.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::{Options, Vibrations};
use taut::run::Output;
use taut::system::{Differentiated, Scalar, Sketch};
use taut_lab::experiment::{BetweenRods, largest_error};

const END: f64 = 3.0;
/// Errors of positions in tolerances.
const MOST: f64 = 30.0;

/// Rod, spring and rod with three unit masses; the spring has this stiffness and this share of critical damping.
fn solve(stiffness: f64, damping: f64, start: &[f64], method: Method, options: Options) -> Motion {
    let relaxation = 2.0 * damping / (0.5 * stiffness).sqrt();
    let system = Sketch::new(["x1", "y1", "x2", "y2", "x3", "y3"])
        .potential(|q| (q[1] + q[3] + q[5]) * 9.81)
        .rod("first", |_t, q| q[0].hypot(q[1]) - 1.0)
        .damped_spring("spring", 1.0 / stiffness, relaxation, |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
        .rod("second", |_t, q| (q[4] - q[2]).hypot(q[5] - q[3]) - 1.0);
    let system = Differentiated::new(system);
    let solver = Solver::mechanical(&system).method(method).options(options).output(Output::Steps);
    solver.run(0.0, END, start).unwrap()
}

/// Stretched out at an angle, at rest.
fn at_rest(angle: f64) -> Vec<f64> {
    let positions = (1..=3).flat_map(|i| [f64::from(i) * angle.cos(), f64::from(i) * angle.sin()]);
    positions.chain([0.0; 6]).collect()
}

fn tolerance(tolerance: f64) -> Options {
    Options { rtol: tolerance, atol: tolerance, ..Options::default() }
}

/// The largest error of positions at the end in tolerances, against motion with vibrations followed from the start that was used.
fn error(motion: &Motion, stiffness: f64, damping: f64, used: f64) -> f64 {
    let start = &motion.trajectory.state(0)[..12];
    let exact = Options { vibrations: Vibrations::Follow, ..tolerance(1e-11) };
    let exact = solve(stiffness, damping, start, Method::radau().with_stages(7).unwrap(), exact);
    let errors = motion.q().iter().zip(exact.q()).map(|(q, exact)| (q - exact).abs() / (1.0 + exact.abs()));
    errors.fold(0.0, f64::max) / used
}

#[test]
fn vibrations_that_the_motion_whips_up_are_followed() {
    for (stiffness, rtol) in [(1e4, 1e-3), (3e3, 1e-4), (3e3, 1e-5), (1e4, 1e-6), (4e4, 1e-7), (1e5, 1e-8)] {
        let motion = solve(stiffness, 0.0, &at_rest(0.0), Method::radau(), tolerance(rtol));
        let error = error(&motion, stiffness, 0.0, rtol);
        assert!(error < MOST, "stiffness {stiffness}, tolerance {rtol}: {error} tolerances");
        let followed = motion.spring_spans.last().unwrap();
        assert_eq!(
            (followed.motion, followed.to),
            ("followed", END),
            "stiffness {stiffness}, tolerance {rtol}"
        );
        assert_eq!(motion.spring_spans[0].from, 0.0);
    }
}

#[test]
fn smooth_motion_stays_where_it_is_right() {
    let rigid = solve(1e14, 0.0, &at_rest(0.0), Method::radau(), tolerance(1e-6)).statistics.steps;
    for stiffness in [1e6, 1e8, 1e12] {
        let motion = solve(stiffness, 0.0, &at_rest(0.0), Method::radau(), tolerance(1e-6));
        assert!(stiffness > 1e7 || error(&motion, stiffness, 0.0, 1e-6) < MOST);
        assert!(motion.statistics.steps <= rigid * 11 / 10, "{} steps", motion.statistics.steps);
        let [span] = &motion.spring_spans[..] else { panic!("{:?}", motion.spring_spans) };
        assert_eq!(span.motion, "smooth");
        assert!(span.left_out > 0.0 && span.left_out < 1e-7, "{}", span.left_out);
        assert!(motion.springs.unwrap().contains("were left out"));
    }
}

/// Formulas of many past steps see no vibrations of their own: these would grow.
#[test]
fn bdf_is_stable_on_springs_at_small_tolerances() {
    for (stiffness, rtol) in [(1e5, 1e-6), (1e6, 1e-8), (1e6, 1e-9)] {
        let motion = solve(stiffness, 0.0, &at_rest(0.0), Method::bdf(), tolerance(rtol));
        let error = error(&motion, stiffness, 0.0, rtol);
        assert!(error < MOST, "stiffness {stiffness:e} at {rtol:e}: {error} tolerances");
    }
}

#[test]
fn damped_springs_come_back_into_smooth_motion() {
    let motion = solve(3e4, 0.1, &at_rest(0.7), Method::radau(), tolerance(1e-3));
    let motions: Vec<_> = motion.spring_spans.iter().map(|span| span.motion).collect();
    assert!(motions.starts_with(&["smooth", "damped", "smooth"]), "{motions:?}");
    assert!(error(&motion, 3e4, 0.1, 1e-3) < MOST);
}

/// A damper stops a vibration: after that nothing is left to follow.
#[test]
fn springs_left_to_dampers_do_not_shorten_steps() {
    let motion = solve(1e4, 0.1, &at_rest(0.0), Method::radau(), tolerance(1e-6));
    let followed = Options { vibrations: Vibrations::Follow, ..tolerance(1e-6) };
    let followed = solve(1e4, 0.1, &at_rest(0.0), Method::radau(), followed).statistics.steps;
    assert!(error(&motion, 1e4, 0.1, 1e-6) < MOST);
    assert!(2 * motion.statistics.steps < followed, "{} and {followed} steps", motion.statistics.steps);
}

/// Damped springs, from starts whose motion is unstable: what a step leaves of the stretch is put right along the turning spring,
/// dampers answer to what projections move, and what they leave of a vibration is seen.
#[test]
fn damped_springs_are_right_where_errors_grow() {
    for (stiffness, damping, rtol, angle) in [
        (1e6, 3.0, 1e-6, 0.7),
        (1e8, 1.0, 1e-9, 0.7),
        (1e8, 3.0, 1e-9, 0.7),
        (1e8, 3.0, 1e-10, 0.0),
        (1e5, 3.0, 1e-8, 0.7),
        (1e4, 0.1, 1e-10, 0.7),
        (1e12, 10.0, 1e-10, 0.7),
    ] {
        let spring = BetweenRods::new(stiffness, damping);
        let system = spring.mechanism();
        let solver = Solver::mechanical(&system).method(Method::radau()).options(tolerance(rtol));
        let motion = solver.output(Output::Steps).run(0.0, END, &at_rest(angle)).unwrap();
        let exact = spring.reference(&motion.trajectory.state(0)[..12], END).unwrap();
        let error = largest_error(motion.q(), &exact[..6]) / rtol;
        let what = format!("stiffness {stiffness:e}, damping {damping}, tolerance {rtol:e}, angle {angle}");
        assert!(error < MOST, "{what}: {error} tolerances");
    }
}

#[test]
fn errors_are_bounded_for_every_stiffness_and_angle() {
    for (angle, damping) in [(0.7, 0.0), (-0.6, 0.0)] {
        for stiffness in [1e3, 1e4] {
            for rtol in [1e-4, 1e-7] {
                let motion = solve(stiffness, damping, &at_rest(angle), Method::radau(), tolerance(rtol));
                let error = error(&motion, stiffness, damping, rtol);
                let what =
                    format!("angle {angle}, damping {damping}, stiffness {stiffness}, tolerance {rtol}");
                assert!(error < MOST, "{what}: {error} tolerances");
            }
        }
    }
}

#[test]
fn too_many_vibrations_end_a_run_before_they_are_followed() {
    let options = Options { most_steps: 200, ..tolerance(1e-7) };
    let system = Sketch::new(["x1", "y1", "x2", "y2", "x3", "y3"])
        .potential(|q| (q[1] + q[3] + q[5]) * 9.81)
        .rod("first", |_t, q| q[0].hypot(q[1]) - 1.0)
        .spring("spring", 1.0 / 4e4, |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
        .rod("second", |_t, q| (q[4] - q[2]).hypot(q[5] - q[3]) - 1.0);
    let system = Differentiated::new(system);
    let result = Solver::mechanical(&system).options(options).run(0.0, END, &at_rest(0.0));
    let Err(taut::Error::Stopped { reason, motion }) = result else { panic!("{result:?}") };
    assert!(motion.statistics.steps < 60, "{} steps", motion.statistics.steps);
    assert!(reason.to_string().contains("'spring'"), "{reason}");
}

#[test]
fn springs_hardly_stiffer_than_one_that_vibrates_are_followed_with_it() {
    // Two in a row: the first is just slow enough to be followed from the start, the second just fast enough to go along.
    let system = Sketch::new(["x1", "y1", "x2", "y2"])
        .potential(|q| (q[1] + q[3]) * 9.81)
        .spring("first", 1e-4, |_t, q| q[0].hypot(q[1]) - 1.0)
        .spring("second", 1e-4, |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0);
    let system = Differentiated::new(system);
    let start = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let solve = |rtol| {
        let solver = Solver::mechanical(&system).method(Method::radau()).options(tolerance(rtol));
        solver.run(0.0, END, &start).unwrap()
    };
    let (motion, exact) = (solve(1e-6), solve(1e-11));
    assert!(motion.spring_spans.iter().all(|span| span.motion == "followed"), "{:?}", motion.spring_spans);
    let errors = motion.v().iter().zip(exact.v()).map(|(v, exact)| (v - exact).abs() / (1.0 + exact.abs()));
    let error = errors.fold(0.0, f64::max) / 1e-6;
    assert!(error < MOST, "velocities are wrong by {error} tolerances");
}
