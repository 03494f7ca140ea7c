//! Runs from a table: a column for each thing that is varied, a row for each run.

use std::io;
use std::path::Path;

use super::cases::{Cases, check_names};
use crate::outcome::Failure;
use crate::output::Format;
use crate::output::parquet::{Content, read_columns};

/// More numbers than this do not fit a machine.
const MOST_NUMBERS: usize = 1 << 30;

/// Reads the runs of a .csv or .parquet file.
pub fn read_table(path: &Path) -> Result<Cases, Failure> {
    let failed = |error: io::Error| Failure::file(path, error);
    let (names, values) = match Format::of(path) {
        Ok(Format::Csv) => read_csv(path).map_err(failed)?,
        Ok(Format::Parquet) => read_parquet(path).map_err(failed)?,
        _ => return Err(Failure::file(path, "the ending says what a table is; there are .csv, .parquet")),
    };
    if names.is_empty() {
        return Err(Failure::file(path, "it has no columns"));
    }
    if values.is_empty() {
        return Err(Failure::file(path, "it has no rows"));
    }
    check_names(&names).map_err(|_| Failure::file(path, "two columns have the same name"))?;
    if let Some(k) = values.iter().position(|value| !value.is_finite()) {
        let (row, name) = (k / names.len(), &names[k % names.len()]);
        return Err(Failure::file(path, format!("row {} has no finite number in column '{name}'", row + 1)));
    }
    Cases::table(names, values)
}

fn read_csv(path: &Path) -> io::Result<(Vec<String>, Vec<f64>)> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path)?;
    let header = reader.headers()?;
    let names: Vec<String> =
        header.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
    let mut values = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record?;
        for (field, name) in record.iter().zip(&names) {
            let number = field.parse().map_err(|_| {
                io::Error::other(format!("row {}, column '{name}': '{field}' is not a number", row + 1))
            })?;
            values.push(number);
        }
        check_size(values.len())?;
    }
    Ok((names, values))
}

fn read_parquet(path: &Path) -> io::Result<(Vec<String>, Vec<f64>)> {
    let mut values = Vec::new();
    let (names, groups) = read_columns(path)?;
    for group in groups {
        let mut columns = Vec::new();
        for (content, name) in group?.into_iter().zip(&names) {
            match content {
                Content::Numbers(column) => columns.push(column),
                Content::Texts(_) => return Err(io::Error::other(format!("column '{name}' holds texts"))),
            }
        }
        for k in 0..columns.first().map_or(0, Vec::len) {
            values.extend(columns.iter().map(|column| column.get(k).copied().unwrap_or(f64::NAN)));
        }
        check_size(values.len())?;
    }
    Ok((names, values))
}

fn check_size(numbers: usize) -> io::Result<()> {
    if numbers > MOST_NUMBERS { Err(io::Error::other("it is too large")) } else { Ok(()) }
}
