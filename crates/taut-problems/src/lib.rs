//! Problems to try solvers on: equations, consistent starts, reference values and where they come from.
//!
//! ```
//! use taut_problems::find;
//!
//! let andrews = find("andrews")?;
//! assert_eq!(andrews.index, 3);
//! assert_eq!(andrews.references.last().map(|reference| reference.t), Some(0.05));
//! # Ok::<(), taut_problems::Error>(())
//! ```
//!
//! Reference values were computed in extended precision; `digits` says how many of their digits two independent
//! computations share. There is no solver in this crate.

pub mod by_hand;
mod catalogue;
mod data;
mod error;
pub mod mechanics;
pub mod networks;
pub mod ordinary;
mod problem;
pub mod theory;

pub use catalogue::{Entry, all, find};
pub use error::Error;
pub use problem::{Motion, Problem, Reference, Start, State, System};

/// The names y1 … yn.
fn names(letter: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{letter}{i}")).collect()
}
