//! `taut plot`

use std::path::Path;

use taut_report::track::{Keep, Thinned};

use crate::arguments::Plot;
use crate::files::Places;
use crate::outcome::{Failure, Outcome, Status};
use crate::output::Format;
use crate::picture::{Picture, Table, chosen_columns, of_table};

/// A picture shows at most so many rows.
const MOST_ROWS: usize = 8000;

/// Draws a trajectory from a CSV file.
pub fn execute(plot: &Plot) -> Outcome {
    let picture = Picture::of(&plot.out)?;
    check_table(&plot.file)?;
    Places::default().reads("the table", Some(&plot.file)).writes("--out", Some(&plot.out)).check()?;
    let (names, rows) = read(&plot.file)?;
    let chosen = chosen_columns(&names, &plot.columns)?;
    let title = plot.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    picture.write(&of_table(&title, &Table { names: &names, rows: &rows }, &chosen))?;
    Ok(Status::Done)
}

/// Other formats of `run --out` are for other programs.
fn check_table(path: &Path) -> Result<(), Failure> {
    match Format::of(path) {
        Ok(Format::Json | Format::Npz | Format::Parquet) => Err(Failure::file(
            path,
            "tables are drawn from .csv files: let `taut run` write one with --out FILE.csv",
        )),
        Ok(Format::Csv) | Err(_) => Ok(()),
    }
}

fn read(path: &Path) -> Result<(Vec<String>, Vec<Vec<f64>>), Failure> {
    let wrong = |error: csv::Error| Failure::file(path, error);
    let mut reader = csv::Reader::from_path(path).map_err(wrong)?;
    let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    if names.len() < 2 {
        return Err(Failure::file(
            path,
            "a trajectory has a header with the time and at least one more column",
        ));
    }
    let mut rows = Thinned::new(MOST_ROWS, vec![Keep::Last; names.len()]);
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let number = |(name, text): (&String, &str)| {
            text.trim().parse::<f64>().map_err(|_| {
                let line = record.position().map_or(0, csv::Position::line);
                Failure::file(path, format!("line {line}: '{text}' in column '{name}' is not a number"))
            })
        };
        let row: Result<Vec<f64>, Failure> = names.iter().zip(&record).map(number).collect();
        rows.push(&row?);
    }
    let rows = rows.finish();
    if rows.is_empty() {
        return Err(Failure::file(path, "there are no rows below the header"));
    }
    Ok((names, rows))
}
