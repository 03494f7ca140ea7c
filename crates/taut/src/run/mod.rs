//! The one time loop and what goes along with it.

mod driver;
mod error;
mod event;
mod guard;
mod observer;
mod output;
mod session;
mod watching;

pub use crate::snapshot::{Snapshot, SnapshotError};
pub(crate) use driver::{Driver, is_crossing};
pub use error::RunError;
pub use event::{Crossing, Direction, Event};
pub(crate) use guard::Guard;
pub use observer::{Nobody, Observer, View};
pub use output::Output;
pub(crate) use session::{Pause, Record, Session, Translation, Watched, stiff_since};
