//! Work and precision of a method.

use std::time::Duration;

use taut::method::Method;
use taut_lab::{Patience, comparison_time, time_for_error, work_precision};
use taut_problems::find;

const QUICK: Patience = Patience { repeats: Duration::ZERO, longest: Duration::MAX, most_steps: 10_000 };

#[test]
fn smaller_tolerances_give_smaller_errors_for_more_steps() {
    let problem = find("pendulum").unwrap();
    let points = work_precision(&problem, &Method::explicit(), &[1e-4, 1e-7, 1e-10], &QUICK).unwrap();
    assert_eq!(points.len(), 3);
    for pair in points.windows(2) {
        assert!(pair[1].error_q < 0.1 * pair[0].error_q);
        assert!(pair[1].error_v.unwrap() < 0.1 * pair[0].error_v.unwrap());
        assert!(pair[1].error_lambda.unwrap() < 0.1 * pair[0].error_lambda.unwrap());
        assert!(pair[1].statistics.steps > pair[0].statistics.steps);
    }
}

#[test]
fn times_are_interpolated_inside_of_what_was_measured() {
    let problem = find("pendulum").unwrap();
    let mut points = work_precision(&problem, &Method::explicit(), &[1e-4, 1e-8], &QUICK).unwrap();
    (points[0].error_q, points[0].seconds) = (1e-4, 1e-3);
    (points[1].error_q, points[1].seconds) = (1e-8, 4e-3);
    assert!((time_for_error(&points, 1e-6).unwrap() - 2e-3).abs() < 1e-15);
    assert_eq!(time_for_error(&points, 1e-9), None);
    assert_eq!(time_for_error(&points, 1e-3), None);
}

#[test]
fn first_order_systems_have_one_error() {
    let problem = find("robertson").unwrap();
    assert!(comparison_time(&problem).is_some());
    // With an absolute tolerance that is not small against y2 = 4e-5 the equations blow up.
    let points = work_precision(&problem, &Method::radau(), &[1e-7], &QUICK).unwrap();
    assert!(points[0].error_q > 0.0 && points[0].error_q < 1e-5);
    assert_eq!((points[0].error_v, points[0].error_lambda), (None, None));
}

#[test]
fn a_method_that_is_refused_says_why() {
    let problem = find("pendulum").unwrap();
    let gauss = Method::named("gauss").unwrap();
    let error = work_precision(&problem, &gauss, &[1e-4], &QUICK).unwrap_err();
    assert!(error.to_string().contains("gauss"));
}
