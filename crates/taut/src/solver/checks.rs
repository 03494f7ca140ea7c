//! What is asked of a run has to make sense, and what it gives.

use super::System;
use crate::error::{Error, RunError};
use crate::options::Options;
use crate::start::{StartError, check_mass};

/// Something must move.
pub(super) fn check_size(system: System<'_>) -> Result<(), Error> {
    let nothing_moves = match system {
        System::Mechanical(system) => system.structure().n() == 0,
        System::FirstOrder(system) => system.composition().n() == 0,
        System::Partitioned(_) => false,
    };
    match nothing_moves {
        true => Err(Error::Option { name: "the number of variables", value: 0.0, expected: "at least 1" }),
        false => Ok(()),
    }
}

pub(super) fn check_options(options: &Options) -> Result<(), Error> {
    let positive = |name, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(Error::Option { name, value, expected: "a positive number" }),
    };
    positive("rtol", options.rtol)?;
    positive("atol", options.atol)?;
    for (name, value) in [
        ("step", options.constant_step),
        ("first step", options.first_step),
        ("largest step", options.largest_step),
    ] {
        if let Some(value) = value {
            positive(name, value.abs())?;
        }
    }
    Ok(())
}

pub(super) fn check_time(name: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() { Ok(()) } else { Err(Error::Option { name, value, expected: "a finite number" }) }
}

/// Whether mass has become negative by the end of the last step: explicit steps of constant length go on nevertheless. A step that ends
/// there is wrong as a whole, also where an event ended the run inside of it.
pub(super) fn lost_mass(system: System<'_>, t: f64, state: &[f64]) -> Option<RunError> {
    let System::Mechanical(system) = system else { return None };
    if system.structure().constant_mass {
        return None;
    }
    match check_mass(system, state.get(..system.structure().n())?) {
        Err(StartError::IndefiniteMass { coordinate, value }) => {
            Some(RunError::IndefiniteMass { t, coordinate, value })
        }
        _ => None,
    }
}
