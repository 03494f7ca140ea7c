//! Random mechanisms, judged by formulas that share nothing with the solver.

#![allow(clippy::unwrap_used, clippy::panic)]

use taut_fuzz::campaign::{corpus, judge_all};
use taut_fuzz::mechanism::Mechanism;
use taut_fuzz::mechanism::formulas::State;
use taut_fuzz::mechanism::judge::{judge, judge_seed};

/// Seeds with faults that are known and not repaired yet; `known.txt` says what is wrong.
fn known() -> Vec<u64> {
    let text = include_str!("../known.txt");
    text.lines().filter_map(|line| line.split(':').next()?.parse().ok()).collect()
}

#[test]
fn two_thousand_mechanisms_hold() {
    let tally = judge_all(0..2000).unwrap();
    let known = known();
    let new = tally.findings.iter().filter(|found| !known.contains(&found.seed));
    let told: Vec<String> = new.map(|found| format!("seed {}: {}", found.seed, found.words)).collect();
    assert!(told.is_empty(), "{} findings\n{}", told.len(), told.join("\n"));
    // The judge has something to judge.
    let [done, ..] = tally.runs;
    assert!(done > 2500 && tally.compared > 800, "{tally:?}");
}

/// A line of `known.txt` goes when the fault does.
#[test]
fn known_faults_are_still_there() {
    let folder = tempfile::tempdir().unwrap();
    let told: Vec<(u64, _)> =
        known().into_iter().map(|seed| (seed, judge_seed(seed, folder.path()))).collect();
    let gone: Vec<u64> = told.iter().filter(|(_, verdict)| verdict.is_ok()).map(|(seed, _)| *seed).collect();
    assert!(gone.is_empty(), "{gone:?} hold now, of {told:#?}");
}

#[test]
fn mechanisms_that_went_wrong_once_hold() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in corpus("mechanisms") {
        let mechanism: Mechanism = serde_json::from_str(&text).unwrap();
        for method in ["radau", "bdf", "dopri8"] {
            if let Err(words) = judge(&mechanism, method, folder.path()) {
                panic!("{}: {words}", path.display());
            }
        }
    }
}

/// A pendulum by hand: its residuals and its energy are what the book says.
#[test]
fn the_formulas_are_right() {
    let text = r#"{"points": [{"mass": 2.0, "place": [3.0, -4.0], "velocity": [0.0, 0.0]}], "gravity": 10.0, "end": 1.0,
        "links": [{"from": {"Ground": [0.0, 0.0]}, "to": 0, "kind": "Rod", "length": 5.0}]}"#;
    let pendulum: Mechanism = serde_json::from_str(text).unwrap();
    // λ = m (g·n + v²/l) with n = (3, −4)/5, v = 5 across.
    let state =
        State { t: 0.0, q: vec![3.0, -4.0], v: vec![4.0, 3.0], multipliers: vec![2.0 * (10.0 * 0.8 + 5.0)] };
    let [residual] = state.residuals(&pendulum)[..] else { panic!("one rod") };
    assert!(residual.found.iter().all(|found| found.abs() < 1e-14), "{residual:?}");
    assert_eq!(state.energy(&pendulum).0, 25.0 - 80.0);
    let wrong = State { multipliers: vec![0.0], ..state };
    assert!(wrong.residuals(&pendulum)[0].found[2].abs() > 1.0);
}
