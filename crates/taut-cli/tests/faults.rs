//! Files when the disk fails: each operation of a run in turn, once, for want of room, or as the last one of the process.
//! What a checkpoint covers is never lost, and a run that goes on ends with the files of one that was not interrupted.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use clap::Parser;
use taut_cli::arguments::{Arguments, Command};
use taut_cli::command::run::{Performed, perform};
use taut_cli::files::{Disk, Fault};
use taut_cli::outcome::{Failure, Status};

const FORMATS: [&str; 4] = ["csv", "json", "npz", "parquet"];
/// More operations than a run has.
const MANY: usize = 300;

fn run(words: &str, folder: &Path, disk: &Disk) -> Result<Performed, Failure> {
    let words = words.replace("DIR", &folder.display().to_string());
    let arguments = Arguments::try_parse_from(["taut", "run"].into_iter().chain(words.split_whitespace()));
    let Command::Run(run) = arguments.unwrap().command else { panic!("{words}") };
    perform(&run, disk)
}

/// A short run whose steps, rows and end differ by the method.
fn words(format: &str, method: &str) -> String {
    format!(
        "pendulum --until 3 --method {method} --json --out DIR/out.{format} --checkpoint DIR/c.json --plot DIR/p.svg"
    )
}

fn whole(format: &str, method: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let done = run(&words(format, method), folder.path(), &Disk::default()).unwrap();
    assert_eq!(done.ending.unwrap(), Status::Done);
    std::fs::read(folder.path().join(format!("out.{format}"))).unwrap()
}

/// Lets the n-th operation fail, for every n; what follows is judged by `judge`, which gets the folder and the outcome.
fn for_every_operation(
    fault: Fault,
    format: &str,
    method: &str,
    judge: impl Fn(usize, &Path, Result<Performed, Failure>),
) {
    for at in 1..MANY {
        let (folder, disk) = (tempfile::tempdir().unwrap(), Disk::failing(fault, at));
        let outcome = run(&words(format, method), folder.path(), &disk);
        if !disk.has_failed() {
            assert!(at > 10, "{format}: only {at} operations");
            return;
        }
        judge(at, folder.path(), outcome);
    }
    panic!("more than {MANY} operations");
}

/// Whatever was the last operation: the run goes on from its checkpoint, or begins anew without one, and its file is that of
/// a run that was not interrupted.
#[test]
fn a_run_that_is_killed_goes_on_with_the_same_file() {
    for (format, method) in FORMATS.into_iter().zip(["dopri8", "radau", "bdf", "spark"]) {
        let expected = whole(format, method);
        for_every_operation(Fault::Killed, format, method, |at, folder, _| {
            let resumed = folder.join("c.json").exists();
            let rest =
                format!("pendulum --json --out DIR/out.{format} --checkpoint DIR/c.json --resume DIR/c.json");
            let again = if resumed { rest } else { words(format, method) };
            let done = run(&again, folder, &Disk::default()).unwrap();
            assert_eq!(done.ending.unwrap(), Status::Done, "{format}, operation {at}");
            let found = std::fs::read(folder.join(format!("out.{format}"))).unwrap();
            assert!(
                found == expected,
                "{format}, operation {at}: {} of {} bytes",
                found.len(),
                expected.len()
            );
            for left in ["part", "new", "blocks"] {
                assert!(
                    !folder.join(format!("out.{format}.{left}")).exists(),
                    "{format}, operation {at}: {left}"
                );
            }
        });
    }
}

/// A finished run that is made longer, and is killed while its rows are taken back from the file.
#[test]
fn a_finished_run_that_is_killed_when_it_goes_on_loses_nothing() {
    for format in FORMATS {
        let expected = whole(format, "dopri8");
        for at in 1..MANY {
            let folder = tempfile::tempdir().unwrap();
            run(&words(format, "dopri8"), folder.path(), &Disk::default()).unwrap();
            let on = format!("pendulum --out DIR/out.{format} --checkpoint DIR/c.json --resume DIR/c.json");
            let disk = Disk::failing(Fault::Killed, at);
            let _ = run(&on, folder.path(), &disk);
            if !disk.has_failed() {
                break;
            }
            let done = run(&on, folder.path(), &Disk::default());
            let done = done.unwrap_or_else(|failure| panic!("{format}, operation {at}: {}", failure.message));
            assert_eq!(done.ending.unwrap(), Status::Done, "{format}, operation {at}");
            let found = std::fs::read(folder.path().join(format!("out.{format}"))).unwrap();
            assert!(found == expected, "{format}, operation {at}");
        }
    }
}

