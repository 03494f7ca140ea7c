//! A run in a file: what decides how it goes on, and what it has been so far.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use taut::run::Snapshot;

use crate::model::Subject;
use crate::outcome::{Failure, named};
use crate::settings::Settings;

/// Changes when the file changes.
const FORMAT: u32 = 2;
/// A snapshot is taken after every so many accepted steps: more often would cost time, less often would lose more.
pub const STEPS_BETWEEN: usize = 20;
/// The file is written at most this often while the run goes on.
const REST: Duration = Duration::from_secs(1);

/// What is known of the part of a run before a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoFar {
    /// how long it took
    pub seconds: f64,
    /// the energy at the start and its largest deviation
    pub energy: Option<(f64, f64)>,
    /// the largest residuals of the constraints
    pub residuals: [f64; 3],
    /// the largest residual of equations without derivatives
    pub algebraic: f64,
}

/// A run in a file.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// the settings of the run
    pub settings: Settings,
    /// the time it began at
    pub start: f64,
    /// the time it has reached
    pub t: f64,
    /// what it has been
    pub so_far: SoFar,
    /// how it goes on
    pub snapshot: Snapshot,
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
struct Document {
    format: u32,
    taut: String,
    model: String,
    model_hash: String,
    settings: Settings,
    start: f64,
    t: f64,
    seconds: f64,
    energy: Option<(f64, f64)>,
    residuals: [f64; 3],
    algebraic: f64,
    snapshot: Vec<(String, Vec<Value>)>,
}

impl Checkpoint {
    /// Reads the settings of a checkpoint, before its model is read with them.
    pub fn read_settings(path: &Path) -> Result<Settings, Failure> {
        read_document(path).map(|document| document.settings)
    }

    /// Reads a checkpoint of a model.
    pub fn read(path: &Path, subject: &Subject) -> Result<Self, Failure> {
        let document = read_document(path)?;
        if document.model_hash != subject.hash() {
            let reason = match document.model == subject.name {
                true => format!("it belongs to another text of the model '{}'", document.model),
                false => format!("it belongs to the model '{}', not to '{}'", document.model, subject.name),
            };
            return Err(Failure::file(path, reason));
        }
        let entries: Option<Vec<_>> = document
            .snapshot
            .into_iter()
            .map(|(name, numbers)| Some((name, numbers.iter().map(decode).collect::<Option<Vec<f64>>>()?)))
            .collect();
        let entries =
            entries.ok_or_else(|| Failure::file(path, "the snapshot has an entry that is not a number"))?;
        Ok(Checkpoint {
            settings: document.settings,
            start: document.start,
            t: document.t,
            so_far: SoFar {
                seconds: document.seconds,
                energy: document.energy,
                residuals: document.residuals,
                algebraic: document.algebraic,
            },
            snapshot: Snapshot::from_entries(entries),
        })
    }

    /// Writes the file in one piece: a checkpoint that is there is replaced, never damaged.
    fn write(&self, path: &Path, subject: &Subject) -> std::io::Result<()> {
        let entries = self.snapshot.entries().iter();
        let document = Document {
            format: FORMAT,
            taut: env!("CARGO_PKG_VERSION").to_owned(),
            model: subject.name.clone(),
            model_hash: subject.hash(),
            settings: self.settings.clone(),
            start: self.start,
            t: self.t,
            seconds: self.so_far.seconds,
            energy: self.so_far.energy,
            residuals: self.so_far.residuals,
            algebraic: self.so_far.algebraic,
            snapshot: entries
                .map(|(name, numbers)| (name.clone(), numbers.iter().map(encode).collect()))
                .collect(),
        };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        std::fs::write(&beside, serde_json::to_string_pretty(&document)?)?;
        std::fs::rename(&beside, path)
    }
}

fn read_document(path: &Path) -> Result<Document, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, error))?;
    let document: Document = serde_json::from_str(&text)
        .map_err(|error| Failure::file(path, format!("this is not a checkpoint: {error}")))?;
    let version = env!("CARGO_PKG_VERSION");
    if document.format != FORMAT || document.taut != version {
        let reason = format!("it was written by taut {}, this is taut {version}", document.taut);
        return Err(Failure::file(path, reason));
    }
    Ok(document)
}

/// A number that reads back to the same bits; JSON has no words for those that are not finite.
fn encode(number: &f64) -> Value {
    if number.is_finite() { Value::from(*number) } else { Value::from(number.to_string()) }
}

fn decode(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// Writes checkpoints while a run goes on.
pub struct Keeper<'m> {
    path: PathBuf,
    subject: &'m Subject,
    latest: Option<Checkpoint>,
    written: Option<Instant>,
}

impl<'m> Keeper<'m> {
    /// A keeper of checkpoints in this file.
    pub fn new(path: &Path, subject: &'m Subject) -> Self {
        Keeper { path: path.to_owned(), subject, latest: None, written: None }
    }

    /// Takes a checkpoint, and writes it when the last one was long ago.
    pub fn take(&mut self, checkpoint: Checkpoint) -> std::io::Result<()> {
        self.latest = Some(checkpoint);
        if self.written.is_some_and(|when| when.elapsed() < REST) {
            return Ok(());
        }
        self.written = Some(Instant::now());
        self.write()
    }

    /// Writes the last checkpoint with what is known at the end; its time, when there is one.
    pub fn finish(mut self, residuals: [f64; 3]) -> Result<Option<f64>, Failure> {
        let Some(latest) = &mut self.latest else { return Ok(None) };
        latest.so_far.residuals = residuals;
        let t = latest.t;
        self.write().map_err(Failure::wrong)?;
        Ok(Some(t))
    }

    fn write(&self) -> std::io::Result<()> {
        let Some(checkpoint) = &self.latest else { return Ok(()) };
        checkpoint.write(&self.path, self.subject).map_err(|error| named(&self.path, error))
    }
}
