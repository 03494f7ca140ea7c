//! The `taut` command: models from files or built in, integrated, checked and drawn.
//!
//! What it does is in the library beside it; here are only the exit codes.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use taut_cli::arguments::Arguments;
use taut_cli::command;
use taut_cli::outcome::Failure;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Help and version are no mistakes, whoever asks for them.
        Err(error) if error.use_stderr() && std::env::args().any(|argument| argument == "--json") => {
            return complain(&Failure::rendered(error.to_string()), true);
        }
        Err(error) => error.exit(),
    };
    match command::execute(&arguments) {
        Ok(status) => status.into(),
        Err(failure) => complain(&failure, arguments.command.is_for_programs()),
    }
}

/// Says what went wrong, as JSON where the result would have been JSON.
fn complain(failure: &Failure, for_programs: bool) -> ExitCode {
    let text = if for_programs { failure.to_json().to_string() } else { failure.message.clone() };
    // Nobody is left to be told when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
    failure.status.into()
}
