//! Model files: whatever the text is, it is a model or gets messages that point into it; a model that is run ends with
//! numbers or with a reason.

use std::path::Path;

use taut_text::{Model, Source, builtin, canonical, format};

use super::Target;
use crate::running::{guarded, not_finite, run_text};

/// Model files.
pub struct Models;

impl Target for Models {
    fn name(&self) -> &'static str {
        "models"
    }

    fn seeds(&self) -> Vec<String> {
        builtin().iter().map(|(_, _, text)| (*text).to_owned()).collect()
    }

    fn feed(&self, input: &str, folder: &Path) -> Result<(), String> {
        let read = guarded(|| Model::read(&Source::new("hostile.toml", input), &[]))?;
        let source = Source::new("hostile.toml", input);
        let _ = guarded(|| format(&source))?;
        let printed = guarded(|| canonical(&source))?;
        let again = printed.map(|text| Model::read(&Source::new("hostile.toml", text), &[]).is_ok());
        // Files are looked for beside built-in models only where these are as they were.
        if read.is_ok() && !matches!(again, Ok(true)) && !input.contains("file") {
            return Err("a model that cannot be read again from its canonical form".to_owned());
        }
        let model = match read {
            Ok(model) => model,
            Err(errors) => {
                let lines = input.split('\n').count();
                let points_into = errors.mistakes().iter().all(|mistake| {
                    mistake.line.is_none_or(|line| (1..=lines).contains(&line)) && !mistake.message.is_empty()
                });
                let said = guarded(|| errors.to_string())?;
                let fine = points_into && !said.is_empty() && !errors.mistakes().is_empty();
                return if fine { Ok(()) } else { Err("a message that points nowhere".to_owned()) };
            }
        };
        // A short run: what a long one finds, the mechanisms look for.
        let start = model.start.t;
        let end = model.end.map_or(start + 0.1, |end| start + 0.01 * (end - start)).to_string();
        let ran = run_text(folder, input, &["--until", &end, "--max-steps", "60"])?;
        not_finite(&ran).map_or(Ok(()), Err)
    }
}
