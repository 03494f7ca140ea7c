//! A run in a file: what decides how it goes on, and what it has been so far.

mod document;
mod number;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use taut::run::Snapshot;

use crate::files::Disk;
use crate::model::Subject;
use crate::outcome::{Failure, named};
use crate::output::Written;
use crate::settings::Settings;
use document::Document;

/// The file is written at most this often while the run goes on.
const REST: Duration = Duration::from_secs(1);
/// And not before the run has gone on for so many times as long as the last one took.
const REST_FACTOR: u32 = 20;

/// What is known of the part of a run before a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoFar {
    /// how long it took
    pub seconds: f64,
    /// the energy at the start and its largest deviation
    pub energy: Option<(f64, f64)>,
    /// the largest residuals of the constraints
    pub residuals: [f64; 3],
    /// those of positions and velocities over the lengths of gradients, where these are far from 1
    pub distances: Option<[f64; 2]>,
    /// the largest residual of equations without derivatives
    pub algebraic: f64,
}

/// How far a run was to go, and when it was to give states.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// the end time
    pub until: f64,
    /// so many equidistant times
    pub samples: Option<usize>,
    /// or times so far apart
    pub every: Option<f64>,
}

/// A run in a file.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// the settings of the run
    pub settings: Settings,
    /// the time it began at
    pub start: f64,
    /// how far it was to go
    pub course: Course,
    /// the time it has reached
    pub t: f64,
    /// what it has been
    pub so_far: SoFar,
    /// the trajectory that is on the disk
    pub written: Option<Written>,
    /// how it goes on
    pub snapshot: Snapshot,
}

impl Checkpoint {
    /// Reads the settings of a checkpoint, before its model is read with them.
    pub fn read_settings(path: &Path) -> Result<Settings, Failure> {
        Document::read(path).map(|document| document.settings)
    }

    /// Reads a checkpoint of a model.
    pub fn read(path: &Path, subject: &Subject) -> Result<Self, Failure> {
        Document::read(path)?.into_checkpoint(path, subject)
    }
}

/// Writes checkpoints while a run goes on.
pub struct Keeper<'m> {
    path: PathBuf,
    disk: Disk,
    subject: &'m Subject,
    /// when the last one was written, and how long that took
    written: Option<(Instant, Duration)>,
    latest: Option<f64>,
}

impl<'m> Keeper<'m> {
    /// A keeper of checkpoints in this file.
    pub fn new(path: &Path, disk: &Disk, subject: &'m Subject) -> Self {
        Keeper { path: path.to_owned(), disk: disk.clone(), subject, written: None, latest: None }
    }

    /// Whether the last checkpoint was long ago.
    pub fn wants_more(&self) -> bool {
        self.written.is_none_or(|(when, took)| when.elapsed() >= REST.max(REST_FACTOR * took))
    }

    /// Writes a checkpoint.
    pub fn take(&mut self, checkpoint: Checkpoint) -> std::io::Result<()> {
        let began = Instant::now();
        let t = checkpoint.t;
        let text = Document::of(checkpoint, self.subject).to_text()?;
        let written = self.disk.replace(&self.path, |file| std::io::Write::write_all(file, text.as_bytes()));
        written.map_err(|error| named(&self.path, error))?;
        (self.written, self.latest) = (Some((Instant::now(), began.elapsed())), Some(t));
        Ok(())
    }

    /// The time of the last checkpoint.
    pub fn latest(&self) -> Option<f64> {
        self.latest
    }
}
