//! NumPy's format: a zip archive with one array for each column.
//!
//! An archive holds its arrays one after the other, a run gives all columns at once: blocks of columns wait in a
//! second file, beside the first, until the number of rows is known.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Sink;
use super::block::Block;

const BYTES: usize = size_of::<f64>();

/// Writes columns block by block to a file where they wait, and from there to the archive.
pub struct NpzSink {
    archive: File,
    names: Vec<String>,
    block: Block,
    waiting: BufWriter<File>,
    waiting_place: PathBuf,
    /// the number of rows of each block that waits
    written: Vec<usize>,
}

impl NpzSink {
    /// Begins an archive.
    pub fn new(archive: File, path: &Path, columns: &[String]) -> io::Result<Self> {
        let waiting_place = path.with_extension("npz.part");
        let waiting =
            File::options().read(true).write(true).create(true).truncate(true).open(&waiting_place)?;
        let waiting = BufWriter::new(waiting);
        let block = Block::new(columns.len());
        Ok(NpzSink { archive, names: columns.to_vec(), block, waiting, waiting_place, written: Vec::new() })
    }

    fn write_block(&mut self) -> io::Result<()> {
        for column in self.block.columns() {
            for value in column {
                self.waiting.write_all(&value.to_le_bytes())?;
            }
        }
        self.written.push(self.block.rows());
        self.block.clear();
        Ok(())
    }
}

impl Sink for NpzSink {
    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        self.block.push(row);
        if self.block.is_full() { self.write_block() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.block.rows() > 0 {
            self.write_block()?;
        }
        let mut waiting = self.waiting.into_inner().map_err(io::IntoInnerError::into_error)?;
        let rows: usize = self.written.iter().sum();
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file((rows * BYTES) as u64 >= u64::from(u32::MAX) - 1024);
        let mut archive = ZipWriter::new(BufWriter::new(self.archive));
        let mut segment = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            archive.start_file(format!("{name}.npy"), options)?;
            archive.write_all(&header(rows))?;
            let mut before = 0;
            for &length in &self.written {
                waiting
                    .seek(SeekFrom::Start(((before * self.names.len() + number * length) * BYTES) as u64))?;
                segment.resize(length * BYTES, 0);
                waiting.read_exact(&mut segment)?;
                archive.write_all(&segment)?;
                before += length;
            }
        }
        archive.finish()?.flush()?;
        std::fs::remove_file(&self.waiting_place)
    }
}

/// The header of a vector of little-endian doubles: magic, version 1.0, length, a dictionary, padded to 64 bytes.
fn header(rows: usize) -> Vec<u8> {
    let dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows},), }}");
    let fixed = 10;
    let length = (fixed + dictionary.len() + 1).next_multiple_of(64) - fixed;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(length as u16).to_le_bytes());
    bytes.extend_from_slice(dictionary.as_bytes());
    bytes.resize(fixed + length - 1, b' ');
    bytes.push(b'\n');
    bytes
}
