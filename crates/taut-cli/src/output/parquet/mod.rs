//! Apache Parquet: required doubles, plainly encoded, one row group for each block.
//!
//! A file is the magic word, the pages of all row groups, then the metadata that says where they are, its length, and
//! the magic word again. Numbers behind the fields are those of the format's definition (parquet.thrift).

mod thrift;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::Block;
use super::journal::{Rows, numbers};
use crate::files::Disk;
use thrift::Struct;

const MAGIC: &[u8] = b"PAR1";
/// the physical type DOUBLE
const DOUBLE: i32 = 5;
/// the encodings of values and of levels, of which required columns have none
const PLAIN: i32 = 0;
const RLE: i32 = 3;

/// Where the pages of a row group are.
struct RowGroup {
    rows: usize,
    /// for each column the place and the length of its page, header included
    pages: Vec<(u64, usize)>,
}

/// Writes a row group whenever a block is full.
struct Writer<'w> {
    writer: &'w mut dyn Write,
    names: &'w [String],
    block: Block,
    groups: Vec<RowGroup>,
    place: u64,
}

/// Makes a file of rows.
pub fn write(disk: &Disk, path: &Path, names: &[String], rows: &mut Rows<'_>) -> io::Result<()> {
    disk.replace(path, |file| {
        file.write_all(MAGIC)?;
        let (block, place) = (Block::new(names.len()), MAGIC.len() as u64);
        let mut writer = Writer { writer: file, names, block, groups: Vec::new(), place };
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
        let metadata = self.metadata();
        self.writer.write_all(&metadata)?;
        self.writer.write_all(&(metadata.len() as u32).to_le_bytes())?;
        self.writer.write_all(MAGIC)
    }

    fn write_block(&mut self) -> io::Result<()> {
        let mut pages = Vec::with_capacity(self.names.len());
        for values in self.block.columns() {
            let header = page_header(values.len());
            self.writer.write_all(&header)?;
            for value in values {
                self.writer.write_all(&value.to_le_bytes())?;
            }
            let length = header.len() + size_of_val(values.as_slice());
            pages.push((self.place, length));
            self.place += length as u64;
        }
        self.groups.push(RowGroup { rows: self.block.rows(), pages });
        self.block.clear();
        Ok(())
    }

    /// FileMetaData
    fn metadata(&self) -> Vec<u8> {
        let rows: usize = self.groups.iter().map(|group| group.rows).sum();
        let root = Struct::new().text(4, "trajectory").int(5, self.names.len() as i32).end();
        let columns =
            self.names.iter().map(|name| Struct::new().int(1, DOUBLE).int(3, 0).text(4, name).end());
        let schema: Vec<Vec<u8>> = std::iter::once(root).chain(columns).collect();
        let groups: Vec<Vec<u8>> = self.groups.iter().map(|group| self.row_group(group)).collect();
        Struct::new()
            .int(1, 1)
            .structs(2, &schema)
            .long(3, rows as i64)
            .structs(4, &groups)
            .text(6, concat!("taut ", env!("CARGO_PKG_VERSION")))
            .end()
    }

    /// RowGroup
    fn row_group(&self, group: &RowGroup) -> Vec<u8> {
        let column = |(name, &(place, length)): (&String, &(u64, usize))| {
            let metadata = Struct::new()
                .int(1, DOUBLE)
                .ints(2, &[PLAIN, RLE])
                .texts(3, &[name])
                .int(4, 0)
                .long(5, group.rows as i64)
                .long(6, length as i64)
                .long(7, length as i64)
                .long(9, place as i64)
                .end();
            Struct::new().long(2, place as i64).inner(3, &metadata).end()
        };
        let columns: Vec<Vec<u8>> = self.names.iter().zip(&group.pages).map(column).collect();
        let bytes: usize = group.pages.iter().map(|(_, length)| length).sum();
        Struct::new().structs(1, &columns).long(2, bytes as i64).long(3, group.rows as i64).end()
    }
}

/// PageHeader of a data page
fn page_header(values: usize) -> Vec<u8> {
    let bytes = (values * size_of::<f64>()) as i32;
    let data = Struct::new().int(1, values as i32).int(2, PLAIN).int(3, RLE).int(4, RLE).end();
    Struct::new().int(1, 0).int(2, bytes).int(3, bytes).inner(5, &data).end()
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
        let header = page_header(rows).len() as u64;
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
    let fits = size > 0 && size < length && header.starts_with(&page_header(rows));
    Ok(fits.then_some(rows))
}
