//! Taut integrates mechanical systems that are held together by rods and by very stiff springs.

mod control;
pub mod equations;
mod error;
pub mod linear;
pub mod method;
pub mod motion;
pub mod options;
pub mod run;
mod solver;
pub mod start;
pub mod step;
pub mod system;

pub use error::Error;
pub use solver::Solver;
