//! The one time loop and what goes along with it.

mod driver;
mod event;
mod growth;
mod guard;
mod observer;
mod output;
mod plan;
mod session;
mod steps;

pub use crate::error::RunError;
pub use crate::motion::{Change, Crossing, EventCount};
pub use crate::snapshot::{Snapshot, SnapshotError};
pub(crate) use driver::{Driver, is_crossing};
pub use event::{Direction, Event};
pub(crate) use guard::Guard;
pub use observer::{Nobody, Observer, View};
pub use output::Output;
pub(crate) use plan::{Plan, Translation, Watched};
pub(crate) use session::{Carried, Session, Steppers, Stiff};
pub(crate) use steps::Advance;
pub use steps::{Step, Steps};
