//! The values of a column of a row group, from its pages.

use std::io;

use super::snappy;
use super::thrift::{Cursor, Found};

/// Kinds of pages.
const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_2: i64 = 3;

/// A column as its pages are read.
pub struct Chunk<'c> {
    /// the number of the physical type
    pub physical: i64,
    /// how pages are compressed
    pub codec: i64,
    /// whether values may be missing
    pub optional: bool,
    /// so many values are there, missing ones included
    pub count: usize,
    /// all pages
    pub bytes: &'c [u8],
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// a number
    Number(f64),
    /// a text
    Text(String),
    /// nothing
    Missing,
}

fn damaged() -> io::Error {
    io::Error::other("the file is damaged")
}

impl Chunk<'_> {
    /// All values.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let (mut entries, mut dictionary) = (Vec::new(), Vec::new());
        let mut rest = self.bytes;
        while entries.len() < self.count {
            let mut cursor = Cursor::new(rest);
            let header = cursor.structure().ok_or_else(damaged)?;
            let size = |field| header.number(field).and_then(|size| usize::try_from(size).ok());
            let (whole, packed) = size(2).zip(size(3)).ok_or_else(damaged)?;
            let body = cursor.take(packed).ok_or_else(damaged)?;
            rest = &rest[cursor.place()..];
            let before = entries.len();
            match header.number(1) {
                Some(DICTIONARY) => {
                    let bytes = self.unpack(body, whole)?;
                    let count = header.field(7).and_then(|inner| inner.number(1)).unwrap_or(0);
                    dictionary = self.plain(&bytes, count as usize).ok_or_else(damaged)?;
                    continue;
                }
                Some(DATA) => {
                    let inner = header.field(5).ok_or_else(damaged)?;
                    let bytes = self.unpack(body, whole)?;
                    entries.extend(self.first_kind(inner, &bytes, &dictionary)?);
                }
                Some(DATA_2) => {
                    let inner = header.field(8).ok_or_else(damaged)?;
                    entries.extend(self.second_kind(inner, body, whole, &dictionary)?);
                }
                _ => continue,
            }
            if entries.len() == before {
                return Err(damaged());
            }
        }
        Ok(entries)
    }

    fn unpack(&self, body: &[u8], length: usize) -> io::Result<Vec<u8>> {
        match self.codec {
            0 => Ok(body.to_vec()),
            1 => snappy::decompress(body, length).ok_or_else(damaged),
            _ => Err(io::Error::other(
                "it is compressed in a way that is not read; write it with snappy or without compression",
            )),
        }
    }

    /// A data page: levels behind their length, then values.
    fn first_kind(&self, inner: &Found, bytes: &[u8], dictionary: &[Entry]) -> io::Result<Vec<Entry>> {
        let count = self.count_of(inner)?;
        let (present, values) = if self.optional {
            let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(damaged)?;
            let (levels, values) =
                rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
            (Some(hybrid(levels, 1, count).ok_or_else(damaged)?), values)
        } else {
            (None, bytes)
        };
        self.place(inner.number(2), values, present, count, dictionary)
    }

    /// A data page of the second kind: levels are not compressed, and their length is in the header.
    fn second_kind(
        &self,
        inner: &Found,
        body: &[u8],
        whole: usize,
        dictionary: &[Entry],
    ) -> io::Result<Vec<Entry>> {
        let count = self.count_of(inner)?;
        let length = |field| usize::try_from(inner.number(field).unwrap_or(0)).map_err(|_| damaged());
        let (definition, repetition) = (length(5)?, length(6)?);
        let (levels, values) = body.split_at_checked(definition + repetition).ok_or_else(damaged)?;
        let present = match self.optional {
            true => Some(hybrid(&levels[repetition..], 1, count).ok_or_else(damaged)?),
            false => None,
        };
        let packed = inner.number(7) != Some(0);
        let values = match packed {
            true => self.unpack(values, whole.saturating_sub(levels.len()))?,
            false => values.to_vec(),
        };
        self.place(inner.number(4), &values, present, count, dictionary)
    }

    fn count_of(&self, inner: &Found) -> io::Result<usize> {
        let count = inner.number(1).and_then(|count| usize::try_from(count).ok());
        count.filter(|count| *count <= self.count).ok_or_else(damaged)
    }

    /// Values where they are present.
    fn place(
        &self,
        encoding: Option<i64>,
        bytes: &[u8],
        present: Option<Vec<u64>>,
        count: usize,
        dictionary: &[Entry],
    ) -> io::Result<Vec<Entry>> {
        let there =
            present.as_ref().map_or(count, |levels| levels.iter().filter(|level| **level == 1).count());
        let values = match encoding {
            Some(0) => self.plain(bytes, there).ok_or_else(damaged)?,
            Some(2 | 8) => {
                let indices = match bytes.split_first() {
                    Some((width, rest)) => hybrid(rest, u32::from(*width), there),
                    None => (there == 0).then(Vec::new),
                };
                let look = |index: u64| dictionary.get(index as usize).cloned();
                let found =
                    indices.and_then(|indices| indices.into_iter().map(look).collect::<Option<Vec<_>>>());
                found.ok_or_else(damaged)?
            }
            _ => return Err(io::Error::other("its values are encoded in a way that is not read")),
        };
        let Some(levels) = present else { return Ok(values) };
        let mut values = values.into_iter();
        let placed = levels.into_iter().map(|level| match level {
            0 => Some(Entry::Missing),
            _ => values.next(),
        });
        placed.collect::<Option<_>>().ok_or_else(damaged)
    }

    /// Values one after the other.
    fn plain(&self, bytes: &[u8], count: usize) -> Option<Vec<Entry>> {
        let mut cursor = Cursor::new(bytes);
        let mut entries = Vec::new();
        for _ in 0..count {
            entries.push(match self.physical {
                1 => Entry::Number(f64::from(i32::from_le_bytes(*cursor.take(4)?.first_chunk()?))),
                2 => Entry::Number(i64::from_le_bytes(*cursor.take(8)?.first_chunk()?) as f64),
                4 => Entry::Number(f64::from(f32::from_le_bytes(*cursor.take(4)?.first_chunk()?))),
                5 => Entry::Number(f64::from_le_bytes(*cursor.take(8)?.first_chunk()?)),
                6 => {
                    let length = u32::from_le_bytes(*cursor.take(4)?.first_chunk()?);
                    Entry::Text(String::from_utf8_lossy(cursor.take(length as usize)?).into_owned())
                }
                _ => return None,
            });
        }
        Some(entries)
    }
}

/// Numbers of a few bits each, in runs: repeated, or eight after eight packed.
fn hybrid(bytes: &[u8], width: u32, count: usize) -> Option<Vec<u64>> {
    if width > 32 {
        return None;
    }
    let mut cursor = Cursor::new(bytes);
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let head = cursor.varint()?;
        let missing = count - numbers.len();
        if head & 1 == 0 {
            let bytes = cursor.take(width.div_ceil(8) as usize)?;
            let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
            let repeated = usize::try_from(head >> 1).ok().filter(|repeated| *repeated > 0)?;
            numbers.extend(std::iter::repeat_n(value, repeated.min(missing)));
        } else {
            let groups = usize::try_from(head >> 1).ok().filter(|groups| *groups > 0)?;
            let packed = cursor.take(groups.checked_mul(width as usize)?)?;
            let bit = |k: usize| packed.get(k / 8).map_or(0, |byte| u64::from(byte >> (k % 8) & 1));
            let width = width as usize;
            let value = |k: usize| (0..width).fold(0, |value, place| value | bit(k * width + place) << place);
            numbers.extend((0..groups.saturating_mul(8).min(missing)).map(value));
        }
    }
    Some(numbers)
}
