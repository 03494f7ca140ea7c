//! Variables below their absolute tolerance that grow without bounds.

use taut::Error;
use taut::method::Method;
use taut::options::Options;
use taut::run::RunError;
use taut_lab::{solver_of, start_of};
use taut_problems::find;

/// y2 of Robertson's reaction is below 4e-5, and from y2 = -1e-4 its equations blow up.
#[test]
fn a_tolerance_above_a_variable_that_blows_up_is_told() {
    let robertson = find("robertson").unwrap();
    let run = |atol: f64| {
        let options = Options { rtol: 1e-3, atol, ..Options::default() };
        let solver = solver_of(&robertson).method(Method::radau()).options(options);
        solver.run(0.0, 1e3, &start_of(&robertson))
    };
    let Err(Error::Stopped { reason, .. }) = run(1e-3) else { panic!("no error of 1e-3 in y2 is seen") };
    let RunError::Grown { entry, tolerance, .. } = &reason else { panic!("{reason}") };
    assert_eq!((*entry, *tolerance), (1, 1e-3), "{reason}");
    assert!(reason.advice().contains("smaller absolute tolerance"));
    assert!(run(1e-8).is_ok());
}

/// Variables of E5 are 1e-13 and less for most of the time; where one is negative its equations blow up, and no step goes on before it is large.
#[test]
fn a_variable_that_was_small_for_long_and_blows_up_is_told() {
    let e5 = find("e5").unwrap();
    for atol in [1e-9, 1e-12] {
        let options = Options { rtol: 1e-6, atol, ..Options::default() };
        let solver = solver_of(&e5).method(Method::radau()).options(options);
        let Err(Error::Stopped { reason, .. }) = solver.run(0.0, e5.t_end, &start_of(&e5)) else {
            panic!("no error of {atol:e} is seen")
        };
        assert!(matches!(reason, RunError::Grown { .. }), "{reason}");
        assert!(reason.advice().contains("smaller absolute tolerance"));
    }
}
