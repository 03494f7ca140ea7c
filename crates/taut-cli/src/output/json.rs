//! `{"columns": [...], "rows": [[...], ...]}`

use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::Sink;

/// Writes an object whose rows are written as they come.
pub struct JsonSink {
    writer: BufWriter<File>,
    first: bool,
}

impl JsonSink {
    /// Writes what stands before the rows.
    pub fn new(file: File, columns: &[String]) -> io::Result<Self> {
        let mut writer = BufWriter::new(file);
        write!(writer, "{{\"columns\": {}, \"rows\": [", serde_json::to_string(columns)?)?;
        Ok(JsonSink { writer, first: true })
    }
}

impl Sink for JsonSink {
    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        let separator: &[u8] = if std::mem::take(&mut self.first) { b"\n" } else { b",\n" };
        self.writer.write_all(separator)?;
        // Numbers that are not finite become null: JSON has none.
        serde_json::to_writer(&mut self.writer, row)?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer.write_all(b"\n]}\n")?;
        self.writer.flush()
    }
}
