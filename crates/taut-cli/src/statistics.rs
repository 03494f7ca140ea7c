//! Counters of a run that was interrupted and went on.

use serde_json::{Map, Value, json};
use taut::motion::Statistics;

/// The counters by name.
fn counters(count: &mut Statistics) -> [(&'static str, &mut usize); 11] {
    [
        ("steps", &mut count.steps),
        ("accepted", &mut count.accepted),
        ("rejected_by_error", &mut count.rejected_by_error),
        ("rejected_by_newton", &mut count.rejected_by_newton),
        ("rejected_by_fault", &mut count.rejected_by_fault),
        ("rhs", &mut count.rhs),
        ("jacobians", &mut count.jacobians),
        ("factorizations", &mut count.factorizations),
        ("solves", &mut count.solves),
        ("newton_iterations", &mut count.newton_iterations),
        ("projections", &mut count.projections),
    ]
}

/// The counters of two parts of a run together.
pub fn sum(mut first: Statistics, mut second: Statistics) -> Statistics {
    for ((_, total), (_, part)) in counters(&mut first).into_iter().zip(counters(&mut second)) {
        *total += *part;
    }
    first
}

/// The counters as JSON.
pub fn to_json(mut count: Statistics) -> Value {
    let entries = counters(&mut count).map(|(name, value)| (name.to_owned(), json!(*value)));
    Value::Object(Map::from_iter(entries))
}

/// Counters from JSON; those that are missing are zero.
pub fn from_json(value: &Value) -> Statistics {
    let mut count = Statistics::default();
    for (name, counter) in counters(&mut count) {
        *counter = value.get(name).and_then(Value::as_u64).map_or(0, |n| n as usize);
    }
    count
}
