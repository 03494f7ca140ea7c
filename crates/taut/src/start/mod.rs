//! Initial values: where a motion can begin.

mod consistent;
mod index;
mod smooth;

pub use consistent::{ConsistentStart, StartError, consistent_start, consistent_variables};
pub(crate) use consistent::{check_length, redundant_constraints};
pub use index::find_index;
pub use smooth::{MOST_PASSES, SmoothStart, Vibration, smooth_start};
