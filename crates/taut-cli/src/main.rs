//! The `taut` command: models from files or built in, integrated, checked and drawn.
//!
//! Everything a command has to say goes through [`outcome`]; here are only the exit codes.

mod arguments;
mod checkpoint;
mod command;
mod integration;
mod manifest;
mod model;
mod nearest;
mod outcome;
mod output;
mod page;
mod picture;
mod progress;
mod report;
mod settings;
mod summary;
mod table;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match command::execute(&arguments::Arguments::parse()) {
        Ok(status) => status.into(),
        Err(failure) => {
            // Nobody is left to be told when standard error is closed.
            let _ = writeln!(std::io::stderr(), "{}", failure.message);
            failure.status.into()
        }
    }
}
