//! Rows of a sweep as a Parquet file: `run` is a whole number, `status` and `reason` are texts, all others doubles.

use std::io;
use std::path::Path;

use super::{Known, Record, other};
use crate::files::Disk;
use crate::output::parquet::{Assembly, Content, Kind, read_columns};
use crate::sweep::row::RowStatus;

/// A row group has so many numbers at most.
const NUMBERS: usize = 1 << 18;
const MOST_ROWS: usize = 1 << 14;

/// Walks over records.
pub type Records<'r> = dyn FnMut(&mut dyn FnMut(&Record) -> io::Result<()>) -> io::Result<()> + 'r;

/// Makes a file of records.
pub fn write(disk: &Disk, path: &Path, columns: &[String], records: &mut Records<'_>) -> io::Result<()> {
    let last = columns.len().saturating_sub(2);
    let kind = |k: usize| match k {
        0 => Kind::Long,
        k if k >= last => Kind::Text,
        _ => Kind::Double,
    };
    let columns: Vec<(String, Kind)> =
        columns.iter().enumerate().map(|(k, name)| (name.clone(), kind(k))).collect();
    let most = (NUMBERS / columns.len().max(1)).clamp(1, MOST_ROWS);
    disk.replace(path, |file| {
        let mut assembly = Assembly::begin(file, "sweep", columns)?;
        let mut group = Vec::with_capacity(most);
        records(&mut |record| {
            group.push(record.clone());
            if group.len() == most { write_group(&mut assembly, &mut group) } else { Ok(()) }
        })?;
        write_group(&mut assembly, &mut group)?;
        assembly.finish()
    })
}

fn write_group(assembly: &mut Assembly<'_>, group: &mut Vec<Record>) -> io::Result<()> {
    let Some(first) = group.first() else { return Ok(()) };
    let (rows, numbers) = (group.len(), first.numbers.len());
    let runs: Vec<u8> = group.iter().flat_map(|record| (record.run as i64).to_le_bytes()).collect();
    assembly.page(rows, &runs)?;
    for k in 0..numbers {
        let column: Vec<u8> = group.iter().flat_map(|record| record.numbers[k].to_le_bytes()).collect();
        assembly.page(rows, &column)?;
    }
    assembly.page(rows, &texts(group.iter().map(|record| record.status.name())))?;
    assembly.page(rows, &texts(group.iter().map(|record| record.reason.as_str())))?;
    assembly.end_group(rows);
    group.clear();
    Ok(())
}

fn texts<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

/// Hands the records of a file to somebody.
pub fn read(path: &Path, columns: &[String], known: &mut Known<'_>) -> io::Result<()> {
    let strange = || other("it was not written by a sweep".to_owned());
    let (names, groups) = read_columns(path)?;
    if names != columns {
        return Err(other("it has other columns than this sweep".to_owned()));
    }
    for group in groups {
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for content in group? {
            match content {
                Content::Numbers(column) => numbers.push(column),
                Content::Texts(column) => texts.push(column),
            }
        }
        let [statuses, reasons] = texts.as_slice() else { return Err(strange()) };
        for (k, (status, reason)) in statuses.iter().zip(reasons).enumerate() {
            let row: Vec<f64> = numbers
                .iter()
                .map(|column| column.get(k).copied())
                .collect::<Option<_>>()
                .ok_or_else(strange)?;
            let Some((run, numbers)) = row.split_first() else { return Err(strange()) };
            let status = RowStatus::named(status).ok_or_else(strange)?;
            let record =
                Record { run: *run as u64, numbers: numbers.to_vec(), status, reason: reason.clone() };
            known(record).map_err(other)?;
        }
    }
    Ok(())
}
