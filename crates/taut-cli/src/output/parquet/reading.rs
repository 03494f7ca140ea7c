//! Parquet files of tables: flat columns of numbers and texts, plain or with a dictionary, as they are or with snappy.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::MAGIC;
use super::pages::{Chunk, Entry};
use super::thrift::{Cursor, Found};

/// The metadata of a file is not longer than this.
const MOST_METADATA: u64 = 64 << 20;
/// A column of a row group is not longer than this.
const MOST_CHUNK: i64 = 1 << 30;
/// A row group has no more rows than this.
const MOST_ROWS: i64 = 1 << 26;

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// numbers
    Numbers(Vec<f64>),
    /// texts
    Texts(Vec<String>),
}

fn strange(words: &str) -> io::Error {
    io::Error::other(format!("it cannot be read as a table: {words}"))
}

/// The names of the columns of a file, and its row groups one after the other.
pub fn read_columns(
    path: &Path,
) -> io::Result<(Vec<String>, impl Iterator<Item = io::Result<Vec<Content>>> + use<>)> {
    let mut file = File::open(path)?;
    let metadata = metadata(&mut file)?;
    let columns = columns(&metadata)?;
    let names = columns.iter().map(|column| column.name.clone()).collect();
    let groups = metadata.list(4).unwrap_or_default().to_vec();
    let groups = groups.into_iter().map(move |group| {
        let chunks = group.list(1).unwrap_or_default();
        if chunks.len() != columns.len() {
            return Err(strange("a row group has other columns"));
        }
        chunks.iter().zip(&columns).map(|(chunk, column)| content(&mut file, chunk, column)).collect()
    });
    Ok((names, groups))
}

/// A column of the schema.
struct Column {
    name: String,
    optional: bool,
}

/// FileMetaData
fn metadata(file: &mut File) -> io::Result<Found> {
    let length = file.metadata()?.len();
    let mut end = [0; 8];
    if length < 12 {
        return Err(strange("it is too short"));
    }
    file.seek(SeekFrom::Start(length - 8))?;
    file.read_exact(&mut end)?;
    let [a, b, c, d, magic @ ..] = end;
    let size = u64::from(u32::from_le_bytes([a, b, c, d]));
    if magic != *MAGIC || size + 12 > length || size > MOST_METADATA {
        return Err(strange("it does not end as a Parquet file does"));
    }
    file.seek(SeekFrom::Start(length - 8 - size))?;
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes)?;
    Cursor::new(&bytes).structure().ok_or_else(|| strange("its metadata is damaged"))
}

fn columns(metadata: &Found) -> io::Result<Vec<Column>> {
    let schema = metadata.list(2).unwrap_or_default().iter().skip(1);
    let column = |element: &Found| {
        let name = element.text(4).ok_or_else(|| strange("a column has no name"))?.to_owned();
        match (element.number(5).unwrap_or(0), element.number(3)) {
            (0, Some(0)) => Ok(Column { name, optional: false }),
            (0, Some(1)) => Ok(Column { name, optional: true }),
            _ => Err(strange(&format!("the column '{name}' holds lists or structures"))),
        }
    };
    schema.map(column).collect()
}

fn content(file: &mut File, chunk: &Found, column: &Column) -> io::Result<Content> {
    let damaged = || strange(&format!("the column '{}' is damaged", column.name));
    let metadata = chunk.field(3).ok_or_else(damaged)?;
    let number = |field| metadata.number(field).ok_or_else(damaged);
    let (data, size, count) = (number(9)?, number(7)?, number(5)?);
    let from = metadata.number(11).filter(|dictionary| *dictionary > 0).map_or(data, |place| place.min(data));
    let length = file.metadata()?.len();
    if from < 0
        || !(0..=MOST_CHUNK).contains(&size)
        || from as u64 + size as u64 > length
        || !(0..=MOST_ROWS).contains(&count)
    {
        return Err(damaged());
    }
    file.seek(SeekFrom::Start(from as u64))?;
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes)?;
    let (physical, codec) = (number(1)?, number(4)?);
    let chunk = Chunk { physical, codec, optional: column.optional, count: count as usize, bytes: &bytes };
    let named = |error: io::Error| io::Error::other(format!("column '{}': {error}", column.name));
    if !matches!(physical, 1 | 2 | 4 | 5 | 6) {
        return Err(named(io::Error::other("it holds neither numbers nor texts")));
    }
    let entries = chunk.entries().map_err(named)?;
    Ok(sorted(entries, physical == 6))
}

fn sorted(entries: Vec<Entry>, texts: bool) -> Content {
    if texts {
        let text = |entry| if let Entry::Text(text) = entry { text } else { String::new() };
        return Content::Texts(entries.into_iter().map(text).collect());
    }
    let number = |entry| if let Entry::Number(number) = entry { number } else { f64::NAN };
    Content::Numbers(entries.into_iter().map(number).collect())
}
