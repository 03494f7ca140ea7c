//! Trajectories in files, written while the run goes on.

mod block;
mod csv;
mod json;
mod npz;
mod parquet;

use std::fs::File;
use std::io;
use std::path::Path;

use crate::outcome::Failure;

/// Where rows go. Nothing grows with their number but the file.
pub trait Sink {
    /// Writes one row.
    fn row(&mut self, row: &[f64]) -> io::Result<()>;

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
        let file = File::create(path)?;
        Ok(match self {
            Format::Csv => Box::new(csv::CsvSink::new(file, columns)?),
            Format::Json => Box::new(json::JsonSink::new(file, columns)?),
            Format::Npz => Box::new(npz::NpzSink::new(file, path, columns)?),
            Format::Parquet => Box::new(parquet::ParquetSink::new(file, columns)?),
        })
    }
}
