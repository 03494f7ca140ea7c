//! The command from end to end.

#![allow(clippy::unwrap_used, clippy::panic)]

mod benches;
mod bodies;
mod checkpoint;
mod checks;
mod claims;
mod constraints;
mod files;
mod language;
mod lists;
mod models;
mod pictures;
mod reading;
mod references;
mod running;
mod safety;
mod second_run;
mod suitable;
mod support;
mod sweeps;
mod taylor;
