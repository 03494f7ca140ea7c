//! Many runs of one model: what is varied, one row for each run, and the file that rows go to.
//!
//! A row is the same, to the last bit, whoever asks for it: `taut sweep` on any number of threads, the Python package, the
//! workers of a cluster. [`Cases`] says what is varied, [`Runner`] makes a row, [`in_order()`] runs many of them on threads and
//! hands their rows out in the order of the runs, [`Store`] keeps them in a file that a later sweep goes on with.

mod axis;
mod cases;
mod columns;
mod extremes;
mod identity;
mod in_order;
mod page;
mod row;
mod sampling;
mod sobol;
mod store;
mod table_file;

pub use axis::{Axis, parse_axis};
pub use cases::{Cases, Sampling};
pub use columns::{Columns, label};
pub use identity::Identity;
pub use in_order::{Receiver, in_order, window};
pub use page::Gathered;
pub use row::{Row, RowStatus, Runner, Trajectories, end_of};
pub use store::{Record, Store};
pub use table_file::read_table;
