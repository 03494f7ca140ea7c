//! What comes out of a run.

mod inside;
mod record;
mod statistics;

pub use inside::Inside;
pub use record::{Crossing, Invariants, Motion, Stop, Trajectory};
pub use statistics::Statistics;
