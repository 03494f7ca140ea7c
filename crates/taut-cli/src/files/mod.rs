//! Files: where they may be, and how they are written so that nothing is lost.

mod disk;
mod places;
mod reading;

pub use disk::{Disk, DiskFile, Fault, beside};
pub use places::{Places, place_of};
pub use reading::{read_standard_input, read_text};
