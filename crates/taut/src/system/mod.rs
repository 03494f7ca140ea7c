//! What a system is: what a person writes, what a solver sees, and the derivatives between the two.
//!
//! | | a person writes | a solver sees |
//! |---|---|---|
//! | second order, constrained | [`Mechanical`], or closures in a [`Sketch`] | [`MechanicalSystem`], through [`Differentiated`] |
//! | second order with a strong potential | the same with U(q) and ε | [`MechanicalSystem`], through [`FootPoints`] |
//! | partitioned, constrained | [`Hamiltonian`], [`PartitionedAdditive`] | [`PartitionedSystem`], through [`DifferentiatedPartition`] |
//! | first order | [`FirstOrder`], [`SemiExplicit`], [`Hessenberg3`] | [`FirstOrderSystem`], through [`Linearised`] |

mod augmented;
mod coloring;
pub mod compiled;
mod damper_forces;
mod differentiated;
mod differentiated_partition;
mod dual_numbers;
mod expansion;
mod fault;
mod finite_differences;
mod first_order;
mod first_order_expansion;
mod first_order_system;
mod force;
mod hamiltonian;
mod hessenberg;
mod independent;
mod mechanical;
mod mechanical_system;
mod partitioned_additive;
mod partitioned_system;
mod remembered;
mod separately;
mod sketch;
mod sticking;
mod strong;
mod terms;
mod traced;
mod wrapper;

pub use augmented::Augmented;
pub(crate) use coloring::Coloring;
pub use damper_forces::DamperForces;
pub use differentiated::Differentiated;
pub use differentiated_partition::DifferentiatedPartition;
pub(crate) use expansion::RowKind;
pub use expansion::{MechanicalExpansion, MechanicalFormulas, MechanicalRecursion, RowFormula};
pub use fault::{Evaluation, Fault, Raised};
pub(crate) use fault::{are_finite, finite};
pub use finite_differences::FiniteDifferences;
pub use first_order::{FirstOrder, Linearised};
pub(crate) use first_order_expansion::AlgebraicEquations;
pub use first_order_expansion::{FirstOrderExpansion, FirstOrderFormulas, FirstOrderRecursion};
pub use first_order_system::{Arrangement, Composition, FirstOrderSystem};
pub use force::{ForceClass, Terms};
pub use hamiltonian::{Hamiltonian, HamiltonianSystem};
pub use hessenberg::{Hessenberg3, Hessenberg3System, SemiExplicit, SemiExplicitSystem};
pub use independent::{Independent, Selection};
pub use mechanical::{Given, Mass, Mechanical, Sparsity};
pub use mechanical_system::{
    Constraint, ConstraintKind, Dynamics, Energy, MechanicalSystem, MotionSeries, MovingFrame, Partitioned,
    Structure,
};
pub use number::{Dual, Number, SERIES_TERMS, Scalar, Series, Unrecorded};
pub use partitioned_additive::{PartitionedAdditive, PartitionedAdditiveSystem};
pub use partitioned_system::{PartitionState, PartitionStructure, PartitionedSystem, PresentPart, RatePart};
pub(crate) use remembered::give_back;
pub use sketch::Sketch;
pub use sticking::{Sticking, VelocityCondition};
pub use strong::{FootPointError, FootPoints, Potential, Split, Unfit};
pub use taut_formula::number;
pub use wrapper::Wrapper;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
