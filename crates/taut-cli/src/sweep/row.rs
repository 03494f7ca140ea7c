//! One run of a sweep: one row.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use taut::motion::Stop;
use taut::run::{Output, RunError};

use super::columns::{Columns, numbers};
use super::extremes::Extremes;
use crate::files::Disk;
use crate::integration::{Ending, Plan};
use crate::model::{SharedModel, Subject};
use crate::outcome::Failure;
use crate::output::{Destination, Format};
use crate::settings::Settings;
use crate::summary::Summary;
use crate::table::Table;

/// How a run of a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStatus {
    /// it came to its end
    Done,
    /// it stopped early: the row is what was there then
    Stopped,
    /// it did not begin: the row has no numbers
    Failed,
}

impl RowStatus {
    /// All of them.
    pub const ALL: [RowStatus; 3] = [RowStatus::Done, RowStatus::Stopped, RowStatus::Failed];

    /// What it is called in the column `status`.
    pub fn name(self) -> &'static str {
        match self {
            RowStatus::Done => "done",
            RowStatus::Stopped => "stopped",
            RowStatus::Failed => "failed",
        }
    }

    /// The status of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// in the order of the columns; NaN where there is none
    pub numbers: Vec<f64>,
    /// how it ended
    pub status: RowStatus,
    /// why it stopped or failed, or what the user should know of a run that is done; in one line
    pub reason: String,
}

/// Where the trajectories of all runs go: DIR/RUN.csv or DIR/RUN.parquet.
#[derive(Clone, Debug)]
pub struct Trajectories {
    /// the folder
    pub folder: PathBuf,
    /// the format
    pub format: Format,
    /// output at so many times, or at such distances; else at every step
    pub samples: Option<usize>,
    /// a state after each of such distances
    pub every: Option<f64>,
}

/// Makes the rows of a sweep; threads share it.
pub struct Runner<'a> {
    /// the model
    pub model: &'a SharedModel,
    /// how it is integrated; its overrides hold for all runs
    pub settings: &'a Settings,
    /// the end time; else that of the model
    pub until: Option<f64>,
    /// what a row has
    pub columns: &'a Columns,
    /// where trajectories go
    pub trajectories: Option<&'a Trajectories>,
}

impl Runner<'_> {
    /// Makes one run with these values of parameters and starts; nothing when it was stopped. Only files that cannot be written
    /// are errors, all others are rows.
    pub fn run(&self, number: u64, set: &[(String, f64)], stop: &AtomicBool) -> Result<Option<Row>, Failure> {
        let failed = |reason: String| Row {
            numbers: vec![f64::NAN; self.columns.names().len()],
            status: RowStatus::Failed,
            reason,
        };
        let begun = self.model.subject(&[self.settings.set.as_slice(), set].concat());
        let (subject, until) = match begun.and_then(|subject| Ok((end_of(&subject, self.until)?, subject))) {
            Ok((until, subject)) => (subject, until),
            Err(failure) => return Ok(Some(failed(in_one_line(&failure)))),
        };
        let mut extremes = Extremes::new(&subject, self.destination(number, &subject), stop);
        let plan = Plan {
            subject: &subject,
            settings: self.settings,
            until,
            output: self.output(&subject, until),
            snapshot_every: None,
            resume: None,
            share_of_tolerances: 1.0,
        };
        let ending = plan.run(&mut extremes);
        extremes.finish().map_err(|error| Failure::wrong(error).late())?;
        let ending = match ending {
            Ok(ending) => ending,
            Err(failure) => return Ok(Some(failed(in_one_line(&failure)))),
        };
        if stop.load(Ordering::Relaxed) && ending.motion.stop == Stop::Observer {
            return Ok(None);
        }
        if !ending.motion.began.is_empty() {
            extremes.look(subject.model.start.t, &ending.motion.began);
        }
        let row = row(&subject, self, (until, set), &ending, &extremes);
        Ok(Some(match self.columns.place(&subject, row.numbers) {
            Ok(numbers) => Row { numbers, ..row },
            Err(name) => failed(format!("this run has a column '{name}', which the sweep has not")),
        }))
    }

    fn output(&self, subject: &Subject, last: f64) -> Output {
        let first = subject.model.start.t;
        match self.trajectories {
            None => Output::End,
            Some(Trajectories { samples: Some(count), .. }) => Output::Samples { first, last, count: *count },
            Some(Trajectories { every: Some(distance), .. }) => {
                Output::Every { first, last, distance: *distance }
            }
            Some(_) => Output::Steps,
        }
    }

    fn destination(&self, number: u64, subject: &Subject) -> Option<Destination> {
        let wanted = self.trajectories?;
        let ending = if wanted.format == Format::Csv { "csv" } else { "parquet" };
        let path = wanted.folder.join(format!("{number}.{ending}"));
        Some(Destination::new(path, wanted.format, Table::new(subject).names()).on(&Disk::default()))
    }
}

