//! A second run says how far the end of the first one is off.

use serde_json::Value;

use crate::support::{numbers, taut};

fn summary(line: &str) -> Value {
    taut(&format!("run {line} --json")).json()
}

/// The largest difference of two ends.
fn difference(end: &Value, exact: &Value) -> f64 {
    let (a, b) = (numbers(&end["x"]), numbers(&exact["x"]));
    a.iter().zip(&b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

#[test]
fn it_finds_the_error_of_a_motion_that_magnifies_errors() {
    let kepler = summary("kepler --method dopri8 --rtol 1e-6");
    let exact = summary("kepler --method taylor --rtol 1e-13 --second-run no");
    let (found, off) = (kepler["second_run"]["tolerances"].as_f64().unwrap(), difference(&kepler, &exact));
    // A tolerance is 1e-6 (1 + size), and momenta come to 1.3 to 2 on the way.
    assert!(found > 100.0 && (2.1e-6..3e-6).contains(&(off / found)), "{found} and {off}");
    let variable = kepler["second_run"]["variable"].as_str().unwrap();
    let words = format!("off by about {found:.0} tolerances in {variable}");
    assert!(kepler["warning"].as_str().unwrap().contains(&words), "{}", kepler["warning"]);
}

#[test]
fn a_warning_goes_to_standard_error_and_into_the_report() {
    let answer = taut("run kepler --method dopri8");
    assert_eq!(answer.code, 0);
    for text in [&answer.err, &answer.out] {
        assert!(text.contains("the end is off by about"), "{text}");
    }
    assert!(taut("run pendulum").out.contains("by a second run with a tenth of the tolerance"));
}

#[test]
fn what_is_right_has_no_warning() {
    for model in ["pendulum", "squeezer", "chain", "robertson", "bouncing-ball", "stick-slip"] {
        let run = summary(model);
        let tolerances = run["second_run"]["tolerances"].as_f64().unwrap();
        assert!(tolerances < 10.0 && run.get("warning").is_none(), "{model}: {tolerances}");
    }
}

#[test]
fn it_is_made_where_there_is_a_tolerance_and_nobody_forbids_it() {
    for line in ["kepler --second-run no", "pendulum --step 0.01 --method radau", "pendulum --max-steps 3"] {
        assert!(summary(line)["second_run"].is_null(), "{line}");
    }
    assert!(taut("run pendulum --second-run perhaps").err.contains("auto"));
}

#[test]
fn the_first_run_is_the_same_with_it_and_without() {
    let [with, without] = ["yes", "no"].map(|wanted| summary(&format!("four-bar --second-run {wanted}")));
    for key in ["q", "v", "multipliers", "residuals", "energy"] {
        assert_eq!(with[key], without[key], "{key}");
    }
    assert_eq!(with["stats"]["steps"], without["stats"]["steps"]);
}
