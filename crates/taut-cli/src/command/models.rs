//! `taut models`

use serde_json::{Value, json};
use taut_text::builtin;

use crate::arguments::Format;
use crate::outcome::{Outcome, Status, print, print_json};

/// Lists the built-in models, one line each.
pub fn execute(format: &Format) -> Outcome {
    if format.json {
        let list =
            builtin().iter().map(|(name, about, text)| json!({ "name": name, "about": about, "text": text }));
        print_json(&Value::Array(list.collect()))?;
        return Ok(Status::Done);
    }
    let width = builtin().iter().map(|(name, _, _)| name.len()).max().unwrap_or(0);
    let lines: String =
        builtin().iter().map(|(name, about, _)| format!("{name:width$}  {about}\n")).collect();
    print(&lines)?;
    Ok(Status::Done)
}
