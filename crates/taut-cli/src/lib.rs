//! What the `taut` command is made of, for other faces of the same things: how a run is set up, recorded, summed up and
//! written. The Python package stands on it.
//!
//! Everything a command has to say goes through [`outcome`].

pub mod arguments;
mod bodies;
mod checkpoint;
pub mod command;
pub mod files;
mod hash;
pub mod integration;
mod manifest;
pub mod model;
mod nearest;
pub mod outcome;
pub mod output;
pub mod overrides;
pub mod page;
mod picture;
mod progress;
mod report;
pub mod settings;
pub mod summary;
pub mod sweep;
pub mod table;
