//! The file that the rows of a sweep go to, in the order of the runs, and what of it is there already.
//!
//! Text (.csv) goes straight to the file. Parquet says at its end where everything is: rows wait in a journal, FILE.part, and
//! FILE is made of them when the sweep ends or is stopped. Whatever is there behind the last whole row, of a process that was
//! killed, is cut off.

mod csv;
mod growing;
mod journal;
mod parquet;

use std::io;
use std::path::Path;

use super::row::RowStatus;
use crate::files::{Disk, beside};
use crate::outcome::Failure;
use crate::output::Format;

/// A row with its number, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// the number of the run, from 0
    pub run: u64,
    /// what was varied, then what came of it
    pub numbers: Vec<f64>,
    /// how the run ended
    pub status: RowStatus,
    /// why
    pub reason: String,
}

/// Where records are kept.
trait Keep {
    fn add(&mut self, record: &Record) -> io::Result<()>;

    /// Waits until all records are on the disk.
    fn secure(&mut self) -> io::Result<()>;

    /// Makes the file readable; complete when no more records will come.
    fn finish(&mut self, complete: bool) -> io::Result<()>;
}

/// What is done with the records that are there already; the first that does not belong there is told.
pub type Known<'k> = dyn FnMut(Record) -> Result<(), String> + 'k;

/// The file of a sweep.
pub struct Store {
    keep: Box<dyn Keep>,
    /// so many records are there
    pub count: u64,
}

impl Store {
    /// The format of a file of rows.
    pub fn format(path: &Path) -> Result<Format, Failure> {
        match Format::of(path) {
            Ok(format @ (Format::Csv | Format::Parquet)) => Ok(format),
            _ => Err(Failure::file(path, "the ending chooses the format of --out; there are .csv, .parquet")),
        }
    }

    /// Begins a file.
    pub fn begin(disk: &Disk, path: &Path, columns: &[String]) -> Result<Self, Failure> {
        let failed = |error| Failure::file(path, error);
        let keep: Box<dyn Keep> = match Self::format(path)? {
            Format::Csv => Box::new(csv::Csv::begin(disk, path, columns).map_err(failed)?),
            _ => Box::new(journal::Journal::begin(disk, path, columns).map_err(failed)?),
        };
        Ok(Store { keep, count: 0 })
    }

    /// Goes on with a file that is there, behind its last whole record.
    pub fn go_on(
        disk: &Disk,
        path: &Path,
        columns: &[String],
        known: &mut Known<'_>,
    ) -> Result<Self, Failure> {
        let mut count = 0;
        let mut take = |record: Record| {
            if record.run != count {
                return Err(format!("run {} stands where run {count} should be", record.run));
            }
            count += 1;
            known(record)
        };
        let failed =
            |error: io::Error| Failure::file(path, format!("the sweep cannot go on with this file: {error}"));
        let keep: Box<dyn Keep> = match Self::format(path)? {
            Format::Csv => Box::new(csv::Csv::go_on(disk, path, columns, &mut take).map_err(failed)?),
            // Without a journal the file is complete, or nothing was written yet.
            _ if !beside(path, "part").exists() => {
                parquet::read(path, columns, &mut take).map_err(failed)?;
                Box::new(Complete)
            }
            _ => Box::new(journal::Journal::go_on(disk, path, columns, &mut take).map_err(failed)?),
        };
        Ok(Store { keep, count })
    }

    /// Adds the next record.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        self.keep.add(record)?;
        self.count += 1;
        Ok(())
    }

    /// Waits until all records are on the disk.
    pub fn secure(&mut self) -> io::Result<()> {
        self.keep.secure()
    }

    /// Makes the file readable; complete when no more records will come.
    pub fn finish(mut self, complete: bool) -> io::Result<()> {
        self.keep.finish(complete)
    }
}

/// A file that has all its records.
struct Complete;

impl Keep for Complete {
    fn add(&mut self, record: &Record) -> io::Result<()> {
        Err(io::Error::other(format!("the file is complete, and run {} is not in it", record.run)))
    }

    fn secure(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, _complete: bool) -> io::Result<()> {
        Ok(())
    }
}

fn other(message: String) -> io::Error {
    io::Error::other(message)
}
