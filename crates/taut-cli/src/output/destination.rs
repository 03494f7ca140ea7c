//! Where the trajectory of a run goes.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Format, Known, Sink};
use crate::files::{Disk, place_of};
use crate::hash::Hash;
use crate::outcome::{Failure, named};

/// What a checkpoint knows of the trajectory before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// the file, from the root
    pub file: PathBuf,
    /// so many rows
    pub rows: u64,
    /// what was made of all their numbers
    pub hash: String,
}

/// Where a trajectory goes; the file is begun with the first state, when method and model have met.
pub struct Destination {
    /// the file
    pub path: PathBuf,
    disk: Disk,
    format: Format,
    names: Vec<String>,
    sink: Option<Box<dyn Sink>>,
    rows: u64,
    hash: Hash,
}

impl Destination {
    /// A file that is not begun yet.
    pub fn new(path: PathBuf, format: Format, names: &[String]) -> Self {
        let (disk, names) = (Disk::default(), names.to_vec());
        Destination { path, disk, format, names, sink: None, rows: 0, hash: Hash::default() }
    }

    /// On another disk.
    pub fn on(mut self, disk: &Disk) -> Self {
        self.disk = disk.clone();
        self
    }

    /// Goes on with the file where a checkpoint left it, when it is that file: what lies beyond is cut off.
    pub fn go_on_from(&mut self, written: Option<&Written>) -> Result<(), Failure> {
        let Some(written) = written.filter(|written| is_same(&written.file, &self.path)) else {
            return Ok(());
        };
        let mut known = Known::new(written.rows, &written.hash);
        let sink = self.format.go_on(&self.disk, &self.path, &self.names, &mut known);
        self.sink = Some(sink.map_err(|error| {
            let reason = format!("the run cannot go on with this file: {error}; take another one for --out");
            Failure::file(&self.path, reason)
        })?);
        (self.rows, self.hash) = (known.rows, known.seen);
        Ok(())
    }

    /// Whether there is a file.
    pub fn is_begun(&self) -> bool {
        self.sink.is_some()
    }

    /// Writes a row.
    pub fn row(&mut self, row: &[f64]) -> io::Result<()> {
        let sink = self.begun();
        sink.and_then(|sink| sink.row(row)).map_err(|error| named(&self.path, error))?;
        self.rows += 1;
        self.hash.take(row);
        Ok(())
    }

    fn begun(&mut self) -> io::Result<&mut Box<dyn Sink>> {
        if self.sink.is_none() {
            self.sink = Some(self.format.begin(&self.disk, &self.path, &self.names)?);
        }
        self.sink.as_mut().ok_or_else(|| io::Error::other("there is no file"))
    }

    /// Waits until all rows are on the disk, and says which.
    pub fn secure(&mut self) -> io::Result<Written> {
        self.begun().and_then(|sink| sink.secure()).map_err(|error| named(&self.path, error))?;
        let file = std::path::absolute(&self.path)?;
        Ok(Written { file, rows: self.rows, hash: self.hash.to_string() })
    }

    /// Completes the file.
    pub fn finish(mut self) -> io::Result<()> {
        let finished = self.begun().map(|_| ()).and_then(|()| self.sink.take().map_or(Ok(()), Sink::finish));
        finished.map_err(|error| named(&self.path, error))
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || place_of(a).ok().zip(place_of(b).ok()).is_some_and(|(a, b)| a == b)
}
