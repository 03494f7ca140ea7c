//! A Parquet file, written page by page.

use std::io::{self, Write};

use super::MAGIC;
use super::thrift::Struct;

/// The encodings of values and of levels, of which required columns have none.
const PLAIN: i32 = 0;
const RLE: i32 = 3;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// whole numbers of 64 bits
    Long,
    /// numbers
    Double,
    /// texts, each behind its length
    Text,
}

impl Kind {
    /// The number of the physical type.
    fn physical(self) -> i32 {
        match self {
            Kind::Long => 2,
            Kind::Double => 5,
            Kind::Text => 6,
        }
    }
}

/// Where the pages of a row group are.
struct RowGroup {
    rows: usize,
    /// for each column the place and the length of its page, header included
    pages: Vec<(u64, usize)>,
}

/// A file that grows.
pub struct Assembly<'w> {
    writer: &'w mut dyn Write,
    title: &'static str,
    columns: Vec<(String, Kind)>,
    groups: Vec<RowGroup>,
    pages: Vec<(u64, usize)>,
    place: u64,
}

impl<'w> Assembly<'w> {
    /// Begins a file with these columns.
    pub fn begin(
        writer: &'w mut dyn Write,
        title: &'static str,
        columns: Vec<(String, Kind)>,
    ) -> io::Result<Self> {
        writer.write_all(MAGIC)?;
        let place = MAGIC.len() as u64;
        Ok(Assembly { writer, title, columns, groups: Vec::new(), pages: Vec::new(), place })
    }

    /// Writes the page of the next column of a row group.
    pub fn page(&mut self, values: usize, bytes: &[u8]) -> io::Result<()> {
        let header = page_header(values, bytes.len());
        self.writer.write_all(&header)?;
        self.writer.write_all(bytes)?;
        let length = header.len() + bytes.len();
        self.pages.push((self.place, length));
        self.place += length as u64;
        Ok(())
    }

    /// Ends a row group, of which every column has its page.
    pub fn end_group(&mut self, rows: usize) {
        self.groups.push(RowGroup { rows, pages: std::mem::take(&mut self.pages) });
    }

    /// Completes the file.
    pub fn finish(self) -> io::Result<()> {
        let metadata = self.metadata();
        self.writer.write_all(&metadata)?;
        self.writer.write_all(&(metadata.len() as u32).to_le_bytes())?;
        self.writer.write_all(MAGIC)
    }

    /// FileMetaData
    fn metadata(&self) -> Vec<u8> {
        let rows: usize = self.groups.iter().map(|group| group.rows).sum();
        let root = Struct::new().text(4, self.title).int(5, self.columns.len() as i32).end();
        let columns = self.columns.iter().map(|(name, kind)| {
            let element = Struct::new().int(1, kind.physical()).int(3, 0).text(4, name);
            // The converted type UTF8.
            if *kind == Kind::Text { element.int(6, 0).end() } else { element.end() }
        });
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
        let column = |((name, kind), &(place, length)): (&(String, Kind), &(u64, usize))| {
            let metadata = Struct::new()
                .int(1, kind.physical())
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
        let columns: Vec<Vec<u8>> = self.columns.iter().zip(&group.pages).map(column).collect();
        let bytes: usize = group.pages.iter().map(|(_, length)| length).sum();
        Struct::new().structs(1, &columns).long(2, bytes as i64).long(3, group.rows as i64).end()
    }
}

/// PageHeader of a data page
pub fn page_header(values: usize, bytes: usize) -> Vec<u8> {
    let bytes = bytes as i32;
    let data = Struct::new().int(1, values as i32).int(2, PLAIN).int(3, RLE).int(4, RLE).end();
    Struct::new().int(1, 0).int(2, bytes).int(3, bytes).inner(5, &data).end()
}
