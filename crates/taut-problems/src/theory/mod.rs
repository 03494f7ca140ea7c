//! Small problems on which theorems are tried, most of them with exact solutions.

mod index2;
mod schropp_pendulum;

pub use index2::{LinearIndex2, NonlinearIndex2};
pub use schropp_pendulum::SchroppPendulum;

use crate::catalogue::Entry;

pub(crate) const ENTRIES: [Entry; 3] = [schropp_pendulum::ENTRY, index2::NONLINEAR, index2::LINEAR];
