//! How a command ends, and where it speaks.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use taut_text::Errors;

/// How a command ended; the numbers are part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// done
    Done = 0,
    /// a check failed
    Failed = 1,
    /// the command line or the model is wrong
    Wrong = 2,
    /// the integration stopped early
    Stopped = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// A command that could not do what it was asked for.
#[derive(Debug)]
pub struct Failure {
    /// with which exit code it ends
    pub status: Status,
    /// what goes to standard error
    pub message: String,
    /// the mistakes of a model, one by one
    pub mistakes: Vec<Value>,
}

impl Failure {
    /// The command line, a file or the model is wrong.
    pub fn wrong(message: impl Display) -> Self {
        Self::rendered(format!("error: {message}"))
    }

    /// A file cannot be read or written.
    pub fn file(path: &std::path::Path, error: impl Display) -> Self {
        Self::wrong(format!("{}: {error}", path.display()))
    }

    /// A message that is rendered already.
    pub fn rendered(message: String) -> Self {
        Failure { status: Status::Wrong, message, mistakes: Vec::new() }
    }

    /// A model is wrong.
    pub fn model(file: &str, errors: &Errors) -> Self {
        let mistakes = errors.mistakes().iter().map(|mistake| {
            json!({
                "message": mistake.message,
                "help": mistake.help,
                "file": file,
                "line": mistake.line,
                "column": mistake.column,
            })
        });
        Failure { mistakes: mistakes.collect(), ..Self::rendered(errors.to_string()) }
    }

    /// A run has been made, but what it gave could not be written.
    pub fn late(self) -> Self {
        Failure { status: Status::Stopped, ..self }
    }

    /// For programs: what is said, with which status the command ends, and the mistakes of a model one by one.
    pub fn to_json(&self) -> Value {
        let message = self.message.strip_prefix("error: ").unwrap_or(&self.message);
        let mut object = json!({ "error": message.trim_end(), "status": self.status as u8 });
        if !self.mistakes.is_empty() {
            object["mistakes"] = Value::Array(self.mistakes.clone());
        }
        object
    }
}

/// What a command returns.
pub type Outcome = Result<Status, Failure>;

/// An error of a file with the name of the file in it.
pub fn named(path: &std::path::Path, error: std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes to standard output. A reader that has gone away, as `head` does, is no mistake.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::wrong(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON value to standard output.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// Writes a line to standard error, where messages go that are not the result.
pub fn tell(text: impl Display) {
    // Nobody is left to be told when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
