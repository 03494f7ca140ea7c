//! `taut fmt`

use std::io::Write;

use taut_text::{MOST_BYTES, Source, format};

use crate::arguments::Fmt;
use crate::files::{Disk, read_text};
use crate::outcome::{Failure, Outcome, Status, tell};

/// Formats model files in place, or says which are not formatted.
pub fn execute(fmt: &Fmt) -> Outcome {
    let mut status = Status::Done;
    for path in &fmt.files {
        let text = read_text(path, MOST_BYTES as u64)?;
        let name = path.display().to_string();
        let source = Source::new(name.clone(), text);
        let formatted = format(&source).map_err(|errors| Failure::model(&name, &errors))?;
        if formatted == source.text() {
            continue;
        }
        if fmt.check {
            tell(format!("{name} is not formatted"));
            status = Status::Failed;
        } else {
            let written = Disk::default().replace(path, |file| file.write_all(formatted.as_bytes()));
            written.map_err(|error| Failure::file(path, error))?;
        }
    }
    Ok(status)
}
