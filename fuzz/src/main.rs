//! `fuzz/run`: goes on for as long as one likes, and keeps what it finds, made small, under `fuzz/found`.

#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use taut_fuzz::campaign::{Finding, Tally, feed, judge_all, minimised};
use taut_fuzz::mechanism::judge::second_method;
use taut_fuzz::mechanism::text::text;
use taut_fuzz::mechanism::{Mechanism, make};
use taut_fuzz::target::{Target, all};

/// Feeds the command with hostile inputs and random mechanisms.
#[derive(Parser)]
struct Options {
    /// Go on for so many minutes
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Or until so many inputs of each target, and mechanisms, have been tried
    #[arg(long)]
    inputs: Option<u64>,
    /// The first seed
    #[arg(long, default_value_t = 1_000_000)]
    seed: u64,
    /// Only this target: models, checkpoints, tables, lines or mechanisms
    #[arg(long)]
    only: Option<String>,
    /// Print the mechanism of the seed as a model file, and try nothing
    #[arg(long)]
    print: bool,
}

/// So many seeds are tried before the clock is looked at.
const ROUND: u64 = 50;

/// The status of a process that was asked to end, to shells.
const ENDED: i32 = 130;

fn main() -> ExitCode {
    let options = Options::parse();
    // Before the command listens, which would end one of its runs only.
    let _ = ctrlc::set_handler(|| std::process::exit(ENDED));
    // A panic is a finding: its message is part of it, and need not be printed in between.
    std::panic::set_hook(Box::new(|_| {}));
    if options.print {
        print!("# --method auto, and {}\n{}", second_method(options.seed), text(&make(options.seed)));
        return ExitCode::SUCCESS;
    }
    match go_on(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Goes on; how much was found wrong.
fn go_on(options: &Options) -> std::io::Result<usize> {
    let end = Instant::now() + Duration::from_secs_f64(60.0 * options.minutes);
    let folder = tempfile::tempdir()?;
    let wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    let targets: Vec<Box<dyn Target>> = all().into_iter().filter(|target| wanted(target.name())).collect();
    let (mut seed, mut tally, mut found) = (options.seed, Tally::default(), 0);
    let last = options.inputs.map_or(u64::MAX, |inputs| options.seed + inputs);
    while Instant::now() < end && seed < last {
        let until = (seed + ROUND).min(last);
        for target in &targets {
            let findings = feed(target.as_ref(), seed..until, folder.path());
            found += findings.len();
            findings.iter().try_for_each(|finding| keep(finding, Some(target.as_ref()), folder.path()))?;
        }
        if wanted("mechanisms") {
            let round = judge_all(seed..until)?;
            found += round.findings.len();
            round.findings.iter().try_for_each(|finding| keep(finding, None, folder.path()))?;
            tally.join(&round);
        }
        seed = until;
    }
    println!("{} inputs of each target, {found} findings", seed - options.seed);
    let [done, refused, stopped] = tally.runs;
    println!(
        "{} mechanisms: {done} runs done, {refused} refused, {stopped} stopped; {} compared, {} with a warning",
        tally.mechanisms, tally.compared, tally.warned
    );
    if let Some(most) = largest_memory() {
        println!("largest memory {most} MB");
    }
    Ok(found)
}

/// Writes what was found, made small, to a file that may go to the corpus once it is repaired.
fn keep(finding: &Finding, target: Option<&dyn Target>, folder: &Path) -> std::io::Result<()> {
    let place = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/found")).join(finding.target);
    std::fs::create_dir_all(&place)?;
    let small = minimised(finding, target, folder);
    let path = place.join(format!("{}.txt", finding.seed));
    println!("{} {}: {}\n  kept in {}", finding.target, finding.seed, finding.words, path.display());
    if let Ok(mechanism) = serde_json::from_str::<Mechanism>(&small) {
        std::fs::write(path.with_extension("toml"), text(&mechanism))?;
    }
    std::fs::write(path, small)
}

/// The most memory that this process has had, where the system tells.
fn largest_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1000)
}
