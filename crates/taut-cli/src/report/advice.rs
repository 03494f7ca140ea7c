//! What to try after a run.

use crate::summary::Summary;

/// Commands with their purpose.
pub fn next(summary: &Summary<'_>) -> Vec<(String, &'static str)> {
    let (name, typed, settings) = (&summary.subject.name, &summary.subject.typed, summary.settings);
    let mut commands = Vec::new();
    match settings.step {
        None => {
            let tighter = settings.rtol.min(settings.atol) * 1e-3;
            if tighter > 1e-14 {
                let command = format!("taut run {typed} --rtol {tighter:.0e} --atol {tighter:.0e}");
                commands.push((command, "which digits stay?"));
            }
        }
        Some(h) => {
            let command = format!("taut run {typed} --step {} --method {}", 0.5 * h, settings.method);
            commands.push((command, "which digits stay?"));
        }
    }
    commands.push((
        format!("taut run {typed} --plot {name}.png"),
        "motion, energy, drift and steps as a picture",
    ));
    commands.push((format!("taut run {typed} --out {name}.csv --samples 1000"), "the trajectory as a table"));
    commands
}
