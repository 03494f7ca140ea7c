//! The engine on problems, models and claims: one program, since each one more would be linked with everything.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../snapshots_common/mod.rs"]
mod snapshots_common;
#[path = "../spark_common/mod.rs"]
mod spark_common;

mod adams;
mod approaches;
mod averaged;
mod bad_input;
mod behaviour;
mod choice;
mod claims;
mod close_events;
mod dampers;
mod dependent_springs;
mod events;
mod every_tolerance;
mod formulations;
mod grown;
mod lengths;
mod molecules;
mod multistep;
mod one_step;
mod orders;
mod precision;
mod raised;
mod redundant;
mod resumption;
mod series;
mod series_tolerances;
mod singular;
mod spark_forces;
mod spark_hamiltonian;
mod spark_orders;
mod spark_partitioned;
mod spark_reversible;
mod spark_rounding;
mod spark_runs;
mod spark_singular_mass;
mod spark_structure;
mod spring_methods;
mod springs;
mod springs_checked;
mod springs_going_on;
mod stiction;
mod stiff_components;
mod strong_potentials;
mod tolerances;
