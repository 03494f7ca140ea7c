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

/// What an error is about, as programs are told; part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// the command line, or options of a checkpoint
    Options,
    /// the text of a model, or where its motion is to begin
    Model,
    /// the motion from its start on
    Integration,
    /// a file that cannot be read or written
    File,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Options => "options",
            Kind::Model => "model",
            Kind::Integration => "integration",
            Kind::File => "file",
        }
    }
}

/// A command that could not do what it was asked for.
#[derive(Debug)]
pub struct Failure {
    /// with which exit code it ends
    pub status: Status,
    /// what it is about
    pub kind: Kind,
    /// the time that an integration had come to
    pub t: Option<f64>,
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
        Self::wrong(format!("{}: {error}", path.display())).about(Kind::File)
    }

    /// A message that is rendered already.
    pub fn rendered(message: String) -> Self {
        Failure { status: Status::Wrong, kind: Kind::Options, t: None, message, mistakes: Vec::new() }
    }

    /// A run came to an end too early.
    pub fn stopped(message: impl Display, t: f64) -> Self {
        let stopped = Self::rendered(format!("stopped: {message}")).about(Kind::Integration);
        Failure { status: Status::Stopped, t: Some(t), ..stopped }
    }

    /// It is about something else than the command line.
    pub fn about(self, kind: Kind) -> Self {
        Failure { kind, ..self }
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
        Failure { mistakes: mistakes.collect(), ..Self::rendered(errors.to_string()).about(Kind::Model) }
    }

    /// A run has been made, but what it gave could not be written.
    pub fn late(self) -> Self {
        Failure { status: Status::Stopped, ..self }
    }

    /// For programs: what is said and what it is about, the time of an integration, the line and column of the first mistake in a
    /// model, the status that the command ends with, and all mistakes one by one.
    pub fn to_json(&self) -> Value {
        let message = ["error: ", "stopped: "].iter().find_map(|word| self.message.strip_prefix(word));
        let message = message.unwrap_or(&self.message).trim_end();
        let of_first = |key: &str| self.mistakes.first().map_or(Value::Null, |mistake| mistake[key].clone());
        let mut object = json!({
            "error": message,
            "kind": self.kind.name(),
            "t": self.t,
            "line": of_first("line"),
            "column": of_first("column"),
            "status": self.status as u8,
        });
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
