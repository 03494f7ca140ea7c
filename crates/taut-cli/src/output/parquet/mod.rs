//! Apache Parquet: required columns, plainly encoded, one row group for each block (`assembly`); of other people's files what
//! tables of numbers need (`reading`).
//!
//! A file is the magic word, the pages of all row groups, then the metadata that says where they are, its length, and
//! the magic word again. Numbers behind the fields are those of the format's definition (parquet.thrift).

mod assembly;
mod pages;
mod reading;
mod snappy;
mod thrift;

pub use assembly::{Assembly, Kind};
pub use reading::{Content, read_columns};

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::block::Block;
use super::journal::{Rows, numbers};
use crate::files::Disk;
use assembly::page_header;

const MAGIC: &[u8] = b"PAR1";
/// Writes a row group whenever a block is full.
struct Writer<'w> {
    assembly: Assembly<'w>,
    block: Block,
}

/// Makes a file of rows.
pub fn write(disk: &Disk, path: &Path, names: &[String], rows: &mut Rows<'_>) -> io::Result<()> {
    let columns = names.iter().map(|name| (name.clone(), Kind::Double)).collect();
    disk.replace(path, |file| {
        let assembly = Assembly::begin(file, "trajectory", columns)?;
        let mut writer = Writer { assembly, block: Block::new(names.len()) };
        rows(&mut |row| writer.row(row))?;
        writer.finish()
    })
}

impl Writer<'_> {
    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        self.block.push(row);
        if self.block.is_full() { self.write_block() } else { Ok(()) }
    }

    fn finish(mut self) -> io::Result<()> {
        if self.block.rows() > 0 {
            self.write_block()?;
        }
        self.assembly.finish()
    }

    fn write_block(&mut self) -> io::Result<()> {
        for values in self.block.columns() {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            self.assembly.page(values.len(), &bytes)?;
        }
        self.assembly.end_group(self.block.rows());
        self.block.clear();
        Ok(())
    }
}

/// What a page header begins with: field 1 is 0, and field 2, the number of bytes, follows.
const HEADER: [u8; 3] = [0x15, 0x00, 0x15];
/// A page header is not longer than this.
const LONGEST_HEADER: u64 = 64;

/// Hands the rows of a file that was written so to `take`, until it wants no more.
pub fn read(path: &Path, columns: usize, take: &mut dyn FnMut(&[f64]) -> bool) -> io::Result<()> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut place = MAGIC.len() as u64;
    let mut row = vec![0.0; columns];
    loop {
        let Some(rows) = rows_at(&mut file, place, length)? else { return Ok(()) };
        let header = page_header(rows, rows * size_of::<f64>()).len() as u64;
        let page = header + (rows * size_of::<f64>()) as u64;
        if place + columns as u64 * page > length {
            return Ok(());
        }
        let mut bytes = vec![0; rows * size_of::<f64>()];
        let mut values = vec![vec![0.0; rows]; columns];
        for values in &mut values {
            file.seek(SeekFrom::Start(place + header))?;
            file.read_exact(&mut bytes)?;
            numbers(&bytes, values);
            place += page;
        }
        for k in 0..rows {
            row.iter_mut().zip(&values).for_each(|(entry, column)| *entry = column[k]);
            if !take(&row) {
                return Ok(());
            }
        }
    }
}

/// The number of rows of the row group whose first page is at a place; nothing where there is none.
fn rows_at(file: &mut File, place: u64, length: u64) -> io::Result<Option<usize>> {
    file.seek(SeekFrom::Start(place))?;
    let mut header = Vec::new();
    Read::take(file, LONGEST_HEADER).read_to_end(&mut header)?;
    let Some(bytes) = header.strip_prefix(&HEADER) else { return Ok(None) };
    let size = thrift::varint(bytes) >> 1;
    let rows = (size / size_of::<f64>() as u64) as usize;
    let fits = size > 0 && size < length && header.starts_with(&page_header(rows, rows * size_of::<f64>()));
    Ok(fits.then_some(rows))
}
