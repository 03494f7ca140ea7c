//! The `taut` command: models from files or built in, integrated, checked and drawn.
//!
//! What it does is in the library beside it; here are only the exit codes.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use taut_cli::{arguments, command};

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
