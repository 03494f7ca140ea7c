//! Instruction counts of fixed workloads, compared with those on record.
//!
//! Times vary with the machine and its other work; counts do not, as long as compiler, C library and vector unit
//! are the same. `taut-counts check` compares where they are, and only prints where they are not;
//! `taut-counts update` writes the record anew; `taut-counts run NAME` runs one workload, for a profiler;
//! `taut-counts rooms NAME` says in which rooms of the house its instructions are spent; `taut-counts choice [PROBLEM...]`
//! compares `auto` with the best method of each problem, which takes minutes; `taut-counts bodies` compares the squeezer from bodies with
//! the one by hand, and `taut-counts series` Taylor's series with an explicit method, at equal error; `taut-counts places LINKS...`
//! times chains from their model file beside those by hand.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

mod bodies;
mod callgrind;
mod choice;
mod ensemble;
mod equal_error;
mod places;
mod record;
mod rooms;
mod series;
mod sweep;
mod workloads;

use std::error::Error;
use std::process::ExitCode;

use record::{LARGEST_RISE, Record, rise};
use workloads::{ALL, COMPARED, EVALUATIONS, SPARK, spark_on_paper};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match &arguments[..] {
        ["check"] => check(),
        ["update"] => measure().and_then(|record| record.write()),
        ["run", name] => run(name),
        ["rooms", name] => rooms_of(name),
        ["bodies"] => bodies::table(),
        ["bodies", method] => bodies::run(method),
        ["choice", names @ ..] => choice::table(names),
        ["series"] => series::table(),
        ["series", name, method] => series::run(name, method),
        ["places", links @ ..] => places::table(links),
        ["methods", name, tolerance, methods @ ..] => choice::run(name, tolerance, methods),
        _ => {
            Err("usage: taut-counts check | update | run WORKLOAD | rooms WORKLOAD | choice [PROBLEM...] | bodies | series | places LINKS..."
                .into())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str) -> Result<(), Box<dyn Error>> {
    let workload = ALL.iter().find(|workload| workload.name == name);
    workload.ok_or_else(|| format!("there is no workload {name}"))?.run()
}

fn rooms_of(name: &str) -> Result<(), Box<dyn Error>> {
    for (room, share) in rooms::shares(&callgrind::profile(name)?) {
        println!("{:6.1} %  {room}", 100.0 * share);
    }
    Ok(())
}

fn measure() -> Result<Record, Box<dyn Error>> {
    let count = |name: &str| {
        let count = callgrind::instructions(name)?;
        println!("{name:34} {count:>12}");
        Ok((name.to_owned(), count))
    };
    let counts = ALL.iter().map(|workload| count(workload.name)).collect::<Result<_, Box<dyn Error>>>()?;
    Ok(Record { surroundings: callgrind::surroundings()?, counts })
}

fn check() -> Result<(), Box<dyn Error>> {
    let (recorded, now) = (Record::read()?, measure()?);
    let mut faults: Vec<String> = COMPARED.iter().filter_map(|pair| slow_text(&now, *pair)).collect();
    faults.extend(slow_spark(&now)?);
    if recorded.surroundings != now.surroundings {
        println!("counts on record are of another machine and were not compared:");
        println!("  recorded: {}\n  here:     {}", recorded.surroundings, now.surroundings);
    } else {
        faults.extend(now.counts.iter().filter_map(|(name, count)| risen(&recorded, name, *count)));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn slow_text(now: &Record, (text, other, most): (&str, &str, f64)) -> Option<String> {
    let counts = now.count(text).zip(now.count(other));
    let ratio = counts.map_or(f64::NAN, |(text, other)| text as f64 / other as f64);
    println!("{text} / {other}: {ratio:.3}");
    // Not a number is too much, too.
    let within = ratio <= most;
    (!within).then(|| format!("{text} / {other} is {ratio:.3}, but must not be above {most}"))
}

/// SPARK steps may take so many times the instructions that their parts need on paper, on every machine.
const LARGEST_OVER_PAPER: f64 = 2.0;

/// The instructions of SPARK steps, over those of the evaluations, products, factorisations and solutions in them alone.
fn slow_spark(now: &Record) -> Result<Option<String>, Box<dyn Error>> {
    let one = |name: &str| now.count(name).map_or(f64::NAN, |count| count as f64 / EVALUATIONS as f64);
    let paper: f64 = spark_on_paper()?.iter().map(|(times, name)| *times as f64 * one(name)).sum();
    let ratio = now.count(SPARK).map_or(f64::NAN, |count| count as f64 / paper);
    println!("{SPARK} / their evaluations and linear algebra: {ratio:.2}");
    let within = ratio <= LARGEST_OVER_PAPER;
    let fault = format!("{SPARK}: {ratio:.2} times what they need on paper, more than {LARGEST_OVER_PAPER}");
    Ok((!within).then_some(fault))
}

/// What is wrong with a count, if anything is.
fn risen(recorded: &Record, name: &str, count: u64) -> Option<String> {
    let Some(before) = recorded.count(name) else {
        return Some(format!("{name} is not on record: `taut-counts update` writes it"));
    };
    let percent = 100.0 * rise(before, count);
    println!("{name:34} {percent:>+7.2} %");
    (rise(before, count) > LARGEST_RISE)
        .then(|| format!("{name}: {count} instructions, {before} on record: {percent:+.1} %"))
}
