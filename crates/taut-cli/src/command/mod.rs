//! The commands, one file each.

mod bench;
pub mod check;
mod fmt;
mod import;
pub mod methods;
mod models;
mod plot;
pub mod run;
pub mod tableau;
pub mod verify;

use clap::CommandFactory;

use crate::arguments::{Arguments, Command};
use crate::outcome::{Outcome, Status, print};

/// Does what was typed.
pub fn execute(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Run(run) => run::execute(run),
        Command::Check(check) => check::execute(check),
        Command::Fmt(fmt) => fmt::execute(fmt),
        Command::Import(import) => import::execute(import),
        Command::Models(format) => models::execute(format),
        Command::Methods(format) => methods::execute(format),
        Command::Tableau(tableau) => tableau::execute(tableau),
        Command::Verify(verify) => verify::execute(verify),
        Command::Plot(plot) => plot::execute(plot),
        Command::Bench(bench) => bench::execute(bench),
        Command::Completions { shell } => completions(*shell),
    }
}

fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "taut", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Status::Done)
}
