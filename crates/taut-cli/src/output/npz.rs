//! NumPy's format: a zip archive with one array for each column.
//!
//! An archive holds its arrays one after the other, rows come with all columns at once: blocks of columns wait in one more
//! file, FILE.blocks, until the archive is written.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::block::Block;
use super::journal::{Rows, numbers};
use crate::files::{Disk, DiskFile, beside};

const BYTES: usize = size_of::<f64>();

/// Makes an archive of rows.
pub fn write(disk: &Disk, path: &Path, names: &[String], rows: &mut Rows<'_>) -> io::Result<()> {
    let place = beside(path, "blocks");
    let written = disk.create_anew(&place).and_then(|file| {
        let (mut waiting, blocks) = write_blocks(file, names.len(), rows)?;
        disk.replace(path, |archive| write_archive(archive, names, &mut waiting, &blocks))
    });
    let removed = disk.remove(&place);
    written.and(removed)
}

/// Rows turned into columns, block by block, and the number of rows of each block.
fn write_blocks(file: DiskFile, columns: usize, rows: &mut Rows<'_>) -> io::Result<(DiskFile, Vec<usize>)> {
    let (mut block, mut blocks) = (Block::new(columns), Vec::new());
    let mut waiting = BufWriter::new(file);
    let mut put = |block: &mut Block, waiting: &mut BufWriter<DiskFile>| {
        for value in block.columns().iter().flatten() {
            waiting.write_all(&value.to_le_bytes())?;
        }
        blocks.push(block.rows());
        block.clear();
        Ok::<(), io::Error>(())
    };
    rows(&mut |row| {
        block.push(row);
        if block.is_full() { put(&mut block, &mut waiting) } else { Ok(()) }
    })?;
    if block.rows() > 0 {
        put(&mut block, &mut waiting)?;
    }
    Ok((waiting.into_inner().map_err(io::IntoInnerError::into_error)?, blocks))
}

fn write_archive(
    file: &mut BufWriter<DiskFile>,
    names: &[String],
    waiting: &mut DiskFile,
    blocks: &[usize],
) -> io::Result<()> {
    let rows: usize = blocks.iter().sum();
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file((rows * BYTES) as u64 >= u64::from(u32::MAX) - 1024);
    let mut writer = Remembering { writer: file, error: None, place: 0, end: 0 };
    let mut archive = ZipWriter::new(&mut writer);
    let mut segment = Vec::new();
    for (number, name) in names.iter().enumerate() {
        archive.start_file(format!("{name}.npy"), options)?;
        archive.write_all(&header(rows))?;
        let mut before = 0;
        for &length in blocks {
            waiting.seek(SeekFrom::Start(((before * names.len() + number * length) * BYTES) as u64))?;
            segment.resize(length * BYTES, 0);
            waiting.read_exact(&mut segment)?;
            archive.write_all(&segment)?;
            before += length;
        }
    }
    archive.finish()?;
    writer.error.map_or(Ok(()), Err)
}

/// A writer that tells its first error at the end: an archive that hears of one tells standard error about it. From then on
/// it only pretends to write, at the places where it would be.
struct Remembering<W> {
    writer: W,
    error: Option<io::Error>,
    place: u64,
    end: u64,
}

impl<W: Write> Write for Remembering<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.writer.write_all(bytes).err();
        }
        self.place += bytes.len() as u64;
        self.end = self.end.max(self.place);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.error.is_none() {
            self.error = self.writer.flush().err();
        }
        Ok(())
    }
}

impl<W: Seek> Seek for Remembering<W> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        // Seeking writes what a buffer holds.
        if self.error.is_none() {
            self.error = self.writer.seek(place).err();
        }
        self.place = match place {
            SeekFrom::Start(place) => place,
            SeekFrom::Current(distance) => self.place.saturating_add_signed(distance),
            SeekFrom::End(distance) => self.end.saturating_add_signed(distance),
        };
        Ok(self.place)
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

/// Hands the rows of an archive that was written so to `take`, until it wants no more.
pub fn read(path: &Path, names: &[String], take: &mut dyn FnMut(&[f64]) -> bool) -> io::Result<()> {
    let other = || io::Error::other("it has other columns than this run");
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut columns = Vec::new();
    let mut rows = usize::MAX;
    for (number, name) in names.iter().enumerate() {
        let array = archive.by_index(number)?;
        if array.name()?.strip_suffix(".npy") != Some(name)
            || array.compression() != CompressionMethod::Stored
        {
            return Err(other());
        }
        let here = (array.size() as usize).saturating_sub(header(0).len()) / BYTES;
        if array.size() as usize != header(here).len() + here * BYTES || (number > 0 && here != rows) {
            return Err(other());
        }
        rows = here;
        columns.push(array.data_start().ok_or_else(other)? + header(here).len() as u64);
    }
    let mut file = File::open(path)?;
    read_columns(&mut file, &columns, rows, take)
}

/// Rows out of columns at these places.
fn read_columns(
    file: &mut File,
    columns: &[u64],
    rows: usize,
    take: &mut dyn FnMut(&[f64]) -> bool,
) -> io::Result<()> {
    let at_once = Block::new(columns.len()).capacity();
    let (mut bytes, mut values) = (Vec::new(), vec![0.0; columns.len() * at_once]);
    let mut row = vec![0.0; columns.len()];
    for first in (0..rows).step_by(at_once) {
        let length = at_once.min(rows - first);
        bytes.resize(length * BYTES, 0);
        for (column, place) in columns.iter().enumerate() {
            file.seek(SeekFrom::Start(place + (first * BYTES) as u64))?;
            file.read_exact(&mut bytes)?;
            numbers(&bytes, &mut values[column * at_once..][..length]);
        }
        for k in 0..length {
            row.iter_mut().enumerate().for_each(|(column, value)| *value = values[column * at_once + k]);
            if !take(&row) {
                return Ok(());
            }
        }
    }
    Ok(())
}
