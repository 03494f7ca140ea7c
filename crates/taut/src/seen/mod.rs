//! What a solver sees of a system, whoever has written it: values, derivative blocks on fixed patterns, and the answer that there
//! is no value.
//!
//! [`MechanicalSystem`], [`FirstOrderSystem`] and [`PartitionedSystem`] may be written by hand. What a person writes in their
//! place becomes one of them in [`system`](crate::system), and formulas in a graph do in `compiled`.

mod expansion;
mod fault;
mod first_order_expansion;
mod first_order_system;
mod force;
mod mechanical_system;
mod partitioned_system;
mod remembered;
pub(crate) mod separately;
mod wrapper;

pub(crate) use expansion::RowKind;
pub use expansion::{MechanicalExpansion, MechanicalFormulas, MechanicalRecursion, RowFormula};
pub use fault::{Evaluation, Fault, Raised};
pub(crate) use fault::{are_finite, finite};
pub(crate) use first_order_expansion::AlgebraicEquations;
pub use first_order_expansion::{FirstOrderExpansion, FirstOrderFormulas, FirstOrderRecursion};
pub use first_order_system::{Arrangement, Composition, FirstOrderSystem};
pub use force::{ForceClass, Terms};
pub use mechanical_system::{
    Constraint, ConstraintKind, Dynamics, Energy, MechanicalSystem, MotionSeries, MovingFrame, Partitioned,
    Structure,
};
pub use partitioned_system::{PartitionState, PartitionStructure, PartitionedSystem, PresentPart, RatePart};
pub(crate) use remembered::give_back;
pub use wrapper::Wrapper;
