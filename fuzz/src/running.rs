//! The command, inside this process: without standard output, with a limit of its time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::Value;
use taut_cli::arguments::{Arguments, Command};
use taut_cli::command::run::perform;
use taut_cli::files::Disk;
use taut_cli::outcome::{Failure, Status};

/// No input may take more time of a processor.
pub const LONGEST: Duration = Duration::from_secs(10);

/// What a run of the command gave.
#[derive(Clone, Debug)]
pub struct Ran {
    /// the exit status
    pub status: u8,
    /// the summary, where there is one
    pub summary: Value,
    /// what was said
    pub words: String,
}

/// Does something that must neither panic nor take long.
///
/// # Errors
/// It has done so; the words say which.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let clock = Clock::start();
    let done = catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|&words| words.to_owned()));
        format!("panic: {}", words.unwrap_or_default())
    })?;
    let took = clock.elapsed();
    if took > LONGEST { Err(format!("it took {:.1} s", took.as_secs_f64())) } else { Ok(done) }
}

/// The time that a processor has worked for this thread, where the system tells; else the time on the wall.
struct Clock {
    began: Instant,
    worked: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Clock { began: Instant::now(), worked: Self::worked() }
    }

    fn worked() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }

    fn elapsed(&self) -> Duration {
        match (self.worked, Self::worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.began.elapsed(),
        }
    }
}

/// `taut run WORDS --json`
///
/// # Errors
/// A panic, or too much time.
pub fn run(words: &[&str]) -> Result<Ran, String> {
    let all = ["taut", "run", "--json", "--quiet"].into_iter().chain(words.iter().copied());
    let refused = |words: String| Ran { status: 2, summary: Value::Null, words };
    let arguments = match Arguments::try_parse_from(all) {
        Ok(arguments) => arguments,
        Err(error) => return Ok(refused(error.to_string())),
    };
    let Command::Run(run) = arguments.command else { return Ok(refused("another command".to_owned())) };
    let performed = match guarded(|| perform(&run, &Disk::default()))? {
        Ok(performed) => performed,
        Err(Failure { status, message, .. }) => {
            return Ok(Ran { status: status as u8, summary: Value::Null, words: message });
        }
    };
    let (status, late) = match performed.ending {
        Ok(status) => (status, String::new()),
        Err(failure) => (failure.status, failure.message),
    };
    let summary = serde_json::from_str(&performed.text).unwrap_or(Value::Null);
    Ok(Ran { status: status as u8, summary, words: format!("{}{late}", performed.messages.join("\n")) })
}

/// A model that is run from a file in a folder.
///
/// # Errors
/// A panic, or too much time.
pub fn run_text(folder: &Path, text: &str, words: &[&str]) -> Result<Ran, String> {
    let path = folder.join("model.toml");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let path = path.display().to_string();
    let mut all = vec![path.as_str()];
    all.extend_from_slice(words);
    run(&all)
}

/// A number of a summary that is none, though the run says that it is done.
pub fn not_finite(ran: &Ran) -> Option<String> {
    if ran.status != Status::Done as u8 {
        return None;
    }
    let null = |key: &str| {
        contains_null(&ran.summary[key]).then(|| format!("'{key}' has what is no number, status 0"))
    };
    ["t", "multipliers", "residuals", "stats"].into_iter().find_map(null).or_else(|| {
        let state = ["q", "v", "x", "energy"].into_iter().filter(|key| ran.summary.get(*key).is_some());
        state.filter(|key| *key != "energy" || !ran.summary[*key].is_null()).find_map(null)
    })
}

fn contains_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.iter().any(contains_null),
        Value::Object(object) => object.values().any(contains_null),
        _ => false,
    }
}
