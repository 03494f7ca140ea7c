//! Dry friction that holds a body: tanh(v/δ) with δ far below the tolerance.

use taut::method::Method;
use taut::options::Options;
use taut_lab::{solver_of, start_of};
use taut_problems::find;

/// Errors in tolerances.
const MOST: f64 = 30.0;

/// The largest error at the end in tolerances, the steps, and whether the user was warned.
fn error(name: &str, method: &str, rtol: f64) -> (f64, usize, bool) {
    let problem = find(name).unwrap();
    let options = Options { rtol, atol: rtol, most_steps: 200_000, ..Options::default() };
    let solver = solver_of(&problem).method(Method::named(method).unwrap()).options(options);
    let motion = solver.run(0.0, problem.t_end, &start_of(&problem)).unwrap();
    let known: Vec<(usize, f64)> = match problem.references[0].state.motion() {
        Some(end) => [end.q.as_slice(), &end.v].concat().into_iter().enumerate().collect(),
        None => problem.references[0].state.variables(),
    };
    let off = known.iter().map(|&(k, exact)| (motion.y[k] - exact).abs() / (rtol + rtol * exact.abs()));
    (off.fold(0.0, f64::max), motion.statistics.steps, motion.warning.is_some())
}

/// Methods are within their tolerances on all problems of friction that holds, or warn.
fn assert_right_or_told(methods: &[&str], tolerances: &[f64]) {
    for name in
        ["stiction/shaken", "stiction/stopped", "stiction_first_order/shaken", "stiction_first_order/stopped"]
    {
        for method in methods {
            for &rtol in tolerances {
                let (off, steps, warned) = error(name, method, rtol);
                assert!(
                    off < MOST || warned,
                    "{name}, {method} at {rtol:e}: {off:.1} tolerances, {steps} steps"
                );
            }
        }
    }
}

#[test]
fn what_friction_holds_is_within_the_tolerance_or_told_to_be_beyond() {
    assert_right_or_told(&["radau", "bdf"], &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8]);
}

/// With blocks of an earlier step, when friction held, updates of Newton's iteration are small wherever it has come to: what a step of bdf looks
/// solved with is compared with the rates there.
#[test]
fn bdf_on_equations_of_first_order_notices_that_friction_has_let_go() {
    for name in ["stiction_first_order/shaken", "stiction_first_order/stopped"] {
        for rtol in [3e-3, 1e-3, 3e-4] {
            let (off, steps, warned) = error(name, "bdf", rtol);
            assert!(off < MOST && !warned, "{name} at {rtol:e}: {off:.1} tolerances, {steps} steps");
        }
    }
}

/// Mechanisms, too: an iteration with such blocks stands still wherever it has come to, which is no sign of rounding.
#[test]
fn bdf_on_mechanisms_notices_that_friction_has_let_go() {
    for name in ["stiction/shaken", "stiction/stopped"] {
        for rtol in [1e-2, 3e-3, 1e-3, 3e-4] {
            let (off, steps, warned) = error(name, "bdf", rtol);
            assert!(off < 5.0 && !warned, "{name} at {rtol:e}: {off:.1} tolerances, {steps} steps");
        }
    }
}

/// Stages of explicit steps fall on either side of such friction, and what their estimates say of errors is chance.
#[test]
fn explicit_steps_notice_what_changes_within_the_tolerance() {
    assert_right_or_told(&["auto", "dopri8", "dopri5"], &[1e-3, 3e-4, 1e-4, 3e-5]);
}

/// As a mechanism such friction is no reason to be wrong.
#[test]
fn auto_is_right_on_mechanisms_with_steep_friction() {
    for name in ["stiction/shaken", "stiction/stopped"] {
        for rtol in [1e-3, 3e-4, 1e-4, 1e-5] {
            let (off, steps, warned) = error(name, "auto", rtol);
            assert!(off < MOST && !warned, "{name} at {rtol:e}: {off:.1} tolerances, {steps} steps");
        }
    }
}

/// Explicit steps of dry friction jump from one side to the other within the tolerance, or are rejected again and again; none of them looks
/// stiff.
#[test]
fn auto_notices_that_rates_jump_within_the_tolerance() {
    for (name, most) in [("stiction/shaken", 800), ("stiction_first_order/shaken", 1200)] {
        for rtol in [3e-4, 1e-4, 3e-5, 1e-5, 1e-6] {
            let (off, steps, _) = error(name, "auto", rtol);
            assert!(off < MOST && steps < most, "{name}: {off:.1} tolerances at {rtol:e}, {steps} steps");
        }
    }
    let (_, steps, _) = error("stiction/shaken", "auto", 1e-6);
    assert!(steps < 500, "{steps} steps");
}
