//! Model files: read, differentiate, compile.
//!
//! A model file is TOML with expressions in strings; the format is described in the README of this crate.
//! [`Model::read`] gives a system with all derivatives that a solver needs, or [`Errors`] that point at the line and
//! column of everything that is wrong.

mod accelerations;
mod bodies;
mod builtin;
mod compiled;
mod events;
mod exact;
mod expression;
mod first_order;
mod function;
mod interpolation;
mod jumps;
mod limits;
mod mechanical;
mod mistake;
mod model;
mod nearest;
mod observers;
mod partition;
mod phases;
mod print;
mod quoted;
mod reader;
mod source;
mod switches;
mod table_file;
mod unit;
mod value;
mod variants;

pub use bodies::BodiesModel;
pub use builtin::builtin;
pub use compiled::Compiled;
pub use events::Events;
pub use exact::ExactModel;
pub use first_order::FirstOrderModel;
pub use limits::FILE_BYTES as MOST_BYTES;
pub use mechanical::{MechanicalEnsemble, MechanicalModel, StrongPotential};
pub use mistake::{Errors, Mistake};
pub use model::{Drawing, Model, Start, System};
pub use observers::Observers;
pub use partition::PartitionedModel;
pub use phases::{ModelPhases, PhaseSystem};
pub use print::{canonical, format};
pub use reader::sections;
pub use source::{Source, Span};
pub use value::{value_of, value_with};
pub use variants::Variants;
