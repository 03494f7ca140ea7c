//! A model inside another one: its text with all names of its own under a prefix.

use std::collections::HashSet;

use toml::de::{DeTable, DeValue};

use super::document::{Section, Value};
use crate::expression::words;

/// Fields whose strings are words and not expressions.
const WORDS: [&str; 5] = ["direction", "fixed", "unit", "between", "beyond"];

/// The names that a model gives itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// Those of a file.
    pub(super) fn of(root: &DeTable<'_>) -> Self {
        let mut names = Names::default();
        names.collect(root);
        names
    }

    fn collect(&mut self, table: &DeTable<'_>) {
        for (section, value) in table {
            match (section.get_ref().as_ref(), value.get_ref()) {
                ("for", DeValue::Array(tables)) => {
                    for table in tables.iter() {
                        if let DeValue::Table(table) = table.get_ref() {
                            self.collect(table);
                        }
                    }
                }
                (
                    "parameters" | "coordinates" | "variables" | "define" | "functions" | "tables"
                    | "include",
                    DeValue::Table(entries),
                ) => {
                    let base =
                        |key: &str| key.split(['{', '(']).next().unwrap_or_default().trim().to_string();
                    self.0.extend(entries.keys().map(|key| base(key.get_ref())));
                }
                _ => {}
            }
        }
    }

    /// Whether a name with dots begins with one of them.
    fn has(&self, name: &str) -> bool {
        name.split('.').next().is_some_and(|first| self.0.contains(first))
    }
}

/// What an including model sets, by name, as it is written into the included one.
pub(super) type Given = Vec<(String, String)>;

/// Writes a model under a prefix.
pub(super) struct Included<'r> {
    /// `arm.`
    pub(super) prefix: &'r str,
    pub(super) names: &'r Names,
    pub(super) given: &'r Given,
    /// where files are that it names, seen from the including model
    pub(super) folder: &'r str,
}