/// An error is told with the name of the file and status 3 (or 2 before the first step); rows that are there are whole.
#[test]
fn a_failing_disk_is_told_and_leaves_whole_rows() {
    for fault in [Fault::Once, Fault::Full] {
        for format in ["csv", "json", "parquet"] {
            let expected = whole(format, "dopri8");
            for_every_operation(fault, format, "dopri8", |at, folder, outcome| {
                let context = format!("{fault:?}, {format}, operation {at}");
                let told = match outcome {
                    Err(failure) => failure.message,
                    Ok(done) => {
                        let status =
                            done.ending.as_ref().map_or_else(|failure| failure.status, |status| *status);
                        let file = done.ending.map_or_else(|failure| failure.message, |_| String::new());
                        assert_eq!(status, Status::Stopped, "{context}");
                        format!("{}{file}", done.messages.join("\n"))
                    }
                };
                assert!(
                    told.contains("out.") || told.contains("c.json") || told.contains("p.svg"),
                    "{context}: {told}"
                );
                is_whole(format, &folder.join(format!("out.{format}")), &expected, &context);
            });
        }
    }
}

/// A file that is there begins like the one it should have become, and ends with a row.
fn is_whole(format: &str, path: &Path, expected: &[u8], context: &str) {
    let Ok(found) = std::fs::read(path) else { return };
    match format {
        "csv" => {
            assert!(expected.starts_with(&found), "{context}");
            assert!(
                found.is_empty() || found.ends_with(b"\n"),
                "{context}: {}",
                String::from_utf8_lossy(&found)
            );
        }
        "json" => {
            if found.is_empty() || found.ends_with(b"[") || !found.starts_with(b"{\"columns\": [\"t\"") {
                return;
            }
            // Where no room is left, what stands behind the rows may be missing, or half of it.
            let text = String::from_utf8(found).unwrap();
            let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
            let closed =
                context.starts_with("Full") && ["]}", "}"].iter().any(|rest| read(&format!("{text}{rest}")));
            assert!(read(&text) || closed, "{context}: {text}");
        }
        // Of a run that stopped: all of a file, with the rows that there were.
        _ => assert!(
            found.starts_with(b"PAR1") && found.ends_with(b"PAR1") && found.len() <= expected.len(),
            "{context}"
        ),
    }
}

#[test]
fn a_finished_run_is_made_longer_without_repeated_rows() {
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let out = format!("--out DIR/out.{format} --checkpoint DIR/c.json");
        run(&format!("pendulum --until 3 {out}"), folder.path(), &Disk::default()).unwrap();
        let longer = format!("pendulum --until 6 {out} --resume DIR/c.json");
        assert_eq!(run(&longer, folder.path(), &Disk::default()).unwrap().ending.unwrap(), Status::Done);
        // The same numbers as text, from whatever format.
        run("pendulum --until 3 --out DIR/a.csv --checkpoint DIR/a.json", folder.path(), &Disk::default())
            .unwrap();
        run("pendulum --until 6 --out DIR/a.csv --resume DIR/a.json", folder.path(), &Disk::default())
            .unwrap();
        let text = std::fs::read_to_string(folder.path().join("a.csv")).unwrap();
        let times: Vec<f64> =
            text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
        assert!(
            times.windows(2).all(|pair| pair[0] < pair[1])
                && times.contains(&3.0)
                && times.last() == Some(&6.0)
        );
        if format == "csv" {
            assert_eq!(text, std::fs::read_to_string(folder.path().join("out.csv")).unwrap());
        }
    }
}

#[test]
fn a_file_that_is_not_the_one_of_the_checkpoint_is_left_alone() {
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let out = format!("--out DIR/out.{format} --checkpoint DIR/c.json");
        run(&format!("pendulum --until 3 {out}"), folder.path(), &Disk::default()).unwrap();
        let path = folder.path().join(format!("out.{format}"));
        run(
            &format!("pendulum --until 2 --rtol 1e-4 --out DIR/out.{format}"),
            folder.path(),
            &Disk::default(),
        )
        .unwrap();
        let before = std::fs::read(&path).unwrap();
        let failure =
            run(&format!("pendulum --until 6 {out} --resume DIR/c.json"), folder.path(), &Disk::default());
        let message = failure.unwrap_err().message;
        assert!(message.contains("cannot go on with this file"), "{message}");
        assert!(std::fs::read(&path).unwrap() == before, "{format}");
        assert!(!folder.path().join(format!("out.{format}.part")).exists());
    }
}
