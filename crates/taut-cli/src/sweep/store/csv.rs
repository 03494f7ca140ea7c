//! Rows of a sweep as comma-separated values.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use super::growing::{BUFFER, Growing};
use super::{Keep, Known, Record, other};
use crate::files::Disk;
use crate::sweep::row::RowStatus;

/// A text that grows by lines.
pub struct Csv {
    file: Growing,
}

impl Csv {
    /// Begins a file with a header.
    pub fn begin(disk: &Disk, path: &Path, columns: &[String]) -> io::Result<Self> {
        Ok(Csv { file: Growing::new(disk.create_anew(path)?, 0, head(columns)?) })
    }

    /// Goes on behind the last whole line.
    pub fn go_on(disk: &Disk, path: &Path, columns: &[String], known: &mut Known<'_>) -> io::Result<Self> {
        let head = head(columns)?;
        let mut reader = BufReader::with_capacity(BUFFER, File::open(path)?);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if line != head {
            return match head.starts_with(&line) {
                true => Self::begin(disk, path, columns),
                false => Err(other("it has other columns than this sweep".to_owned())),
            };
        }
        let mut place = head.len() as u64;
        for number in 2.. {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            let Some(text) = line.strip_suffix(b"\n") else { break };
            let record = std::str::from_utf8(text).ok().and_then(|text| read(text, columns.len()));
            match record.ok_or_else(|| "it is no row of this sweep".to_owned()).and_then(&mut *known) {
                Ok(()) => place += length,
                // A machine that lost its power may have left anything behind the last line; a line before others is another matter.
                Err(_) if reader.fill_buf()?.is_empty() => break,
                Err(reason) => return Err(other(format!("line {number}: {reason}"))),
            }
        }
        let file = disk.open(path)?;
        file.cut(place)?;
        Ok(Csv { file: Growing::new(file, place, Vec::new()) })
    }
}

impl Keep for Csv {
    fn add(&mut self, record: &Record) -> io::Result<()> {
        self.file.add(|text| write_line(text, record))
    }

    fn secure(&mut self) -> io::Result<()> {
        self.file.secure()
    }

    fn finish(&mut self, _complete: bool) -> io::Result<()> {
        self.secure()
    }
}

fn head(columns: &[String]) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(columns)?;
    writer.into_inner().map_err(|error| error.into_error())
}

fn write_line(text: &mut Vec<u8>, record: &Record) -> io::Result<()> {
    write!(text, "{}", record.run)?;
    for number in &record.numbers {
        write!(text, ",{number:?}")?;
    }
    let reason = match record.reason.contains([',', '"']) {
        true => format!("\"{}\"", record.reason.replace('"', "\"\"")),
        false => record.reason.clone(),
    };
    writeln!(text, ",{},{reason}", record.status.name())
}

/// The record of a line with so many columns: numbers are never quoted, and no field has a line of its own.
fn read(line: &str, columns: usize) -> Option<Record> {
    let mut fields = line.splitn(columns, ',');
    let run = fields.next()?.parse().ok()?;
    let numbers: Vec<f64> =
        (3..columns).map(|_| fields.next().and_then(|field| field.parse().ok())).collect::<Option<_>>()?;
    let status = RowStatus::named(fields.next()?)?;
    let reason = fields.next()?;
    let quoted = reason.strip_prefix('"').map(|rest| rest.strip_suffix('"'));
    let reason = match quoted {
        None => reason.to_owned(),
        Some(inner) => inner?.replace("\"\"", "\""),
    };
    Some(Record { run, numbers, status, reason })
}
