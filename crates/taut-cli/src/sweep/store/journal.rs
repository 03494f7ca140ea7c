//! Rows that wait for their Parquet file: FILE.part holds them as they came, each with its length and a checksum.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::growing::{BUFFER, Growing};
use super::{Keep, Known, Record, other, parquet};
use crate::files::{Disk, DiskFile, beside};
use crate::sweep::row::RowStatus;

/// Bytes of the length and of the checksum of a record.
const LENGTH: usize = 4;
const CHECK: usize = 4;
const NUMBER: usize = 8;

/// Rows that wait in a file.
pub struct Journal {
    disk: Disk,
    path: PathBuf,
    columns: Vec<String>,
    file: Growing,
}

impl Journal {
    /// Begins a journal beside a file.
    pub fn begin(disk: &Disk, path: &Path, columns: &[String]) -> io::Result<Self> {
        let file = disk.create_anew(&beside(path, "part"))?;
        Ok(Self::new(disk, path, columns, file, 0))
    }

    fn new(disk: &Disk, path: &Path, columns: &[String], file: DiskFile, place: u64) -> Self {
        let (disk, path, columns) = (disk.clone(), path.to_owned(), columns.to_vec());
        Journal { disk, path, columns, file: Growing::new(file, place, Vec::new()) }
    }

    /// Goes on behind the last whole record.
    pub fn go_on(disk: &Disk, path: &Path, columns: &[String], known: &mut Known<'_>) -> io::Result<Self> {
        let part = beside(path, "part");
        let mut trouble = Ok(());
        let place = read(&part, columns.len(), &mut |record| {
            trouble = known(record).map_err(other);
            trouble.is_ok()
        })?;
        trouble?;
        let file = disk.open(&part)?;
        file.cut(place)?;
        Ok(Self::new(disk, path, columns, file, place))
    }
}

impl Keep for Journal {
    fn add(&mut self, record: &Record) -> io::Result<()> {
        self.file.add(|bytes| {
            put(record, bytes);
            Ok(())
        })
    }

    fn secure(&mut self) -> io::Result<()> {
        self.file.secure()
    }

    fn finish(&mut self, complete: bool) -> io::Result<()> {
        self.secure()?;
        let part = beside(&self.path, "part");
        parquet::write(&self.disk, &self.path, &self.columns, &mut |take| {
            let mut trouble = Ok(());
            read(&part, self.columns.len(), &mut |record| {
                trouble = take(&record);
                trouble.is_ok()
            })?;
            trouble
        })?;
        if complete { self.disk.remove(&part) } else { Ok(()) }
    }
}

fn put(record: &Record, bytes: &mut Vec<u8>) {
    let mut body = record.run.to_le_bytes().to_vec();
    record.numbers.iter().for_each(|number| body.extend_from_slice(&number.to_le_bytes()));
    body.push(record.status as u8);
    body.extend_from_slice(record.reason.as_bytes());
    bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&checksum(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
}

/// FNV-1a with 32 bits.
fn checksum(body: &[u8]) -> u32 {
    body.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Hands whole records to `take` until it wants no more; where they end.
fn read(path: &Path, columns: usize, take: &mut dyn FnMut(Record) -> bool) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(BUFFER, File::open(path)?);
    let (mut place, total) = (0, std::fs::metadata(path)?.len());
    let (mut head, mut body) = ([0; LENGTH + CHECK], Vec::new());
    loop {
        let after = place + head.len() as u64;
        if after > total {
            return Ok(place);
        }
        reader.read_exact(&mut head)?;
        let [l0, l1, l2, l3, c0, c1, c2, c3] = head;
        let (length, check) = (u32::from_le_bytes([l0, l1, l2, l3]), u32::from_le_bytes([c0, c1, c2, c3]));
        if after + u64::from(length) > total {
            return Ok(place);
        }
        body.resize(length as usize, 0);
        reader.read_exact(&mut body)?;
        let record = record(&body, columns).filter(|_| checksum(&body) == check);
        let Some(record) = record else { return Ok(place) };
        if !take(record) {
            return Ok(place);
        }
        place = after + u64::from(length);
    }
}

/// A record of so many columns from its bytes.
fn record(body: &[u8], columns: usize) -> Option<Record> {
    let (run, rest) = body.split_first_chunk::<NUMBER>()?;
    let (numbers, rest) = rest.split_at_checked(columns.checked_sub(3)? * NUMBER)?;
    let (status, reason) = rest.split_first()?;
    let number = |bytes: &[u8]| bytes.first_chunk::<NUMBER>().map(|bytes| f64::from_le_bytes(*bytes));
    Some(Record {
        run: u64::from_le_bytes(*run),
        numbers: numbers.chunks_exact(NUMBER).map(number).collect::<Option<_>>()?,
        status: RowStatus::ALL.into_iter().find(|known| *known as u8 == *status)?,
        reason: String::from_utf8(reason.to_vec()).ok()?,
    })
}