impl Included<'_> {
    /// An expression with the names of the model under its prefix, those of arguments left alone.
    pub(super) fn expression(&self, text: &str, arguments: &[&str]) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for range in words(text) {
            let word = &text[range.clone()];
            out.push_str(&text[at..range.start]);
            at = range.end;
            let reaction = ["lambda.", "power."].into_iter().find(|prefix| word.starts_with(prefix));
            match reaction {
                Some(reaction) => out.extend([reaction, self.prefix, &word[reaction.len()..]]),
                None if self.names.has(word) && !arguments.contains(&word) => out.extend([self.prefix, word]),
                None => out.push_str(word),
            }
        }
        out.push_str(&text[at..]);
        out
    }

    /// All sections of a file or of a repetition; `path` is the section that they stand in.
    pub(super) fn sections(&self, table: &DeTable<'_>, path: &str, out: &mut String) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let (Some(section), DeValue::Table(entries)) = (Section::find(name), value.get_ref()) else {
                continue;
            };
            if matches!(section, Section::Time | Section::Include) {
                continue;
            }
            out.push_str(&format!("[{path}{name}]\n"));
            for (key, value) in entries {
                let (key, value) = self.entry(section, key.get_ref(), value);
                out.push_str(&format!("{} = {value}\n", quoted(&key)));
            }
        }
        if let Some(DeValue::Array(repetitions)) = table.get("for").map(|value| value.get_ref()) {
            for repetition in repetitions.iter() {
                if let DeValue::Table(repetition) = repetition.get_ref() {
                    self.repetition(repetition, out);
                }
            }
        }
    }

    fn repetition(&self, table: &DeTable<'_>, out: &mut String) {
        out.push_str("[[for]]\n");
        for (key, value) in table {
            if let DeValue::String(range) = value.get_ref() {
                let bounds: Vec<String> =
                    range.split("..").map(|bound| self.expression(bound, &[])).collect();
                out.push_str(&format!("{} = {}\n", quoted(key.get_ref()), quoted(&bounds.join(".."))));
            }
        }
        self.sections(table, "for.", out);
    }

    /// A key and its value as they are written.
    fn entry(&self, section: Section, key: &str, value: &Value<'_>) -> (String, String) {
        match section {
            Section::Energy | Section::Draw => (key.to_string(), self.value(value, "")),
            Section::Mass => {
                let names: Vec<String> =
                    key.split(',').map(|name| format!("{}{}", self.prefix, name.trim())).collect();
                (names.join(","), self.value(value, ""))
            }
            Section::Functions => {
                let arguments = key.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
                let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
                let body = match value.get_ref() {
                    DeValue::String(text) => quoted(&self.expression(text, &arguments)),
                    _ => self.value(value, ""),
                };
                (format!("{}{key}", self.prefix), body)
            }
            Section::Parameters => {
                let own = || self.value(value, "");
                (format!("{}{key}", self.prefix), self.given(key).map_or_else(own, str::to_string))
            }
            Section::Coordinates | Section::Variables => {
                (format!("{}{key}", self.prefix), self.moving(key, value))
            }
            Section::Tables => (format!("{}{key}", self.prefix), self.table(value)),
            _ => (format!("{}{key}", self.prefix), self.value(value, "")),
        }
    }

    fn given(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A coordinate or variable with the start that is given for it.
    fn moving(&self, key: &str, value: &Value<'_>) -> String {
        let DeValue::Table(fields) = value.get_ref() else { return self.value(value, "") };
        let velocity = format!("{key}'");
        let given = [("start", self.given(key)), ("velocity", self.given(&velocity))];
        let given: Vec<(&str, &str)> =
            given.into_iter().filter_map(|(field, value)| Some((field, value?))).collect();
        let is_given = |field: &str| given.iter().any(|(known, _)| *known == field);
        let own = fields.iter().filter(|(field, _)| !is_given(field.get_ref()));
        let own = own.map(|(field, value)| {
            format!("{} = {}", quoted(field.get_ref()), self.value(value, field.get_ref()))
        });
        let new = given.iter().map(|(field, value)| format!("{field} = {value}"));
        format!("{{ {} }}", own.chain(new).collect::<Vec<String>>().join(", "))
    }

    /// A table, whose strings are words; its file is found from the including model.
    fn table(&self, value: &Value<'_>) -> String {
        let DeValue::Table(fields) = value.get_ref() else { return self.value(value, "") };
        let field = |(key, value): (&toml::Spanned<std::borrow::Cow<'_, str>>, &Value<'_>)| {
            let text = match (key.get_ref().as_ref(), value.get_ref()) {
                ("file", DeValue::String(file)) => quoted(&format!("{}{file}", self.folder)),
                (_, DeValue::String(word)) => quoted(word),
                _ => self.value(value, ""),
            };
            format!("{} = {text}", quoted(key.get_ref()))
        };
        format!("{{ {} }}", fields.iter().map(field).collect::<Vec<String>>().join(", "))
    }

    /// A value that stands in a field.
    fn value(&self, value: &Value<'_>, field: &str) -> String {
        match value.get_ref() {
            DeValue::String(word) if WORDS.contains(&field) => quoted(word),
            DeValue::String(name) if field == "remove" || field == "add" => {
                quoted(&format!("{}{name}", self.prefix))
            }
            DeValue::String(text) => quoted(&self.expression(text, &[])),
            DeValue::Integer(x) => i64::from_str_radix(x.as_str(), x.radix()).unwrap_or_default().to_string(),
            DeValue::Float(x) => x.as_str().to_string(),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(date) => date.to_string(),
            DeValue::Array(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| self.value(element, field)).collect();
                format!("[{}]", elements.join(", "))
            }
            DeValue::Table(fields) => {
                let entry = |(key, value): (&toml::Spanned<std::borrow::Cow<'_, str>>, &Value<'_>)| {
                    let key = key.get_ref();
                    let name = if field == "set" { format!("{}{key}", self.prefix) } else { key.to_string() };
                    format!("{} = {}", quoted(&name), self.value(value, key))
                };
                format!("{{ {} }}", fields.iter().map(entry).collect::<Vec<String>>().join(", "))
            }
        }
    }
}

/// A string as TOML writes it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
