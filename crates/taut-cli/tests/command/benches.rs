//! `taut bench`

use crate::support::{Folder, taut};

#[test]
fn a_bench_lists_errors_and_work_for_every_tolerance() {
    let answer = taut("bench --problem pendulum --method dopri8 --json");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let points = answer.json();
    let points = points.as_array().unwrap();
    assert_eq!(points.len(), 10);
    for (k, point) in points.iter().enumerate() {
        assert_eq!((&point["problem"], &point["method"]), (&"pendulum".into(), &"dopri8".into()));
        assert_eq!(point["rtol"].as_f64().unwrap(), 10_f64.powi(-(k as i32) - 3));
        for name in ["error_q", "error_v", "error_lambda", "seconds"] {
            assert!(point[name].as_f64().unwrap() > 0.0, "{name} of {point}");
        }
        for name in ["steps", "rhs", "jacobians", "factorizations"] {
            assert!(point[name].is_u64(), "{name} of {point}");
        }
    }
    assert!(points[9]["error_q"].as_f64().unwrap() < 1e-9);
}

#[test]
fn a_bench_prints_tables_and_draws() {
    let folder = Folder::new();
    let answer = folder.taut("bench --problem pendulum --method dopri8 --plot bench.svg --report bench.html");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains("error 1e-6") && answer.out.contains("fastest: dopri8"), "{}", answer.out);
    assert!(folder.text("bench.svg").contains("pendulum"));
    assert!(folder.text("bench.html").contains("error 1e-6"), "which method is the fastest for which error");
}

#[test]
fn unknown_problems_and_methods_are_named() {
    let answer = taut("bench --problem pendulun");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("pendulun") && answer.err.contains("car_axis"), "{}", answer.err);
    assert_eq!(taut("bench --problem pendulum --method rdau").code, 2);
}
