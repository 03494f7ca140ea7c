//! `[include]`: models inside of models. `arm = { file = "arm.toml", set = { length = 2 } }` puts the model of a file in, with
//! `arm.` before all of its names.

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::document::{Section, Value, article, parse_toml};
use super::entries::is_identifier;
use super::included::{Given, Included, Names, quoted};
use super::{Parameters, compile_within};
use crate::limits;
use crate::mistake::Mistakes;
use crate::source::{Source, Span};
use crate::table_file;

/// Files around the one that is being read.
pub(super) type Around = Vec<PathBuf>;

/// Models include each other so deep.
const MOST_DEEP: usize = 8;

/// What was included.
#[derive(Debug, Default)]
pub(super) struct Inclusion {
    /// one text for each model
    pub(super) texts: Vec<String>,
    /// names and texts of the files
    pub(super) files: Vec<(String, String)>,
}

/// A model that is asked for.
struct Asked<'a> {
    alias: &'a str,
    file: &'a str,
    file_span: Span,
    set: Option<&'a DeTable<'a>>,
}

/// Takes in what a file includes.
pub(super) fn include(
    source: &Source,
    root: &DeTable<'_>,
    around: &Around,
    mistakes: &mut Mistakes,
) -> Inclusion {
    let mut inclusion = Inclusion::default();
    let mut around = around.clone();
    around.push(PathBuf::from(source.name()));
    let top = Scope { source, prefix: String::new(), names: None, folder: String::new() };
    top.take_in(root, &mut around, &mut inclusion, mistakes);
    let size: usize = inclusion.texts.iter().map(String::len).sum();
    if size > limits::FILE_BYTES {
        mistakes.add_elsewhere(format!("the included models have more than {} bytes", limits::FILE_BYTES));
        inclusion.texts.clear();
    }
    inclusion
}

/// A file that includes others.
struct Scope<'s> {
    source: &'s Source,
    prefix: String,
    /// the names of the file, which are under the prefix; nothing for the outermost one
    names: Option<Names>,
    /// from the outermost model to the folder of the file, with a slash at its end, or empty
    folder: String,
}

impl Scope<'_> {
    fn take_in(
        &self,
        root: &DeTable<'_>,
        around: &mut Around,
        inclusion: &mut Inclusion,
        mistakes: &mut Mistakes,
    ) {
        let Some(value) = root.get("include") else { return };
        let DeValue::Table(entries) = value.get_ref() else { return };
        for (key, value) in entries {
            let Some(asked) = asked(key.get_ref(), Span::new(key.span()), value, mistakes) else { continue };
            if let Some(source) = self.read(&asked, around, mistakes) {
                self.put_in(&asked, &source, around, inclusion, mistakes);
            }
        }
    }

    /// The file of a model, which is right by itself.
    fn read(&self, asked: &Asked<'_>, around: &Around, mistakes: &mut Mistakes) -> Option<Source> {
        let folder = Path::new(self.source.name()).parent().unwrap_or(Path::new(""));
        let path = folder.join(asked.file);
        if around.contains(&path) {
            mistakes.add(asked.file_span, "this model includes itself").label("in a circle");
            return None;
        }
        if around.len() > MOST_DEEP {
            mistakes.add(asked.file_span, format!("models include each other at most {MOST_DEEP} deep"));
            return None;
        }
        let text = match table_file::read(self.source, Path::new(asked.file)) {
            Ok(text) => text,
            Err(fault) => {
                mistakes.add(asked.file_span, fault.to_string());
                return None;
            }
        };
        let source = Source::new(path.display().to_string(), text);
        let refused =
            compile_within(&source, &[], Parameters::Inputs, around).map(|_| ()).or_else(|refused| {
                match refused.has_parameters {
                    true => compile_within(&source, &[], Parameters::Numbers, around).map(|_| ()),
                    false => Err(refused),
                }
            });
        let Err(refused) = refused else { return Some(source) };
        let found = refused.errors.mistakes().first();
        let words = found.map_or_else(String::new, |mistake| match (mistake.line, mistake.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: {}", mistake.message),
            _ => mistake.message.clone(),
        });
        mistakes.add(asked.file_span, format!("the model '{}' has a mistake", asked.file)).label(words);
        None
    }

    fn put_in(
        &self,
        asked: &Asked<'_>,
        source: &Source,
        around: &mut Around,
        inclusion: &mut Inclusion,
        mistakes: &mut Mistakes,
    ) {
        let root = parse_toml(source, &mut Mistakes::default());
        if let Some(section) = refused_section(&root) {
            mistakes
                .add(asked.file_span, format!("a model with '{section}' cannot be included"))
                .label("it has such");
            return;
        }
        let names = Names::of(&root);
        let given = self.given(asked, &root, mistakes);
        let within = Path::new(asked.file).parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = within
            .map_or_else(|| self.folder.clone(), |folder| format!("{}{}/", self.folder, folder.display()));
        let prefix = format!("{}{}.", self.prefix, asked.alias);
        let mut text = String::new();
        let included = Included { prefix: &prefix, names: &names, given: &given, folder: &folder };
        included.sections(&root, "", &mut text);
        inclusion.texts.push(text);
        inclusion.files.push((asked.file.to_string(), source.text().to_string()));
        around.push(PathBuf::from(source.name()));
        let inner = Scope { source, prefix, names: Some(names), folder };
        inner.take_in(&root, around, inclusion, mistakes);
        around.pop();
    }

    /// What `set` gives, as it is written into the included model.
    fn given(&self, asked: &Asked<'_>, root: &DeTable<'_>, mistakes: &mut Mistakes) -> Given {
        let mut given = Given::new();
        let Some(set) = asked.set else { return given };
        let known = settable(root);
        for (key, value) in set {
            let name = key.get_ref().trim();
            if !known.iter().any(|known| known == name) {
                mistakes
                    .add(
                        Span::new(key.span()),
                        format!("'{}' has nothing called '{name}' to set", asked.file),
                    )
                    .suggest(name, known.iter().map(String::as_str));
                continue;
            }
            let text = match value.get_ref() {
                DeValue::String(text) => match &self.names {
                    Some(names) => {
                        let scope =
                            Included { prefix: &self.prefix, names, given: &Given::new(), folder: "" };
                        quoted(&scope.expression(text, &[]))
                    }
                    None => quoted(text),
                },
                DeValue::Integer(x) => x.as_str().to_string(),
                DeValue::Float(x) => x.as_str().to_string(),
                other => {
                    mistakes
                        .add(Span::new(value.span()), "a number or an expression in quotation marks is set")
                        .label(format!("found {}", article(other)));
                    continue;
                }
            };
            given.push((name.to_string(), text));
        }
        given
    }
}

