//! The file of a checkpoint: JSON, with a checksum of all that stands before it at its end.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use taut::run::Snapshot;

use super::number::Number;
use super::{Checkpoint, Course, SoFar};
use crate::files::read_text;
use crate::hash::Hash;
use crate::model::Subject;
use crate::outcome::Failure;
use crate::output::Written;
use crate::settings::Settings;

/// Changes when the file changes.
const FORMAT: u32 = 4;
/// A file beyond this is no checkpoint.
const MOST_BYTES: u64 = 256 << 20;
/// What stands before and behind the checksum, which takes the place of the last brace.
const BEFORE_CHECKSUM: &str = ",\n  \"checksum\": \"";
const BEHIND_CHECKSUM: &str = "\"\n}";

/// The file as it is written.
#[derive(Serialize, Deserialize)]
pub struct Document {
    format: u32,
    taut: String,
    model: String,
    model_hash: String,
    pub settings: Settings,
    start: f64,
    course: Course,
    t: f64,
    seconds: f64,
    energy: Option<(f64, f64)>,
    residuals: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distances: Option<[f64; 2]>,
    algebraic: f64,
    written: Option<Written>,
    snapshot: Vec<(String, Vec<Number>)>,
}

/// What every version of the file has.
#[derive(Deserialize)]
struct Origin {
    format: u32,
    taut: String,
}

impl Document {
    /// The file of a checkpoint.
    pub fn of(checkpoint: Checkpoint, subject: &Subject) -> Self {
        let SoFar { seconds, energy, residuals, distances, algebraic } = checkpoint.so_far;
        let numbers = |numbers: &[f64]| numbers.iter().copied().map(Number).collect();
        let entries = checkpoint.snapshot.entries().iter();
        Document {
            format: FORMAT,
            taut: env!("CARGO_PKG_VERSION").to_owned(),
            model: subject.name.clone(),
            model_hash: subject.hash(),
            settings: checkpoint.settings,
            start: checkpoint.start,
            course: checkpoint.course,
            t: checkpoint.t,
            seconds,
            energy,
            residuals,
            distances,
            algebraic,
            written: checkpoint.written,
            snapshot: entries.map(|(name, entry)| (name.clone(), numbers(entry))).collect(),
        }
    }

    /// What is written to the file.
    pub fn to_text(&self) -> io::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.truncate(text.len() - "\n}".len());
        let checksum = Hash::of(text.as_bytes());
        Ok(format!("{text}{BEFORE_CHECKSUM}{checksum}{BEHIND_CHECKSUM}"))
    }

    /// Reads a file that is whole.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path, MOST_BYTES)?;
        let no_checkpoint = |error| Failure::file(path, format!("this is not a checkpoint: {error}"));
        let origin: Origin = serde_json::from_str(&text).map_err(no_checkpoint)?;
        let version = env!("CARGO_PKG_VERSION");
        if origin.format != FORMAT || origin.taut != version {
            let (format, taut) = (origin.format, origin.taut);
            let reason = format!(
                "it was written by taut {taut} (format {format}), this is taut {version} (format {FORMAT})"
            );
            return Err(Failure::file(path, reason));
        }
        if !is_whole(&text) {
            return Err(Failure::file(path, "its checksum is wrong: the checkpoint was damaged or changed"));
        }
        serde_json::from_str(&text).map_err(no_checkpoint)
    }

    /// The checkpoint, when it belongs to a model.
    pub fn into_checkpoint(self, path: &Path, subject: &Subject) -> Result<Checkpoint, Failure> {
        if self.model_hash != subject.hash() {
            let reason = match self.model == subject.name {
                true => format!("it belongs to another text of the model '{}'", self.model),
                false => format!("it belongs to the model '{}', not to '{}'", self.model, subject.name),
            };
            return Err(Failure::file(path, reason));
        }
        let entries = self.snapshot.into_iter();
        let entries = entries.map(|(name, numbers)| (name, numbers.into_iter().map(|Number(x)| x).collect()));
        Ok(Checkpoint {
            settings: self.settings,
            start: self.start,
            course: self.course,
            t: self.t,
            so_far: SoFar {
                seconds: self.seconds,
                energy: self.energy,
                residuals: self.residuals,
                distances: self.distances,
                algebraic: self.algebraic,
            },
            written: self.written,
            snapshot: Snapshot::from_entries(entries.collect()),
        })
    }
}

/// Whether a text ends with the checksum of what stands before it.
fn is_whole(text: &str) -> bool {
    let Some((before, rest)) = text.rsplit_once(BEFORE_CHECKSUM) else { return false };
    rest.strip_suffix(BEHIND_CHECKSUM) == Some(Hash::of(before.as_bytes()).to_string().as_str())
}
