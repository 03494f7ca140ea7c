//! What is asked of a run has to make sense.

use super::System;
use crate::error::Error;
use crate::options::Options;

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
