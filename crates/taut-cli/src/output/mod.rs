//! Trajectories in files, written while the run goes on, and gone on with after it was killed.
//!
//! Lines of text (`csv`, `json`) go straight to their file, which is cut behind a row when the run goes on. The other
//! formats say at their beginning or end where everything is: their rows wait in a journal, FILE.part, until
//! all of them are known.

mod block;
mod csv;
mod destination;
mod journal;
mod json;
mod lines;
mod npz;
pub(crate) mod parquet;

pub use destination::{Destination, Written};

use std::io;
use std::path::Path;

use crate::files::Disk;
use crate::hash::Hash;
use crate::outcome::Failure;

/// Where rows go. Nothing grows with their number but the file.
pub trait Sink {
    /// Writes one row.
    fn row(&mut self, row: &[f64]) -> io::Result<()>;

    /// Waits until all rows are on the disk.
    fn secure(&mut self) -> io::Result<()>;

    /// Completes the file.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The formats by their ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// comma-separated values with a header
    Csv,
    /// an object of `columns` and `rows`
    Json,
    /// one NumPy array for each column
    Npz,
    /// Apache Parquet
    Parquet,
}

impl Format {
    const ALL: &[(&'static str, Format)] =
        &[("csv", Format::Csv), ("json", Format::Json), ("npz", Format::Npz), ("parquet", Format::Parquet)];

    /// The format of a file.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let ending =
            path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        let found = Self::ALL.iter().find(|(known, _)| *known == ending);
        found.map(|(_, format)| *format).ok_or_else(|| {
            let endings: Vec<String> = Self::ALL.iter().map(|(known, _)| format!(".{known}")).collect();
            Failure::file(path, format!("the ending chooses the format; there are {}", endings.join(", ")))
        })
    }

    /// Begins a file with these columns.
    pub fn create(self, path: &Path, columns: &[String]) -> io::Result<Box<dyn Sink>> {
        self.begin(&Disk::default(), path, columns)
    }

    /// Begins a file with these columns on a disk.
    fn begin(self, disk: &Disk, path: &Path, columns: &[String]) -> io::Result<Box<dyn Sink>> {
        Ok(match self {
            Format::Csv => Box::new(csv::begin(disk, path, columns)?),
            Format::Json => Box::new(json::begin(disk, path, columns)?),
            Format::Npz | Format::Parquet => Box::new(journal::Journal::begin(disk, path, columns, self)?),
        })
    }

    /// Goes on with a file behind the rows that are known, and changes nothing unless they are there.
    fn go_on(
        self,
        disk: &Disk,
        path: &Path,
        columns: &[String],
        known: &mut Known,
    ) -> io::Result<Box<dyn Sink>> {
        Ok(match self {
            Format::Csv => Box::new(csv::go_on(disk, path, columns, known)?),
            Format::Json => Box::new(json::go_on(disk, path, columns, known)?),
            Format::Npz | Format::Parquet => {
                Box::new(journal::Journal::go_on(disk, (path, self), columns, known)?)
            }
        })
    }
}

/// The rows that a file must begin with.
struct Known {
    /// so many
    rows: u64,
    /// what all their numbers make
    hash: String,
    found: u64,
    seen: Hash,
}

impl Known {
    fn new(rows: u64, hash: &str) -> Self {
        Known { rows, hash: hash.to_owned(), found: 0, seen: Hash::default() }
    }

    /// Whether more rows are to come.
    fn wants_more(&self) -> bool {
        self.found < self.rows
    }

    fn take(&mut self, row: &[f64]) {
        self.seen.take(row);
        self.found += 1;
    }

    /// Whether all rows were there.
    fn check(&self) -> io::Result<()> {
        if self.found < self.rows {
            let (found, rows) = (self.found, self.rows);
            return Err(io::Error::other(format!(
                "it has {found} of the {rows} rows that the checkpoint covers"
            )));
        }
        if self.seen.to_string() != self.hash {
            return Err(io::Error::other("its rows are not those that the checkpoint covers"));
        }
        Ok(())
    }
}
