//! What `auto` has found out about the motion.

use crate::snapshot::Snapshot;

/// The motion was found to be nothing for explicit steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stiff {
    /// since when
    pub(crate) since: f64,
    /// for rates that change by much within the tolerance, and not for steps that are short for stability only
    pub(crate) steep: bool,
}

/// The entry of snapshots that says so.
const STIFF_SINCE: &str = "stiff since";

impl Stiff {
    /// What was found before a snapshot was taken.
    pub(crate) fn before(snapshot: &Snapshot) -> Option<Self> {
        let numbers = snapshot.get(STIFF_SINCE).ok()?;
        let (&since, steep) = (numbers.first()?, numbers.get(1).is_some_and(|steep| *steep == 1.0));
        Some(Stiff { since, steep })
    }

    /// Puts what was found, or nothing, into a snapshot.
    pub(crate) fn put(found: Option<Self>, snapshot: &mut Snapshot) {
        let numbers = found.map(|found| [found.since, f64::from(u8::from(found.steep))]);
        snapshot.put(STIFF_SINCE, numbers.as_ref().map_or(&[], |numbers| numbers.as_slice()));
    }
}
