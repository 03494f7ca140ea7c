//! `taut models`

use serde_json::{Value, json};
use taut_text::builtin;

use crate::arguments::Models;
use crate::nearest::nearest;
use crate::outcome::{Failure, Outcome, Status, print, print_json};

/// A built-in model: its name, one line for people, its text.
type Builtin = (&'static str, &'static str, &'static str);

/// Lists the built-in models, one line each, or prints the text of one.
pub fn execute(models: &Models) -> Outcome {
    match models.name.as_deref().map(find).transpose()? {
        Some(model) if models.json => print_json(&to_json(model))?,
        Some((_, _, text)) => print(text)?,
        None if models.json => print_json(&Value::Array(builtin().iter().map(to_json).collect()))?,
        None => print(&list())?,
    }
    Ok(Status::Done)
}

fn find(name: &str) -> Result<&'static Builtin, Failure> {
    builtin().iter().find(|(known, ..)| *known == name).ok_or_else(|| {
        let help = match nearest(name, builtin().iter().map(|(known, ..)| *known)) {
            Some(known) => format!("did you mean '{known}'?"),
            None => "`taut models` lists them".to_owned(),
        };
        Failure::wrong(format!("there is no built-in model '{name}'; {help}"))
    })
}

fn to_json((name, about, text): &Builtin) -> Value {
    json!({ "name": name, "about": about, "text": text })
}

fn list() -> String {
    let width = builtin().iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    builtin().iter().map(|(name, about, _)| format!("{name:width$}  {about}\n")).collect()
}
