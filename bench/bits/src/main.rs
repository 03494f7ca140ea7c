//! Hashes of what runs give, to the last bit, compared with those on record.
//!
//! Moving and merging code must not change a bit of any result. `taut-bits check` runs every problem with every method
//! at three tolerances, and some settings beside, and names the runs that differ from the record; `taut-bits record`
//! writes it anew, which a change does that is meant to give other bits, and says so.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

mod cases;
mod hash;
mod record;

use std::error::Error;
use std::process::ExitCode;

use record::Record;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let outcome = match argument.as_deref() {
        Some("check") => check(),
        Some("record") => Record::now().and_then(|record| record.write()),
        _ => Err("usage: taut-bits check | record".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// So many lines of the record that differ are shown.
const MOST_SHOWN: usize = 20;

fn check() -> Result<(), Box<dyn Error>> {
    let (recorded, now) = (Record::read()?, Record::now()?);
    let differences = recorded.differences(&now);
    if recorded.surroundings != now.surroundings {
        println!("bits on record are of another machine; {} of them differ here", differences.len());
        println!("  recorded: {}\n  here:     {}", recorded.surroundings, now.surroundings);
        return Ok(());
    }
    println!("{} runs, {} of them differ", now.runs(), differences.len());
    if differences.is_empty() {
        return Ok(());
    }
    let few = &differences[..differences.len().min(MOST_SHOWN)];
    Err(format!("{}\n{} lines of the record in all", few.join("\n"), differences.len()).into())
}
