//! What there is to find about a first-order model.

use serde_json::json;
use taut::linear::Choice;
use taut::start::{consistent_variables, find_index};
use taut::system::FirstOrderSystem;

use super::Findings;
use crate::model::Subject;
use crate::report::significant;

/// Moves and residuals below this are rounding.
const NOTICEABLE: f64 = 1e-9;

/// Variables with their index, and the start.
pub fn check(subject: &Subject, system: &dyn FirstOrderSystem, findings: &mut Findings) {
    let (names, start) = (&system.composition().variables, &subject.model.start);
    findings.put("variables", json!(names));
    findings.line("variables", format!("{}: {}", names.len(), names.join(", ")));
    let found = find_index(system, start.t, &start.q, Choice::Auto).and_then(|index| {
        Ok((consistent_variables(system, &index, start.t, &start.q, Choice::Auto)?, index))
    });
    let ((x, residual), index) = match found {
        Ok(found) => found,
        Err(error) => {
            findings.problem = Some(error.to_string());
            return;
        }
    };
    let algebraic: Vec<String> = names
        .iter()
        .zip(&index)
        .filter(|(_, index)| **index > 0)
        .map(|(name, index)| format!("{name} (index {index})"))
        .collect();
    if !algebraic.is_empty() {
        findings.line("algebraic", algebraic.join(", "));
    }
    findings.put("index", json!(index));
    let moved = x.iter().zip(&start.q).fold(0.0_f64, |largest, (x, given)| largest.max((x - given).abs()));
    findings.line("start", describe_start(moved, residual));
    if moved > NOTICEABLE {
        for ((name, x), given) in names.iter().zip(&x).zip(&start.q) {
            if x != given {
                findings.line("", format!("{name} = {}", significant(*x, 10)));
            }
        }
    }
    let consistent = moved <= NOTICEABLE && residual <= NOTICEABLE;
    findings.put(
        "start",
        json!({ "t": start.t, "consistent": consistent, "moved": moved, "residual": residual, "x": x }),
    );
}

fn describe_start(moved: f64, residual: f64) -> String {
    if residual > NOTICEABLE {
        return format!("an equation without derivatives is violated by {residual:.3e}");
    }
    if moved > NOTICEABLE {
        return format!("not consistent: variables were moved by {moved:.3e}, to");
    }
    "consistent".to_owned()
}
