//! What a system is: what a person writes, what a solver sees, and the derivatives between the two.
//!
//! Here is what a person writes, and systems around systems; what a solver sees is in the room `seen` below, and what makes that of
//! formulas in a graph in `compiled`.
//!
//! | | a person writes | a solver sees |
//! |---|---|---|
//! | second order, constrained | [`Mechanical`], or closures in a [`Sketch`] | [`MechanicalSystem`], through [`Differentiated`] |
//! | second order with a strong potential | the same with U(q) and ε | [`MechanicalSystem`], through [`FootPoints`] |
//! | partitioned, constrained | [`Hamiltonian`], [`PartitionedAdditive`] | [`PartitionedSystem`], through [`DifferentiatedPartition`] |
//! | first order | [`FirstOrder`], [`SemiExplicit`], [`Hessenberg3`] | [`FirstOrderSystem`], through [`Linearised`] |

mod augmented;
mod damper_forces;
mod differentiated;
mod differentiated_partition;
mod dual_numbers;
mod finite_differences;
mod first_order;
mod hamiltonian;
mod hessenberg;
mod independent;
mod mechanical;
mod partitioned_additive;
mod sketch;
mod sticking;
mod strong;
mod terms;
mod traced;

pub use augmented::Augmented;
pub use damper_forces::DamperForces;
pub use differentiated::Differentiated;
pub use differentiated_partition::DifferentiatedPartition;
pub use finite_differences::FiniteDifferences;
pub use first_order::{FirstOrder, Linearised};
pub use hamiltonian::{Hamiltonian, HamiltonianSystem};
pub use hessenberg::{Hessenberg3, Hessenberg3System, SemiExplicit, SemiExplicitSystem};
pub use independent::{Independent, Selection};
pub use mechanical::{Given, Mass, Mechanical, Sparsity};
pub use number::{Dual, Number, SERIES_TERMS, Scalar, Series, Unrecorded};
pub use partitioned_additive::{PartitionedAdditive, PartitionedAdditiveSystem};
pub use sketch::Sketch;
pub use sticking::{Sticking, VelocityCondition};
pub use strong::{FootPointError, FootPoints, Potential, Split, Unfit};
pub use taut_formula::number;

// All of a system under one name, for users and for the rooms above.
pub use crate::seen::*;
/// Systems whose formulas are known as a graph: derivatives are symbolic, values and blocks are computed by tapes.
pub mod compiled {
    pub use crate::compiled::*;
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
