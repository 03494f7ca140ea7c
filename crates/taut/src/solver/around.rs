//! What belongs to a run beside its equations.

use crate::motion::Redundant;
use crate::run::{Guard, Snapshot, Translation};
use crate::start::ConsistentStart;

/// The time and the state at which a snapshot was taken: no stepper can be made at a singular configuration where a run began.
pub(super) fn reached(snapshot: &Snapshot) -> Option<(f64, &[f64])> {
    let [t] = snapshot.numbers("t").ok()?;
    Some((t, snapshot.get("y").ok()?))
}

/// What belongs to a run beside its equations.
#[derive(Default)]
pub(super) struct Around<'r> {
    /// the start of a mechanism, made consistent
    pub(super) start: Option<ConsistentStart>,
    /// how states look from outside
    pub(super) translation: Option<&'r Translation<'r>>,
    /// looks after constraints that are not imposed as they are
    pub(super) guard: Option<Guard<'r>>,
}

/// Constraints that followed from others: those left out all along, and those in configurations that were passed.
pub(super) fn redundant(
    from: f64,
    to: f64,
    start: Option<&ConsistentStart>,
    passages: &[(f64, Vec<String>)],
) -> Vec<Redundant> {
    let Some(start) = start else { return Vec::new() };
    let left_out = start.redundant.iter().map(|name| Redundant { name: name.clone(), from, to });
    let at_start = start.passing.iter().map(|name| Redundant { name: name.clone(), from, to: from });
    let passed = passages.iter().flat_map(|(at, names)| {
        names.iter().map(|name| Redundant { name: name.clone(), from: *at, to: *at })
    });
    left_out.chain(at_start).chain(passed).collect()
}
