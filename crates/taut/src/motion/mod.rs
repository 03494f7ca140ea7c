//! What comes out of a run.

mod record;
mod statistics;

pub use record::{Invariants, Motion, Redundant, Stop, Trajectory};
pub use statistics::Statistics;
