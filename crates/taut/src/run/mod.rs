//! The one time loop and what goes along with it.

mod driver;
mod error;
mod snapshot;

pub(crate) use driver::Driver;
pub use error::RunError;
pub use snapshot::{Snapshot, SnapshotError};
