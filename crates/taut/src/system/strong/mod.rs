//! Strong potentials U(q)/ε² as compliant constraints, through their foot points.

mod constraints;
mod directions;
mod foot;
mod foot_points;
mod potential;
#[cfg(test)]
mod tests;

pub use directions::{FootPointError, Unfit};
pub use foot_points::FootPoints;
pub use potential::{Potential, Split};
