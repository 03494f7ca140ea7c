//! What a tolerance is worth to Taylor's series: true errors at the end of motions that are not stiff.

use taut::method::Method;
use taut_lab::{comparison_time, run_to, solver_of, start_of};
use taut_problems::mechanics::four_bars;
use taut_problems::{Problem, find};

const TOLERANCES: [f64; 4] = [1e-4, 1e-6, 1e-8, 1e-10];

/// The largest error of a problem at a tolerance, in tolerances.
fn error(name: &str, tolerance: f64) -> f64 {
    error_of(&find(name).unwrap(), "taylor", tolerance)
}

fn error_of(problem: &Problem, method: &str, tolerance: f64) -> f64 {
    let name = &problem.name;
    let solver = solver_of(problem).method(Method::named(method).unwrap()).tolerance(tolerance);
    let until = comparison_time(problem).unwrap();
    let summary = run_to(problem, until, &solver, tolerance, 1.0)
        .unwrap_or_else(|error| panic!("{name} with {method} at {tolerance:e}: {error}"));
    println!("{name} at {tolerance:.0e}: {:?}, {} steps", summary.errors, summary.statistics.steps);
    summary.largest_error()
}

/// All of the library that are not stiff, do not run for many revolutions, and have formulas. (The squeezer, the car axis and the
/// pendulum have them as model files.)
#[test]
fn errors_are_few_tolerances() {
    for name in [
        "double_pendulum",
        "pleiades",
        "four_bars_2",
        "rigid_body",
        "outer_solar_system",
        "fekete",
        "slider_crank_flexible",
        "parallelogram",
        "schropp_pendulum",
        "chemical_akzo_nobel",
        "attractive_manifold",
    ] {
        for tolerance in TOLERANCES {
            let error = error(name, tolerance);
            assert!(error <= 30.0, "{name} at {tolerance:e}: {error} tolerances");
        }
    }
}

/// Where a step ends depends on the tolerance: some of these would end beside a dead point, where multipliers are rounding errors.
#[test]
fn no_step_ends_beside_a_dead_point() {
    let row = |linkages: usize| four_bars(linkages).unwrap();
    for (problem, number) in [(&find("parallelogram").unwrap(), 40), (&row(2), 16), (&row(10), 16)] {
        for i in 0..number {
            let tolerance = f64::powf(10.0, -6.0 - 6.7 * f64::from(i) / f64::from(number - 1));
            for method in ["taylor", "auto"] {
                let error = error_of(problem, method, tolerance);
                assert!(error <= 30.0, "{} with {method} at {tolerance:e}: {error} tolerances", problem.name);
            }
        }
    }
}

/// What becomes of a change of the start by 1, of whichever coordinate or velocity does most.
fn amplification(name: &str) -> f64 {
    const CHANGE: f64 = 1e-7;
    let problem = find(name).unwrap();
    let solver = solver_of(&problem).method(Method::named("taylor").unwrap()).tolerance(1e-12);
    let until = comparison_time(&problem).unwrap();
    let start = start_of(&problem);
    let end = |start: &[f64]| solver.run(problem.start.t, until, start).unwrap().y;
    let usual = end(&start);
    let changed_by = |i: usize| {
        let mut start = start.clone();
        start[i] += CHANGE;
        let difference =
            end(&start).into_iter().zip(&usual).map(|(y, usual)| (y - usual).abs() / (1.0 + usual.abs()));
        difference.fold(0.0, f64::max) / CHANGE
    };
    (0..start.len()).map(changed_by).fold(1.0, f64::max)
}

/// Errors of two motions are beyond thirty tolerances, since these motions amplify them: a hundred revolutions turn an error of the
/// energy into one of the phase, and so do thousands of vibrations. They are below what one tolerance at the start would be.
#[test]
fn larger_errors_are_those_of_the_motion() {
    for name in ["kepler", "fermi_pasta_ulam"] {
        let amplification = amplification(name);
        println!("{name}: a change of the start is {amplification:.0} times as large at the end");
        for tolerance in TOLERANCES {
            let error = error(name, tolerance);
            assert!(error <= amplification, "{name} at {tolerance:e}: {error} tolerances");
        }
    }
}
