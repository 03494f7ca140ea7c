//! Model files, from their text to their motion: one program, since each one more would be linked with everything.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/phases.rs"]
mod phases;

mod adding_up;
mod against_rust;
mod automatic;
mod bodies;
mod cases;
mod compiled;
mod digits;
mod event_models;
mod events;
mod guide;
mod hamiltonian;
mod hostile;
mod implicit;
mod include;
mod jumps;
mod jumps_everywhere;
mod language;
mod mechanisms;
mod models;
mod molecules;
mod observations;
mod printing;
mod sliding;
mod starts;
mod tables;
mod units;
mod whips;
mod wrong;
