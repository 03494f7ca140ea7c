//! Rows that wait: FILE.part holds them as they came, as doubles, lowest byte first, one row after the other.
//!
//! It can be cut behind any row, whatever the format of FILE. When the run ends, FILE is made of it in one piece, and
//! FILE.part taken away. A run that goes on when FILE is complete gets its rows back from there.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::{Format, Known, Sink, npz, parquet};
use crate::files::{Disk, DiskFile, beside};

const BYTES: usize = size_of::<f64>();
/// So many bytes are written at once.
const BUFFER: usize = 1 << 16;

/// Rows that wait in a file.
pub struct Journal {
    disk: Disk,
    format: Format,
    path: PathBuf,
    columns: Vec<String>,
    file: DiskFile,
    /// the length of what is written
    place: u64,
    buffer: Vec<u8>,
    /// a write has failed: the journal was cut behind its last whole row, and stays as it is
    failed: bool,
}

impl Journal {
    /// Begins a journal beside a file.
    pub fn begin(disk: &Disk, path: &Path, columns: &[String], format: Format) -> io::Result<Self> {
        let file = disk.create_anew(&beside(path, "part"))?;
        Ok(Self::new(disk, (path, format), columns, file, 0))
    }

    fn new(
        disk: &Disk,
        (path, format): (&Path, Format),
        columns: &[String],
        file: DiskFile,
        place: u64,
    ) -> Self {
        let (disk, path, columns) = (disk.clone(), path.to_owned(), columns.to_vec());
        Journal { disk, format, path, columns, file, place, buffer: Vec::new(), failed: false }
    }

    /// Goes on behind the known rows of a journal, or of a file that is complete.
    pub fn go_on(
        disk: &Disk,
        (path, format): (&Path, Format),
        columns: &[String],
        known: &mut Known,
    ) -> io::Result<Self> {
        let part = beside(path, "part");
        if part.exists() {
            read_rows(&part, columns.len(), known.rows, &mut |row| known.take(row))?;
            known.check()?;
        } else {
            recover(disk, &part, (path, format), columns, known)?;
        }
        let (file, place) = (disk.open(&part)?, known.rows * (columns.len() * BYTES) as u64);
        file.cut(place)?;
        Ok(Self::new(disk, (path, format), columns, file, place))
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed || self.buffer.is_empty() {
            return Ok(());
        }
        let written = self.file.write_at(self.place, &self.buffer);
        if let Err(error) = written {
            self.failed = true;
            let length = self.file.length().unwrap_or(self.place);
            let width = (self.columns.len() * BYTES) as u64;
            // What cannot be cut is left as it is; the error that is told is the first one.
            let _ = self.file.cut(length - length % width.max(1));
            return Err(error);
        }
        self.place += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl Sink for Journal {
    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        row.iter().for_each(|value| self.buffer.extend_from_slice(&value.to_le_bytes()));
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn secure(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync()
    }

    /// What a journal holds whose last write failed is made a file, too: its rows are whole.
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.secure()?;
        let part = beside(&self.path, "part");
        let mut rows = |take: &mut dyn FnMut(&[f64]) -> io::Result<()>| {
            let mut trouble = Ok(());
            read_rows(&part, self.columns.len(), u64::MAX, &mut |row| {
                if trouble.is_ok() {
                    trouble = take(row);
                }
            })?;
            trouble
        };
        match self.format {
            Format::Npz => npz::write(&self.disk, &self.path, &self.columns, &mut rows)?,
            _ => parquet::write(&self.disk, &self.path, &self.columns, &mut rows)?,
        }
        self.disk.remove(&part)
    }
}

/// Takes the known rows back from the file that was made of them. There is a journal when all are in it, and none before: a run that
/// is killed meanwhile finds the file as it was.
fn recover(
    disk: &Disk,
    part: &Path,
    (path, format): (&Path, Format),
    columns: &[String],
    known: &mut Known,
) -> io::Result<()> {
    disk.replace(part, |journal| {
        let mut trouble = Ok(());
        let mut take = |row: &[f64]| {
            if known.wants_more() && trouble.is_ok() {
                known.take(row);
                trouble = row.iter().try_for_each(|value| journal.write_all(&value.to_le_bytes()));
            }
            known.wants_more() && trouble.is_ok()
        };
        match format {
            Format::Npz => npz::read(path, columns, &mut take)?,
            _ => parquet::read(path, columns.len(), &mut take)?,
        }
        trouble?;
        known.check()
    })
}

/// Walks over rows.
pub type Rows<'r> = dyn FnMut(&mut dyn FnMut(&[f64]) -> io::Result<()>) -> io::Result<()> + 'r;

/// Reads whole rows, at most so many; their number.
fn read_rows(path: &Path, width: usize, most: u64, read: &mut dyn FnMut(&[f64])) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(BUFFER, File::open(path)?);
    let (mut bytes, mut row) = (vec![0; width * BYTES], vec![0.0; width]);
    for found in 0..most {
        match reader.read_exact(&mut bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(found),
            Err(error) => return Err(error),
        }
        numbers(&bytes, &mut row);
        read(&row);
    }
    Ok(most)
}

/// Numbers from their bytes.
pub fn numbers(bytes: &[u8], numbers: &mut [f64]) {
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(BYTES)) {
        let mut eight = [0; BYTES];
        eight.copy_from_slice(bytes);
        *number = f64::from_le_bytes(eight);
    }
}
