//! Files with the points of tables: rows of numbers with commas between them, under a row of names.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::builtin::builtin_file;
use crate::source::Source;

/// Bytes of a file of a table.
const MOST_BYTES: u64 = 16 << 20;

/// Why a file is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableFault {
    Missing { path: String, reason: String },
    TooLarge { path: String },
    Empty,
    Column { name: String, known: Vec<String> },
    Number { line: usize, column: String, text: String },
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Missing { path, reason } => write!(f, "the file '{path}' cannot be read: {reason}"),
            TableFault::TooLarge { path } => write!(f, "the file '{path}' has more than {MOST_BYTES} bytes"),
            TableFault::Empty => write!(f, "the file has no row of names"),
            TableFault::Column { name, .. } => write!(f, "the file has no column '{name}'"),
            TableFault::Number { line, column, text } => {
                write!(f, "line {line} of the file has no number in the column '{column}': '{text}'")
            }
        }
    }
}

/// The text of a file beside a model.
pub(crate) fn read(model: &Source, name: &Path) -> Result<String, TableFault> {
    if let Some(text) = builtin_file(model, name) {
        return Ok(text.to_string());
    }
    let folder = Path::new(model.name()).parent().unwrap_or(Path::new(""));
    let path = folder.join(name);
    let shown = path.display().to_string();
    let missing = |error: std::io::Error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_string(),
            std::io::ErrorKind::InvalidData => "it is no text".to_string(),
            _ => error.to_string(),
        };
        TableFault::Missing { path: shown.clone(), reason }
    };
    let file = File::open(&path).map_err(missing)?;
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(missing)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(TableFault::TooLarge { path: shown });
    }
    Ok(text)
}

/// Two columns of a file.
pub(crate) fn columns(text: &str, names: [&str; 2]) -> Result<Vec<(f64, f64)>, TableFault> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let word = |word: &str| word.trim().trim_matches('"').to_string();
    let (_, head) = lines.next().ok_or(TableFault::Empty)?;
    let known: Vec<String> = head.trim_start_matches('\u{feff}').split(',').map(word).collect();
    let place = |name: &str| {
        let found = known.iter().position(|known| known == name);
        found.ok_or_else(|| TableFault::Column { name: name.to_string(), known: known.clone() })
    };
    let places = [place(names[0])?, place(names[1])?];
    let mut points = Vec::new();
    for (line, text) in lines {
        let words: Vec<&str> = text.split(',').collect();
        let number = |k: usize| {
            let word = words.get(places[k]).map_or("", |word| word.trim());
            word.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| TableFault::Number {
                line: line + 1,
                column: names[k].to_string(),
                text: word.chars().take(40).collect(),
            })
        };
        points.push((number(0)?, number(1)?));
    }
    Ok(points)
}
