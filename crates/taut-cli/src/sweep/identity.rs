//! Which sweep a file belongs to: FILE.manifest.json, written before the first row.

use std::path::Path;

use serde_json::{Value, json};

use super::cases::Cases;
use super::row::{Runner, Trajectories};
use crate::files::{Disk, beside, read_text};
use crate::manifest;
use crate::model::Subject;
use crate::outcome::Failure;

/// A manifest is not longer than this.
const MOST_BYTES: u64 = 64 << 20;

/// Whatever decides the rows of a sweep.
pub struct Identity {
    object: Value,
}

impl Identity {
    /// The identity of a sweep.
    pub fn new(subject: &Subject, runner: &Runner<'_>, cases: &Cases, columns: &[String]) -> Self {
        let source = runner.model.source();
        let trajectories = runner.trajectories.map(|Trajectories { folder, samples, every, .. }| {
            json!({ "folder": folder.display().to_string(), "samples": samples, "every": every })
        });
        Identity {
            object: json!({
                "taut": env!("CARGO_PKG_VERSION"),
                "model": { "name": source.name(), "hash": subject.hash(), "text": source.text() },
                "options": runner.settings,
                "until": runner.until,
                "cases": cases.to_json(),
                "trajectories": trajectories,
                "columns": columns,
            }),
        }
    }

    /// Whether there is a file of this sweep to go on with. A file of another one, or one that nobody knows, is an error.
    pub fn is_there(&self, out: &Path) -> Result<bool, Failure> {
        let (place, part) = (manifest::place(out), beside(out, "part"));
        if !out.exists() && !part.exists() {
            return Ok(false);
        }
        let other = "take another file for --out, or remove it";
        if !place.exists() {
            let reason = format!("it is there already, and not known to be of this sweep; {other}");
            return Err(Failure::file(out, reason));
        }
        let text = read_text(&place, MOST_BYTES)?;
        let found: Value = serde_json::from_str(&text)
            .map_err(|error| Failure::file(&place, format!("it is no manifest: {error}; {other}")))?;
        match difference(&found, &self.object) {
            None => Ok(true),
            Some(words) => Err(Failure::file(out, format!("it belongs to another sweep: {words}; {other}"))),
        }
    }

    /// Writes the manifest.
    pub fn write(&self, disk: &Disk, out: &Path) -> Result<(), Failure> {
        let (place, text) = (manifest::place(out), format!("{:#}\n", self.object));
        let written = disk.replace(&place, |file| std::io::Write::write_all(file, text.as_bytes()));
        written.map_err(|error| Failure::file(&place, error))
    }
}

/// What is another one, in words.
fn difference(found: &Value, now: &Value) -> Option<String> {
    let inner = |what: &str| {
        let names = now[what].as_object().into_iter().flatten().map(|(name, _)| name.clone());
        names.filter(|name| found[what][name] != now[what][name]).collect::<Vec<_>>().join(", ")
    };
    // Numbers are compared as they are written: reading them must not change them.
    if found == now {
        return None;
    }
    let keys = ["taut", "model", "options", "until", "cases", "trajectories", "columns"];
    let key = keys.into_iter().find(|key| found[*key] != now[*key]);
    Some(match key {
        Some("taut") => {
            format!("it was made by taut {}, this is {}", words(&found["taut"]), words(&now["taut"]))
        }
        Some("model") => "its model is another one".to_owned(),
        Some("options") => format!("options differ ({})", inner("options")),
        Some("until") => format!("--until was {}, now {}", words(&found["until"]), words(&now["until"])),
        Some("cases") => "other values are varied".to_owned(),
        Some("trajectories") => "--trajectories differ".to_owned(),
        _ => "its columns are others".to_owned(),
    })
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "not given".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
