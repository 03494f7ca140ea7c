//! Comma-separated values: a header, then one line for each state.

use std::io::{self, Write};
use std::path::Path;

use super::Known;
use super::lines::{Lines, Style};
use crate::files::Disk;

/// Numbers with as many digits as read back to the same number.
pub struct Csv;

impl Style for Csv {
    fn put(&self, row: &[f64], _first: bool, text: &mut Vec<u8>) -> io::Result<()> {
        for (k, value) in row.iter().enumerate() {
            let separator = if k == 0 { "" } else { "," };
            write!(text, "{separator}{value:?}")?;
        }
        text.push(b'\n');
        Ok(())
    }

    fn read(&self, line: &str) -> Option<Vec<f64>> {
        line.split(',').map(|value| value.parse().ok()).collect()
    }

    fn tail(&self) -> &'static [u8] {
        b""
    }
}

fn head(columns: &[String]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns)?;
    writer.into_inner().map_err(|error| error.into_error())
}

/// Begins a file.
pub fn begin(disk: &Disk, path: &Path, columns: &[String]) -> io::Result<Lines<Csv>> {
    Lines::begin(disk, path, head(columns)?, Csv)
}

/// Goes on with a file.
pub fn go_on(disk: &Disk, path: &Path, columns: &[String], known: &mut Known) -> io::Result<Lines<Csv>> {
    Lines::go_on(disk, path, head(columns)?, Csv, known)
}
