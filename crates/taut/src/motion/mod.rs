//! What comes out of a run.

mod record;
mod spring;
mod statistics;

pub use record::{Invariants, Motion, Stop, Trajectory};
pub use spring::SpringSpan;
pub use statistics::Statistics;
