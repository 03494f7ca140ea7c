//! Model files: read, differentiate, compile.
//!
//! A model file is TOML with expressions in strings; the format is described in the README of this crate.
//! [`Model::read`] gives a system with all derivatives that a solver needs, or [`Errors`] that point at the line and
//! column of everything that is wrong.

mod bodies;
mod builtin;
mod compiled;
#[cfg(test)]
mod derivatives;
mod events;
mod exact;
mod expression;
mod function;
mod interpolation;
mod jumps;
mod limits;
mod mistake;
mod model;
mod nearest;
mod observers;
mod phases;
mod print;
mod quoted;
mod reader;
mod source;
mod table_file;
mod unit;
mod value;
mod variants;

pub use bodies::BodiesModel;
pub use builtin::builtin;
pub use compiled::Compiled;
pub use events::Events;
pub use exact::ExactModel;
pub use limits::FILE_BYTES as MOST_BYTES;
pub use mistake::{Errors, Mistake};
pub use model::{Drawing, Model, Start, System};
pub use observers::Observers;
pub use phases::{ModelPhases, PhaseSystem};
pub use print::{canonical, format};
pub use reader::sections;
pub use source::{Source, Span};
pub use taut::system::compiled::{
    FirstOrderModel, MechanicalEnsemble, MechanicalModel, PartitionedModel, StrongPotential,
};
pub use value::{value_of, value_with};
pub use variants::Variants;
