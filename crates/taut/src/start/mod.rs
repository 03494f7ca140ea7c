//! Initial values: where a motion can begin.

mod consistent;
mod index;

pub(crate) use consistent::redundant_constraints;
pub use consistent::{ConsistentStart, StartError, consistent_start, consistent_variables};
pub use index::find_index;
