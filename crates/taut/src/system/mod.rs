//! What a system is: what a person writes, what a solver sees, and the derivatives between the two.
//!
//! | | a person writes | a solver sees |
//! |---|---|---|
//! | second order, constrained | [`Mechanical`], or closures in a [`Sketch`] | [`Mechanism`], through [`Differentiated`] |
//! | second order with a strong potential | the same with U(q) and ε | [`Mechanism`], through [`FootPoints`] |
//! | partitioned, constrained | [`Hamiltonian`], [`PartitionedAdditive`] | [`Partition`], through [`DifferentiatedPartition`] |
//! | first order | [`FirstOrder`], [`SemiExplicit`], [`Hessenberg3`] | [`Evolution`], through [`Linearised`] |

mod augmented;
mod coloring;
mod damper_forces;
mod differentiated;
mod differentiated_partition;
mod evolution;
mod fault;
mod first_order;
mod force;
mod hamiltonian;
mod hessenberg;
mod independent;
mod mechanical;
mod mechanism;
pub mod number;
mod partition;
mod partitioned_additive;
mod sketch;
mod strong;
mod structure;
mod terms;

pub use augmented::Augmented;
pub(crate) use coloring::Coloring;
pub use damper_forces::DamperForces;
pub use differentiated::Differentiated;
pub use differentiated_partition::DifferentiatedPartition;
pub use evolution::{Arrangement, Composition, Evolution};
pub use fault::{Evaluation, Fault};
pub use first_order::{FirstOrder, Linearised};
pub use force::{ForceClass, Terms};
pub use hamiltonian::{Hamiltonian, HamiltonianSystem};
pub use hessenberg::{Hessenberg3, Hessenberg3System, SemiExplicit, SemiExplicitSystem};
pub use independent::Independent;
pub use mechanical::{Given, Mass, Mechanical, Sparsity};
pub use mechanism::{
    Constraint, ConstraintKind, Dynamics, Energy, Mechanism, MotionSeries, MovingFrame, Partitioned,
    Structure,
};
pub use number::{Dependence, Dual, Number, SERIES_TERMS, Scalar, Series};
pub use partition::{Partition, PartitionState, PartitionStructure, PresentPart, RatePart};
pub use partitioned_additive::{PartitionedAdditive, PartitionedAdditiveSystem};
pub use sketch::Sketch;
pub use strong::{FootPointError, FootPoints, Potential, Split, Unfit};

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
