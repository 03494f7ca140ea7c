//! The commands, one file each.

mod bench;
pub mod check;
pub mod digits;
mod fmt;
mod import;
pub mod methods;
mod models;
mod plot;
pub mod reference;
pub mod run;
mod sweep;
pub mod tableau;
pub mod verify;

use clap::CommandFactory;

use crate::arguments::{Arguments, Command};
use crate::outcome::{Outcome, Status, print};

/// Does what was typed.
pub fn execute(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Run(run) => run::execute(run),
        Command::Sweep(sweep) => sweep::execute(sweep),
        Command::Check(check) => check::execute(check),
        Command::Fmt(fmt) => fmt::execute(fmt),
        Command::Import(import) => import::execute(import),
        Command::Reference(reference) => reference::execute(reference),
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

/// The command as it was typed, for a shell.
fn typed() -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=+:,*@%".contains(c))
    };
    let quoted =
        |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', "'\\''")) };
    let words: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    format!("taut {}", words.join(" "))
}
