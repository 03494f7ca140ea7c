//! Initial values: where a motion can begin.

mod consistent;
mod index;
mod partitioned;
mod smooth;

pub use consistent::{ConsistentStart, StartError, consistent_start, consistent_variables};
pub(crate) use consistent::{check_length, redundant_constraints};
pub use index::find_index;
pub(crate) use partitioned::consistent_partition;
pub use smooth::{MOST_PASSES, SmoothStart, Vibration, smooth_start};
