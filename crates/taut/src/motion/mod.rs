//! What comes out of a run.

mod statistics;

pub use statistics::Statistics;
