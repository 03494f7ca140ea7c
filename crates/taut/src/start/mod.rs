//! Initial values: where a motion can begin.

mod branch;
mod consistent;
mod error;
mod fixed;
mod impulse;
mod index;
mod mass;
mod partitioned;
mod redundancy;
mod smooth;

pub use consistent::{ConsistentStart, consistent_start, consistent_start_with_gap, consistent_variables};
pub(crate) use consistent::{USUAL_GAP, check_length};
pub use error::StartError;
pub use fixed::{Fixed, keep_fixed};
pub(crate) use impulse::impulses;
pub use index::find_index;
pub(crate) use index::index_along;
pub(crate) use mass::check_mass;
pub use partitioned::consistent_partition;
pub use redundancy::{FollowsFrom, Freedom, freedom};
pub use smooth::{MOST_PASSES, SmoothStart, Vibration, smooth_start};
