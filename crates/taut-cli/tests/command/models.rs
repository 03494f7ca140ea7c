//! Every built-in model runs, and methods agree.

use crate::support::{Folder, numbers};
use serde_json::Value;

/// How far two results are apart, relative to their size.
fn distance(one: &Value, other: &Value, with_velocities: bool) -> f64 {
    let state = |summary: &Value| match summary.get("x") {
        Some(x) => numbers(x),
        None if with_velocities => [numbers(&summary["q"]), numbers(&summary["v"])].concat(),
        None => numbers(&summary["q"]),
    };
    let (one, other) = (state(one), state(other));
    let size = one.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    one.iter().zip(&other).fold(0.0_f64, |largest, (x, y)| largest.max((x - y).abs())) / size
}

#[test]
fn auto_and_radau_agree_on_every_model() {
    let folder = Folder::new();
    for (name, _, _) in taut_text::builtin() {
        let options = match *name {
            // Chaotic: errors grow without bounds.
            "double-pendulum" => "--rtol 1e-8 --atol 1e-8 --until 3",
            // Friction of 1e12 leaves few digits.
            "jay-two-pendulums" => "--until 2",
            // A substance of 1e-8 that becomes negative explodes.
            "robertson" => "--rtol 1e-8 --atol 1e-14",
            _ => "--rtol 1e-8 --atol 1e-8",
        };
        let run = |method: &str| {
            let run = format!("run {name} {options} --method {method} --second-run no --json");
            let answer = folder.taut(&run);
            assert_eq!(answer.code, 0, "{name} {method}: {}", answer.err);
            answer.json()
        };
        let (auto, radau) = (run("auto"), run("radau"));
        let apart = distance(&auto, &radau, true);
        assert!(apart < 1e-4, "{name}: {apart:e}");
        if let Some(residuals) = auto["residuals"].get("position") {
            assert!(residuals.as_f64().unwrap() < 1e-12, "{name}");
        }
    }
}
