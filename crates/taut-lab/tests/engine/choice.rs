//! What `auto` takes, and what finding that out costs. Instructions are compared by `taut-counts choice`; here evaluations are.

use taut::method::Method;
use taut_lab::{Summary, comparison_time, run_to, solver_of};
use taut_problems::find;

fn run(name: &str, method: &str, tolerance: f64) -> Summary {
    let problem = find(name).unwrap();
    let solver = solver_of(&problem).method(Method::named(method).unwrap()).tolerance(tolerance);
    run_to(&problem, comparison_time(&problem).unwrap(), &solver, tolerance, 1.0).unwrap()
}

/// A look at another method is short where that one is plainly better: these motions are over after 10 to 50 implicit steps.
#[test]
fn stiff_motions_are_found_stiff_at_once() {
    for name in ["star_curve", "star_surface", "slanted_circle", "brusselator"] {
        for tolerance in [1e-4, 1e-6] {
            let (auto, radau) = (run(name, "auto", tolerance), run(name, "radau", tolerance));
            let (found, direct) = (auto.statistics.rhs, radau.statistics.rhs);
            let label = format!("{name} at {tolerance:e}: {found} evaluations, radau {direct}");
            assert!(4 * found < 7 * direct, "{label}");
            assert!(auto.largest_error() < 30.0, "{label}");
        }
    }
}

/// Each body pulls at all others: derivatives cost as much as many explicit steps, and implicit ones do not pay.
#[test]
fn bodies_that_all_attract_each_other_stay_with_explicit_steps() {
    for (name, tolerance) in [("outer_solar_system", 2e-6), ("pleiades", 1e-4), ("pleiades", 2e-6)] {
        let (auto, explicit) = (run(name, "auto", tolerance), run(name, "dopri8", tolerance));
        assert_eq!(auto.statistics.accepted, explicit.statistics.accepted, "{name} at {tolerance:e}");
    }
}

/// Without rods series cost no more from 1e-6 on, and what they leave of errors is a hundredth.
#[test]
fn series_are_taken_for_orbits() {
    for name in ["kepler", "outer_solar_system"] {
        let (auto, explicit) = (run(name, "auto", 1e-6), run(name, "dopri8", 1e-6));
        assert_eq!(auto.motion.method, "taylor", "{name}");
        let (found, of_steps) = (auto.largest_error(), explicit.largest_error());
        assert!(8.0 * found < of_steps, "{name}: {found} and {of_steps} tolerances");
    }
}

/// Equations of first order that are those of a mechanism with rods.
#[test]
fn series_are_taken_for_rods_in_equations_of_first_order() {
    for (tolerance, method) in [(1e-4, "radau"), (1e-6, "taylor"), (1e-8, "taylor")] {
        let auto = run("schropp_pendulum", "auto", tolerance);
        assert_eq!(auto.motion.method, method, "{tolerance:e}");
        assert!(auto.largest_error() < 1.0, "{tolerance:e}: {}", auto.largest_error());
    }
}

/// Stiff forces that nobody has declared to be springs.
#[test]
fn a_governor_with_stiff_forces_costs_about_what_radau_does() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-9] {
        let (auto, radau) = (run("governor", "auto", tolerance), run("governor", "radau", tolerance));
        let (found, direct) = (auto.statistics.steps, radau.statistics.steps);
        assert!(found < direct + direct / 2, "{tolerance:e}: {found} steps, radau {direct}");
        assert!(auto.largest_error() < 100.0, "{tolerance:e}: {} tolerances", auto.largest_error());
    }
}
