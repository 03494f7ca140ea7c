//! What a trajectory was made with, in a file beside it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::files::Disk;
use crate::outcome::Failure;
use crate::summary::Summary;

/// FILE.manifest.json
pub fn place(trajectory: &Path) -> PathBuf {
    let mut name = trajectory.as_os_str().to_owned();
    name.push(".manifest.json");
    PathBuf::from(name)
}

/// Writes version, options, parameters, the text of the model and the summary of a run.
pub fn write(
    disk: &Disk,
    trajectory: &Path,
    columns: &[String],
    output: &Value,
    summary: &Summary<'_>,
) -> Result<(), Failure> {
    let subject = summary.subject;
    let parameters = subject.model.parameters.iter().map(|(name, value)| (name.to_string(), json!(value)));
    let manifest = json!({
        "taut": env!("CARGO_PKG_VERSION"),
        "file": trajectory.file_name().map(|name| name.to_string_lossy()),
        "columns": columns,
        "output": output,
        "from": summary.from,
        "until": summary.until,
        "options": summary.settings,
        "parameters": Value::Object(parameters.collect()),
        "model": { "name": subject.name, "hash": subject.hash(), "text": subject.source.text() },
        "summary": summary.to_json(),
    });
    let place = place(trajectory);
    let text = format!("{manifest:#}\n");
    let written = disk.replace(&place, |file| std::io::Write::write_all(file, text.as_bytes()));
    written.map_err(|error| Failure::file(&place, error))
}