fn row(
    subject: &Subject,
    runner: &Runner<'_>,
    (until, set): (f64, &[(String, f64)]),
    ending: &Ending,
    extremes: &Extremes<'_>,
) -> Row {
    let accounts = extremes.accounts(subject.model.start.t, &ending.motion.began);
    let summary = Summary {
        subject,
        settings: runner.settings,
        from: subject.model.start.t,
        until,
        ending,
        accounts: &accounts,
        conserved: None,
        stopped: None,
    };
    let numbers = numbers(subject, &summary, ending, &accounts, extremes);
    let stopped = ending.reason.as_ref().map(explained).or_else(|| summary.not_finite()).or_else(|| {
        let place = numbers.iter().position(|value| !value.is_finite())?;
        let table = Table::new(subject);
        Some(format!("at t = {} '{}' is {}", ending.motion.t, table.names().get(place)?, numbers[place]))
    });
    let (status, reason) = match stopped {
        Some(reason) => (RowStatus::Stopped, reason),
        None => {
            let words = ending.motion.warning.iter().cloned().chain(moved(&summary, set));
            (RowStatus::Done, words.collect::<Vec<_>>().join("; "))
        }
    };
    Row { numbers, status, reason: line(&reason) }
}

/// Start values of this run that could not be kept, in words: the row is one of another start.
fn moved(summary: &Summary<'_>, set: &[(String, f64)]) -> Option<String> {
    let parameters = &summary.subject.model.parameters;
    let starts = set.iter().filter(|(name, _)| !parameters.iter().any(|(known, _)| **known == **name));
    let starts: Vec<&str> = starts.map(|(name, _)| name.as_str()).collect();
    if starts.is_empty() {
        return None;
    }
    let moved = summary.moved().into_iter().filter(|(name, ..)| starts.contains(&name.as_str()));
    let words: Vec<String> =
        moved.map(|(name, given, used)| format!("the start {name} = {given} was moved to {used}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The end that was asked for, or that of the model.
pub fn end_of(subject: &Subject, until: Option<f64>) -> Result<f64, Failure> {
    let end = until.or(subject.model.end);
    end.ok_or_else(|| Failure::wrong("there is no end time: add --until T, or `end` to [time] of the model"))
}

/// Why a run stopped, and what to try, on the command line and in Python.
fn explained(reason: &RunError) -> String {
    match reason {
        RunError::TooManySteps { .. } => {
            format!("{reason}; {}: --max-steps N, in Python max_steps=N", reason.advice())
        }
        _ => format!("{reason}; {}", reason.advice()),
    }
}

/// What went wrong, for a column of a table: mistakes of a model without the text around them.
fn in_one_line(failure: &Failure) -> String {
    let mistakes: Vec<&str> =
        failure.mistakes.iter().filter_map(|mistake| mistake["message"].as_str()).collect();
    let message = failure.message.strip_prefix("error: ").unwrap_or(&failure.message);
    if mistakes.is_empty() { line(message) } else { line(&mistakes.join("; ")) }
}

/// Words with single blanks between them.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
