//! The one time loop and what goes along with it.

mod snapshot;

pub use snapshot::{Snapshot, SnapshotError};
