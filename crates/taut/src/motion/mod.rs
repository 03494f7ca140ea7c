//! What comes out of a run.

mod inside;
mod record;
mod spring;
mod statistics;

pub use crate::geometry::Accelerations;
pub use inside::Inside;
pub use record::{Change, Crossing, EventCount, Invariants, Motion, Redundant, Stop, Trajectory};
pub use spring::SpringSpan;
pub use statistics::Statistics;
