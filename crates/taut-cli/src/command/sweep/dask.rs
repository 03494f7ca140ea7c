//! Runs on a Dask cluster: Python, which knows Dask, gets the values of the runs and gives their rows back.
//!
//! The process `python3 -m taut.sweep` reads one JSON object in the first line, then a line with the values of each run, and
//! writes a line for each row, in the same order. Numbers of rows are bytes in hexadecimal: no bit is lost.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::{Made, Work};
use crate::integration::Interrupt;
use crate::outcome::Failure;
use crate::progress::Counter;
use crate::sweep::{Gathered, Record, RowStatus, Store};

/// Another Python than `python3` of the path.
const PYTHON: &str = "TAUT_PYTHON";

/// Makes all runs that are missing on the workers of a cluster.
pub fn run(
    address: &str,
    work: &Work<'_>,
    mut store: Store,
    mut gathered: Gathered,
) -> Result<Made, Failure> {
    let (began, interrupt) = (Instant::now(), Interrupt::listen());
    let range = store.count..work.cases.count();
    let progress = Counter::new(range.clone(), work.sweep.quiet);
    let mut workers = 0;
    if !range.is_empty() {
        let mut child = start()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let taken = std::thread::scope(|scope| {
            scope.spawn(move || {
                // A process that has ended says itself why.
                let _ = input.map(|input| send(input, address, work, range.clone()));
            });
            let lines = output.map(|output| BufReader::new(output).lines()).into_iter().flatten();
            for line in lines {
                let line = line.map_err(|error| Failure::wrong(error).late())?;
                if interrupt.is_asked() {
                    break;
                }
                match read(&line, work)? {
                    Answer::Workers(count) => workers = count,
                    Answer::Row(record) => {
                        let record = Record { run: store.count, ..record };
                        let numbers = [work.cases.values(record.run), record.numbers].concat();
                        let record = Record { numbers, ..record };
                        gathered.take(&record);
                        store.add(&record).map_err(|error| Failure::file(&work.sweep.out, error).late())?;
                        progress.show(store.count);
                    }
                }
            }
            Ok(())
        });
        if taken.is_err() || interrupt.is_asked() {
            // It may have ended by itself.
            let _ = child.kill();
        }
        progress.finish();
        let ended = wait(child);
        let (count, all) = (store.count, work.cases.count());
        let finished = store.finish(count == all);
        taken?;
        finished.map_err(|error| Failure::file(&work.sweep.out, error).late())?;
        if count < all && !interrupt.is_asked() {
            return Err(ended
                .err()
                .unwrap_or_else(|| Failure::wrong("the cluster gave less rows than runs").late()));
        }
        let interrupted = interrupt.is_asked() && count < all;
        let seconds = began.elapsed().as_secs_f64();
        return Ok(Made { gathered, count, threads: workers, seconds, interrupted });
    }
    let count = store.count;
    Ok(Made { gathered, count, threads: workers, seconds: 0.0, interrupted: false })
}

fn start() -> Result<Child, Failure> {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(&python);
    command.args(["-m", "taut.sweep"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| {
        Failure::wrong(format!(
            "--dask needs Python, and '{python}' cannot be started: {error}; the variable {PYTHON} may name another one"
        ))
    })
}

/// Sends what all runs have in common, then the values of each.
fn send(
    mut input: impl Write,
    address: &str,
    work: &Work<'_>,
    range: std::ops::Range<u64>,
) -> std::io::Result<()> {
    let source = work.runner.model.source();
    let settings = serde_json::to_value(work.runner.settings)?;
    let head = json!({
        "address": address, "version": env!("CARGO_PKG_VERSION"), "file": source.name(), "text": source.text(),
        "names": work.cases.names(), "columns": work.runner.columns.names(), "until": work.runner.until,
        "options": settings, "runs": range.end - range.start,
    });
    writeln!(input, "{head}")?;
    for run in range {
        writeln!(input, "{}", serde_json::to_string(&work.cases.values(run))?)?;
    }
    input.flush()
}

/// What a line says.
enum Answer {
    Workers(usize),
    Row(Record),
}

fn read(line: &str, work: &Work<'_>) -> Result<Answer, Failure> {
    let strange = || Failure::wrong(format!("Python gave a line that is no row: {line}")).late();
    let value: Value = serde_json::from_str(line).map_err(|_| strange())?;
    if let Some(threads) = value["threads"].as_u64() {
        return Ok(Answer::Workers(threads as usize));
    }
    let numbers = value["numbers"].as_str().and_then(doubles).ok_or_else(strange)?;
    let status = value["status"].as_str().and_then(RowStatus::named).ok_or_else(strange)?;
    let reason = value["reason"].as_str().ok_or_else(strange)?.to_owned();
    if numbers.len() != work.runner.columns.names().len() {
        return Err(strange());
    }
    Ok(Answer::Row(Record { run: 0, numbers, status, reason }))
}

/// Numbers from the hexadecimal digits of their bytes, the lowest first.
fn doubles(text: &str) -> Option<Vec<f64>> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Vec<u8> = text.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?;
    bytes.chunks(8).map(|eight| eight.try_into().ok().map(f64::from_le_bytes)).collect()
}

fn wait(child: Child) -> Result<(), Failure> {
    let output = child.wait_with_output().map_err(|error| Failure::wrong(error).late())?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let last = words.lines().last().unwrap_or_default();
    let help = match words.contains("No module named") {
        true => {
            "; --dask needs Python with taut, pandas and dask.distributed: pip install taut pandas distributed"
        }
        false => "",
    };
    Err(Failure::wrong(format!("Python ended without all rows: {last}{help}")).late())
}
