//! Initial values: where a motion can begin.

mod branch;
mod consistent;
mod error;
mod fixed;
mod index;
mod mass;
mod redundancy;
mod rods;
mod smooth;

pub(crate) use branch::balance;
pub use consistent::{ConsistentStart, consistent_start, consistent_start_with_gap, consistent_variables};
pub(crate) use consistent::{USUAL_GAP, check_length};
pub use error::StartError;
pub use fixed::{Fixed, keep_fixed};
pub use index::find_index;
pub(crate) use mass::check_mass;
pub(crate) use rods::{DEPENDENT, Rods};
pub use smooth::{MOST_PASSES, SmoothStart, Vibration, smooth_start};
