//! Tolerances in stiff components that are forced: there the order of a method is not what it is elsewhere.

use taut::method::Method;
use taut::options::Options;
use taut_lab::experiment::largest_error;
use taut_lab::{solver_of, start_of};
use taut_problems::find;
use taut_problems::theory::Brenan;

/// Errors in tolerances.
const MOST: f64 = 30.0;
/// Deflection in the middle of the plate, and the velocity that was wrong by most.
const MIDDLE: usize = 19;
const NEAR_THE_EDGE: usize = 55;

#[test]
fn a_plate_that_wheels_roll_over_is_within_its_tolerance() {
    let plate = find("plate").unwrap();
    let known = plate.references[0].state.variables();
    for rtol in [1e-8, 1e-10] {
        let options = Options { rtol, atol: 1e-3 * rtol, ..Options::default() };
        let solver = solver_of(&plate).method(Method::radau()).options(options);
        let motion = solver.run(0.0, plate.t_end, &start_of(&plate)).unwrap();
        for (place, exact) in [MIDDLE, NEAR_THE_EDGE].map(|place| known[place]) {
            let error = (motion.y[place] - exact).abs() / (1e-3 + exact.abs()) / rtol;
            assert!(error < MOST, "{error} tolerances of {rtol:e} at {place}");
        }
    }
}

/// Ozone and oxygen that follow the day: wrong by a thousand tolerances where only slow components decided.
#[test]
fn reactions_that_follow_the_day_are_within_their_tolerance() {
    let diurnal = find("diurnal").unwrap();
    let options = Options { rtol: 1e-8, atol: 1e-8, ..Options::default() };
    let solver = solver_of(&diurnal).method(Method::radau()).options(options);
    let motion = solver.run(diurnal.start.t, diurnal.t_end, &start_of(&diurnal)).unwrap();
    let reference = diurnal.references.iter().find(|reference| reference.t == diurnal.t_end).unwrap();
    for (place, exact) in reference.state.variables() {
        let error = (motion.y[place] - exact).abs() / (1.0 + exact.abs()) / 1e-8;
        assert!(error < MOST, "{error} tolerances at {place}");
    }
}

/// Steps grow by what the errors of stiff components allow, and what earlier steps have left of these is not taken for errors of
/// later ones, however short.
#[test]
fn few_steps_are_rejected_where_stiff_components_decide() {
    for (name, rtol, most) in [("oregonator", 1e-10, 300), ("plate", 1e-8, 80)] {
        let problem = find(name).unwrap();
        let options = Options { rtol, atol: rtol, ..Options::default() };
        let solver = solver_of(&problem).method(Method::radau()).options(options);
        let motion = solver.run(0.0, problem.t_end, &start_of(&problem)).unwrap();
        let (steps, accepted) = (motion.statistics.steps, motion.statistics.accepted);
        assert!(steps < most && 4 * (steps - accepted) < steps, "{name}: {steps} steps, {accepted} accepted");
        for (place, exact) in problem.references[0].state.variables() {
            let error = (motion.y[place] - exact).abs() / (1.0 + exact.abs()) / rtol;
            assert!(error < MOST, "{name}: {error} tolerances at {place}");
        }
    }
}

/// At t = 0 the rate of y1 does not depend on that of y2, which is of index 2.
#[test]
fn an_index_that_is_lower_at_the_start_only_is_found() {
    let brenan = find("brenan").unwrap();
    let exact = Brenan::solution(brenan.t_end);
    for rtol in [1e-6, 1e-8, 1e-10] {
        let options = Options { rtol, atol: rtol, most_steps: 2000, ..Options::default() };
        let solver = solver_of(&brenan).method(Method::bdf()).options(options);
        let motion = solver.run(0.0, brenan.t_end, &start_of(&brenan)).unwrap();
        let error = largest_error(&motion.y[..2], &exact[..2]) / rtol;
        assert!(error < MOST, "{error} tolerances of {rtol:e}");
    }
}
