//! A text with one line for each row, which can be cut behind any of them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::{Known, Sink};
use crate::files::{Disk, DiskFile};

/// So many bytes are written at once.
const BUFFER: usize = 1 << 16;

/// How rows are written in a kind of text.
pub trait Style {
    /// Adds a row; `first` when it is the first of all.
    fn put(&self, row: &[f64], first: bool, text: &mut Vec<u8>) -> io::Result<()>;

    /// Reads a line that was written so, or nothing.
    fn read(&self, line: &str) -> Option<Vec<f64>>;

    /// What stands behind the last row.
    fn tail(&self) -> &'static [u8];
}

/// A text that grows.
pub struct Lines<S> {
    style: S,
    file: DiskFile,
    /// the length of what is written, the tail left out
    place: u64,
    /// the length without the last row that is written
    before_last: u64,
    rows: u64,
    buffer: Vec<u8>,
    /// where the rows of the buffer end
    ends: Vec<usize>,
    /// a write has failed: the file was cut behind its last whole row, and stays as it is
    failed: bool,
}

impl<S: Style> Lines<S> {
    /// Begins a file with what stands before the rows.
    pub fn begin(disk: &Disk, path: &Path, head: Vec<u8>, style: S) -> io::Result<Self> {
        let file = disk.create_anew(path)?;
        let (buffer, ends) = (head, Vec::new());
        Ok(Lines { style, file, place: 0, before_last: 0, rows: 0, buffer, ends, failed: false })
    }

    /// Goes on with a file that begins with `head`, behind its first rows.
    pub fn go_on(disk: &Disk, path: &Path, head: Vec<u8>, style: S, known: &mut Known) -> io::Result<Self> {
        let place = end_of_rows(path, &head, &style, known)?;
        known.check()?;
        let file = disk.open(path)?;
        file.cut(place)?;
        let (rows, buffer, ends) = (known.rows, Vec::new(), Vec::new());
        Ok(Lines { style, file, place, before_last: place, rows, buffer, ends, failed: false })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed || self.buffer.is_empty() {
            return Ok(());
        }
        let written = self.file.write_at(self.place, &self.buffer);
        if let Err(error) = written {
            self.repair();
            return Err(error);
        }
        if let Some(end) = self.ends.len().checked_sub(2).map(|k| self.ends[k]) {
            self.before_last = self.place + end as u64;
        } else if !self.ends.is_empty() {
            self.before_last = self.place;
        }
        self.place += self.buffer.len() as u64;
        self.buffer.clear();
        self.ends.clear();
        Ok(())
    }

    /// Cuts the file behind its last whole row and completes it, as far as that is possible.
    fn repair(&mut self) {
        self.failed = true;
        let tail = self.style.tail();
        let room = self.file.length().unwrap_or(0).saturating_sub(self.place + tail.len() as u64);
        let end = self.ends.iter().rev().find(|&&end| end as u64 <= room).copied().unwrap_or(0);
        let cut = self.place + end as u64;
        // What cannot be cut is left as it is; the error that is told is the first one.
        let _ = self.file.cut(cut).and_then(|()| self.file.write_at(cut, tail));
    }

    /// Writes what stands behind the last row; the next row takes its place.
    fn close(&mut self) -> io::Result<()> {
        self.flush()?;
        let tail = self.style.tail();
        if self.failed || tail.is_empty() {
            return Ok(());
        }
        let Err(error) = self.file.write_at(self.place, tail) else { return Ok(()) };
        self.failed = true;
        // Once more, then in the place of the last row; without any room at least the rows are whole.
        for place in [self.place, self.before_last] {
            if self.file.cut(place).and_then(|()| self.file.write_at(place, tail)).is_ok() {
                return Err(error);
            }
        }
        let _ = self.file.cut(self.before_last);
        Err(error)
    }
}

impl<S: Style> Sink for Lines<S> {
    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        self.style.put(row, self.rows == 0, &mut self.buffer)?;
        self.rows += 1;
        self.ends.push(self.buffer.len());
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn secure(&mut self) -> io::Result<()> {
        self.close()?;
        self.file.sync()
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.secure()
    }
}

/// Where the known rows of a file end, as far as it has them.
fn end_of_rows<S: Style>(path: &Path, head: &[u8], style: &S, known: &mut Known) -> io::Result<u64> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut found = vec![0; head.len()];
    if io::Read::read_exact(&mut reader, &mut found).is_err() || found != head {
        return Err(io::Error::other("it has other columns than this run"));
    }
    let mut place = head.len() as u64;
    let mut line = String::new();
    while known.wants_more() {
        line.clear();
        let length = reader.read_line(&mut line)? as u64;
        let text = line.trim_end_matches(['\n', ',']);
        let separator = length - text.len() as u64;
        // The head of some texts ends before the end of its line.
        let between = text.is_empty() && length > 0 && known.found == 0;
        if !between {
            // A row that has an end of its own is whole also where the run that took the tail away was killed.
            let ends = separator > 0 || !style.tail().is_empty();
            let Some(row) = style.read(text).filter(|_| ends) else { break };
            known.take(&row);
        }
        // What separates rows belongs to the next one, unless nothing else ends the last.
        let belongs = between || known.wants_more() || style.tail().is_empty();
        place += text.len() as u64 + if belongs { separator } else { 0 };
    }
    Ok(place)
}
