//! Small laboratory numerics: methods exactly as papers write them, and what is measured along their orbits.
//!
//! The product solves systems of any size, with control of errors and projections. Theorems speak of the bare methods:
//! constant steps, arbitrary starting values, stages solved to rounding. That is what is here, on dense matrices.

mod dense;
mod manifold;
mod newton;
mod orbit;
mod runge_kutta;
mod scheme;
mod stage_growth;
mod stiff_split;

pub use dense::DenseSystem;
pub use manifold::{Graph, decay, largest};
pub use newton::newton;
pub use orbit::Orbit;
pub use runge_kutta::RungeKutta;
pub use scheme::{AlgebraicRows, LinearMultistep, Scheme};
pub use stage_growth::StageGrowth;
pub use stiff_split::{Split, StiffScene};

#[cfg(test)]
mod tests;
