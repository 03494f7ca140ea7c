//! Comma-separated values: a header, then one line for each state.

use std::fs::File;
use std::io::{self, Write};

use super::Sink;

/// Writes numbers with as many digits as read back to the same number.
pub struct CsvSink {
    writer: csv::Writer<File>,
    field: Vec<u8>,
}

impl CsvSink {
    /// Writes the header.
    pub fn new(file: File, columns: &[String]) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(columns)?;
        Ok(CsvSink { writer, field: Vec::new() })
    }
}

impl Sink for CsvSink {
    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        for value in row {
            self.field.clear();
            write!(self.field, "{value:?}")?;
            self.writer.write_field(&self.field)?;
        }
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer.flush()
    }
}
