//! A model file in canonical form: without comments, formulas as they were understood, one way to write each thing.

use std::fmt::Write;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::formulas::is_formula;
use crate::expression;
use crate::mistake::{Errors, Mistakes};
use crate::quoted::Quoted;
use crate::reader::parse_toml;
use crate::source::{Source, Span};

/// Sections whose entries are tables with headers of their own.
const DIVIDED: [&str; 5] = ["bodies", "joints", "springs", "loads", "contacts"];

/// The model file in canonical form; reading it gives the same model. The order of sections and entries stays: names are used
/// below where they are given.
///
/// ```
/// use taut_text::{Source, canonical};
///
/// let source = Source::new("mass.toml", "[coordinates]\nx={start=1.0}  # a mass\n[energy]\nkinetic=\"(x'^2) /2\"\n");
/// let text = canonical(&source)?;
/// assert_eq!(text, "[coordinates]\nx = { start = 1.0 }\n\n[energy]\nkinetic = \"x'^2/2\"\n");
/// # Ok::<(), taut_text::Errors>(())
/// ```
///
/// # Errors
/// What is wrong with the file as TOML.
pub fn canonical(source: &Source) -> Result<String, Errors> {
    let mut mistakes = Mistakes::default();
    let root = parse_toml(source, &mut mistakes);
    if mistakes.any() {
        return Err(mistakes.into_errors(source));
    }
    let mut printer = Printer { source, text: String::new() };
    let mut blocks: Vec<(usize, Block<'_>)> = Vec::new();
    for (key, value) in &root {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("for", DeValue::Array(tables)) => {
                for table in tables.iter() {
                    blocks.push((table.span().start, Block::Repetition(table)));
                }
            }
            (name, DeValue::Table(table)) => blocks.push((key.span().start, Block::Section(name, table))),
            (name, value) => printer.entry(&[name], value),
        }
    }
    blocks.sort_by_key(|(place, _)| *place);
    for (_, block) in blocks {
        match block {
            Block::Section(name, table) => printer.section(&[name], table),
            Block::Repetition(table) => printer.repetition(table),
        }
    }
    Ok(printer.text)
}

enum Block<'t> {
    Section(&'t str, &'t DeTable<'t>),
    Repetition(&'t Spanned<DeValue<'t>>),
}

struct Printer<'s> {
    source: &'s Source,
    text: String,
}

impl Printer<'_> {
    fn header(&mut self, header: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(header);
        self.text.push('\n');
    }

    fn section(&mut self, path: &[&str], table: &DeTable<'_>) {
        let name = path.last().copied().unwrap_or_default();
        let divided = DIVIDED.contains(&name) || path == ["partitioned"];
        let is_divided = |value: &DeValue<'_>| divided && matches!(value, DeValue::Table(_));
        let own: Vec<_> = table.iter().filter(|(_, value)| !is_divided(value.get_ref())).collect();
        if !own.is_empty() || table.is_empty() {
            self.header(&format!("[{}]", dotted(path)));
        }
        for (key, value) in own {
            self.entry(&[path, &[key.get_ref().as_ref()]].concat(), value.get_ref());
        }
        for (key, value) in table {
            if let DeValue::Table(inner) = value.get_ref()
                && divided
            {
                self.section(&[path, &[key.get_ref().as_ref()]].concat(), inner);
            }
        }
    }

    fn repetition(&mut self, table: &Spanned<DeValue<'_>>) {
        self.header("[[for]]");
        let DeValue::Table(table) = table.get_ref() else { return };
        for (key, value) in table.iter().filter(|(_, value)| !matches!(value.get_ref(), DeValue::Table(_))) {
            self.entry(&["for", key.get_ref().as_ref()], value.get_ref());
        }
        for (key, value) in table {
            if let DeValue::Table(inner) = value.get_ref() {
                self.section(&["for", key.get_ref().as_ref()], inner);
            }
        }
    }

    /// `key = value`
    fn entry(&mut self, path: &[&str], value: &DeValue<'_>) {
        let key = path.last().copied().unwrap_or_default();
        let value = self.value(path, value);
        let _ = writeln!(self.text, "{} = {value}", written_key(key));
    }

    fn value(&self, path: &[&str], value: &DeValue<'_>) -> String {
        match value {
            DeValue::String(text) if is_formula(path) => written_string(&self.formula(text)),
            DeValue::String(text) => written_string(text),
            DeValue::Integer(number) => match number.radix() {
                10 => number.as_str().to_string(),
                radix => i64::from_str_radix(number.as_str(), radix).map_or(String::new(), |x| x.to_string()),
            },
            DeValue::Float(number) => number.as_str().to_string(),
            DeValue::Boolean(value) => value.to_string(),
            DeValue::Datetime(date) => date.to_string(),
            DeValue::Array(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| self.value(path, element.get_ref())).collect();
                format!("[{}]", elements.join(", "))
            }
            DeValue::Table(table) => {
                let entries: Vec<String> = table
                    .iter()
                    .map(|(key, value)| {
                        let name = key.get_ref().as_ref();
                        let value = self.value(&[path, &[name]].concat(), value.get_ref());
                        format!("{} = {value}", written_key(name))
                    })
                    .collect();
                if entries.is_empty() { "{}".to_string() } else { format!("{{ {} }}", entries.join(", ")) }
            }
        }
    }

    /// A formula as it was understood; as it is where it was not.
    fn formula(&self, text: &str) -> String {
        let quoted = Quoted::new(text, Span::default(), self.source.text());
        let parsed = expression::parse(&quoted, &mut Mistakes::default());
        parsed.map_or_else(|| text.to_string(), |expression| expression.to_string())
    }
}

fn dotted(path: &[&str]) -> String {
    path.iter().map(|key| written_key(key)).collect::<Vec<_>>().join(".")
}

fn written_key(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_string() } else { written_string(key) }
}

/// A basic string of TOML.
fn written_string(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                written.push('\\');
                written.push(c);
            }
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(written, "\\u{:04X}", c as u32);
            }
            c => written.push(c),
        }
    }
    written.push('"');
    written
}
