//! `taut import`

use crate::arguments::Import;
use crate::model::robot_text;
use crate::outcome::{Failure, Outcome, Status, print};

/// Writes the model file of a robot.
pub fn execute(import: &Import) -> Outcome {
    let text = robot_text(&import.file, &import.robot)?;
    match &import.out {
        Some(path) => std::fs::write(path, text).map_err(|error| Failure::file(path, error))?,
        None => print(&text)?,
    }
    Ok(Status::Done)
}