/// An entry of `[include]`.
fn asked<'a>(
    alias: &'a str,
    alias_span: Span,
    value: &'a Value<'a>,
    mistakes: &mut Mistakes,
) -> Option<Asked<'a>> {
    let example = format!("{alias} = {{ file = \"{alias}.toml\", set = {{ length = 2 }} }}");
    if !is_identifier(alias) {
        mistakes
            .add(alias_span, format!("'{alias}' cannot be a name"))
            .help("a name begins with a letter and goes on with letters, digits and _");
        return None;
    }
    let DeValue::Table(fields) = value.get_ref() else {
        mistakes
            .add(Span::new(value.span()), format!("'{alias}' is written as a table"))
            .label(format!("found {}", article(value.get_ref())))
            .help(example);
        return None;
    };
    for key in fields.keys().filter(|key| !["file", "set"].contains(&key.get_ref().as_ref())) {
        mistakes
            .add(Span::new(key.span()), format!("'{alias}' has no '{}'", key.get_ref()))
            .suggest(key.get_ref(), ["file", "set"]);
    }
    let Some((file_span, DeValue::String(file))) =
        fields.get("file").map(|value| (Span::new(value.span()), value.get_ref()))
    else {
        mistakes.add(Span::new(value.span()), "the file of a model is missing").help(example);
        return None;
    };
    let set = match fields.get("set").map(|value| (value, value.get_ref())) {
        None => None,
        Some((_, DeValue::Table(set))) => Some(set),
        Some((value, other)) => {
            mistakes
                .add(Span::new(value.span()), "'set' is a table of values")
                .label(format!("found {}", article(other)))
                .help(example);
            return None;
        }
    };
    Some(Asked { alias, file, file_span, set })
}

/// A section that cannot stand under a prefix.
fn refused_section<'t>(root: &'t DeTable<'_>) -> Option<&'t str> {
    let refused = |name: &str| {
        let section = Section::find(name);
        let kind = section.is_some_and(|section| {
            section.is_of_bodies()
                || matches!(
                    section,
                    Section::Hamiltonian | Section::Partitioned | Section::Coefficients | Section::Stiff
                )
        });
        kind || name == "gravity" || name == "plane"
    };
    root.keys().map(|key| key.get_ref().as_ref()).find(|name| refused(name))
}

/// Parameters, coordinates and their velocities, variables.
fn settable(root: &DeTable<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for section in ["parameters", "coordinates", "variables"] {
        let Some(DeValue::Table(entries)) = root.get(section).map(|value| value.get_ref()) else { continue };
        for key in entries.keys() {
            names.push(key.get_ref().to_string());
            if section == "coordinates" {
                names.push(format!("{}'", key.get_ref()));
            }
        }
    }
    names
}
