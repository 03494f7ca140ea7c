//! What a tolerance is worth to Taylor's series: true errors at the end of motions that are not stiff.

use taut::method::Method;
use taut_lab::{comparison_time, run_to, solver_of};
use taut_problems::find;

const TOLERANCES: [f64; 4] = [1e-4, 1e-6, 1e-8, 1e-10];

/// The largest error of a problem at a tolerance, in tolerances.
fn error(name: &str, tolerance: f64) -> f64 {
    let problem = find(name).unwrap();
    let solver = solver_of(&problem).method(Method::named("taylor").unwrap()).tolerance(tolerance);
    let until = comparison_time(&problem).unwrap();
    let summary = run_to(&problem, until, &solver, tolerance, 1.0).unwrap_or_else(|error| panic!("{error}"));
    println!("{name} at {tolerance:.0e}: {:?}, {} steps", summary.errors, summary.statistics.steps);
    summary.largest_error()
}

#[test]
fn errors_are_few_tolerances() {
    for name in ["double_pendulum", "pleiades", "four_bars_2", "rigid_body"] {
        for tolerance in TOLERANCES {
            let error = error(name, tolerance);
            assert!(error <= 30.0, "{name} at {tolerance:e}: {error} tolerances");
        }
    }
}

/// Velocities of planets are thousandths of an astronomical unit a day, far below what an absolute tolerance looks at; within a
/// step of hundreds of days their errors move positions, and more so within many.
#[test]
fn slow_velocities_do_not_spoil_positions() {
    for tolerance in TOLERANCES {
        let error = error("outer_solar_system", tolerance);
        assert!(error <= 600.0, "at {tolerance:e}: {error} tolerances");
    }
}
