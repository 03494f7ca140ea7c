//! `{"columns": [...], "rows": [[...], ...]}`

use std::io;
use std::path::Path;

use super::Known;
use super::lines::{Lines, Style};
use crate::files::Disk;

/// An object whose rows are written as they come. It is complete whenever a checkpoint is.
pub struct Json;

impl Style for Json {
    fn put(&self, row: &[f64], first: bool, text: &mut Vec<u8>) -> io::Result<()> {
        text.extend_from_slice(if first { b"\n" } else { b",\n" });
        serde_json::to_writer(text, row)?;
        Ok(())
    }

    fn read(&self, line: &str) -> Option<Vec<f64>> {
        serde_json::from_str(line).ok()
    }

    fn tail(&self) -> &'static [u8] {
        b"\n]}\n"
    }
}

fn head(columns: &[String]) -> io::Result<Vec<u8>> {
    Ok(format!("{{\"columns\": {}, \"rows\": [", serde_json::to_string(columns)?).into_bytes())
}

/// Begins a file.
pub fn begin(disk: &Disk, path: &Path, columns: &[String]) -> io::Result<Lines<Json>> {
    Lines::begin(disk, path, head(columns)?, Json)
}

/// Goes on with a file.
pub fn go_on(disk: &Disk, path: &Path, columns: &[String], known: &mut Known) -> io::Result<Lines<Json>> {
    Lines::go_on(disk, path, head(columns)?, Json, known)
}
