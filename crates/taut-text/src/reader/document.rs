//! The tables of a model file: which there are, and which belong where.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::mistake::Mistakes;
use crate::source::{Source, Span};

/// A value of the file with its place.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// The tables that a model consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Include,
    Functions,
    Tables,
    Parameters,
    Coordinates,
    Bodies,
    Joints,
    Springs,
    Contacts,
    Loads,
    Variables,
    Define,
    Energy,
    Hamiltonian,
    Partitioned,
    Mass,
    Constraints,
    Nonholonomic,
    Forces,
    Stiff,
    Coefficients,
    Observe,
    Events,
    Time,
    Draw,
}

impl Section {
    pub(super) const ALL: [Section; 25] = [
        Section::Include,
        Section::Functions,
        Section::Tables,
        Section::Parameters,
        Section::Coordinates,
        Section::Bodies,
        Section::Joints,
        Section::Springs,
        Section::Contacts,
        Section::Loads,
        Section::Variables,
        Section::Define,
        Section::Energy,
        Section::Hamiltonian,
        Section::Partitioned,
        Section::Mass,
        Section::Constraints,
        Section::Nonholonomic,
        Section::Forces,
        Section::Stiff,
        Section::Coefficients,
        Section::Observe,
        Section::Events,
        Section::Time,
        Section::Draw,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Section::Include => "include",
            Section::Functions => "functions",
            Section::Tables => "tables",
            Section::Parameters => "parameters",
            Section::Coordinates => "coordinates",
            Section::Bodies => "bodies",
            Section::Joints => "joints",
            Section::Springs => "springs",
            Section::Contacts => "contacts",
            Section::Loads => "loads",
            Section::Variables => "variables",
            Section::Define => "define",
            Section::Energy => "energy",
            Section::Hamiltonian => "hamiltonian",
            Section::Partitioned => "partitioned",
            Section::Mass => "mass",
            Section::Constraints => "constraints",
            Section::Nonholonomic => "nonholonomic",
            Section::Forces => "forces",
            Section::Stiff => "stiff",
            Section::Coefficients => "coefficients",
            Section::Observe => "observe",
            Section::Events => "events",
            Section::Time => "time",
            Section::Draw => "draw",
        }
    }

    /// Whether it may be inside a `for` table.
    fn is_repeatable(self) -> bool {
        !matches!(
            self,
            Section::Include
                | Section::Functions
                | Section::Tables
                | Section::Energy
                | Section::Hamiltonian
                | Section::Stiff
                | Section::Time
        )
    }

    /// Whether a model of this kind may have it.
    pub(super) fn belongs_to(self, kind: Kind) -> bool {
        match (kind, self) {
            (Kind::Mechanical, Section::Hamiltonian | Section::Partitioned | Section::Variables) => false,
            (Kind::Mechanical, _) | (Kind::Hamiltonian, Section::Hamiltonian | Section::Coordinates) => true,
            (Kind::Hamiltonian | Kind::Partitioned, Section::Constraints) => true,
            (Kind::Hamiltonian, Section::Forces) | (Kind::Partitioned, Section::Partitioned) => true,
            (Kind::Hamiltonian | Kind::Partitioned, Section::Mass | Section::Variables) => false,
            (Kind::Partitioned, Section::Hamiltonian) | (Kind::Hamiltonian, Section::Partitioned) => false,
            (Kind::FirstOrder, Section::Hamiltonian | Section::Partitioned | Section::Coefficients) => false,
            (Kind::FirstOrder | Kind::Hamiltonian | Kind::Partitioned, _) => !self.is_mechanical(),
        }
    }

    /// Whether it belongs to mechanical models only.
    fn is_mechanical(self) -> bool {
        matches!(
            self,
            Section::Coordinates
                | Section::Bodies
                | Section::Joints
                | Section::Springs
                | Section::Contacts
                | Section::Loads
                | Section::Energy
                | Section::Constraints
                | Section::Nonholonomic
                | Section::Forces
                | Section::Stiff
        )
    }

    /// Whether it belongs to models with bodies only.
    pub(super) fn is_of_bodies(self) -> bool {
        matches!(
            self,
            Section::Bodies | Section::Joints | Section::Springs | Section::Contacts | Section::Loads
        )
    }

    pub(super) fn find(name: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.name() == name)
    }
}

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// coordinates and bodies, with kinetic energy
    Mechanical,
    /// coordinates and momenta
    Hamiltonian,
    /// y and z in terms by class
    Partitioned,
    /// variables
    FirstOrder,
}

impl Kind {
    /// "a first-order model"
    pub(super) fn words(self) -> &'static str {
        match self {
            Kind::Mechanical => "a mechanical model",
            Kind::Hamiltonian => "a Hamiltonian model",
            Kind::Partitioned => "a partitioned model",
            Kind::FirstOrder => "a first-order model",
        }
    }
}

/// A table of the model, inside a `for` table or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) section: Section,
    /// the name of the section where it is written
    pub(super) span: Span,
    pub(super) table: &'a DeTable<'a>,
    /// the number of its `for` table
    pub(super) repetition: Option<usize>,
}

/// A `for` table: its index variables with their ranges, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Repetition<'a> {
    pub(super) indices: Vec<(&'a str, Span, &'a Value<'a>)>,
}

/// A model file taken apart.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    pub(super) name: Option<String>,
    /// in the order of the file
    pub(super) parts: Vec<Part<'a>>,
    pub(super) repetitions: Vec<Repetition<'a>>,
    /// `gravity` of models with bodies
    pub(super) gravity: Option<(Span, &'a Value<'a>)>,
    /// `plane` of models with bodies
    pub(super) plane: Option<(Span, &'a Value<'a>)>,
}

const NAME: &str = "name";
const FOR: &str = "for";
const GRAVITY: &str = "gravity";
const PLANE: &str = "plane";

impl<'a> Document<'a> {
    pub(super) fn new(root: &'a DeTable<'a>, mistakes: &mut Mistakes) -> Self {
        let mut document = Document::default();
        for (key, value) in root {
            let span = Span::new(key.span());
            match (key.get_ref().as_ref(), value.get_ref()) {
                (NAME, DeValue::String(name)) => document.name = Some(name.to_string()),
                (NAME, other) => {
                    mistakes
                        .add(Span::new(value.span()), "the name of a model is a string")
                        .label(format!("found {}", article(other)));
                }
                (FOR, DeValue::Array(tables)) => {
                    for table in tables.iter() {
                        document.add_repetition(table, mistakes);
                    }
                }
                (FOR, _) => {
                    mistakes
                        .add(span, "a repetition is written with two brackets")
                        .label("one bracket only")
                        .help("[[for]] with i = \"1..N\", then [for.coordinates] and so on");
                }
                (GRAVITY, _) => document.gravity = Some((span, value)),
                (PLANE, _) => document.plane = Some((span, value)),
                (name, value) => document.add_part(name, span, value, None, mistakes),
            }
        }
        document.parts.sort_by_key(|part| part.span);
        document
    }

    /// Takes in a model that is included: its sections, with its repetitions.
    pub(super) fn take_in(&mut self, included: Document<'a>) {
        let before = self.repetitions.len();
        let shifted =
            |part: Part<'a>| Part { repetition: part.repetition.map(|number| number + before), ..part };
        self.parts.extend(included.parts.into_iter().map(shifted));
        self.repetitions.extend(included.repetitions);
    }

    fn add_repetition(&mut self, table: &'a Value<'a>, mistakes: &mut Mistakes) {
        let number = self.repetitions.len();
        self.repetitions.push(Repetition::default());
        let DeValue::Table(entries) = table.get_ref() else {
            mistakes.add(Span::new(table.span()), "a repetition is a table").label("not a table");
            return;
        };
        for (key, value) in entries {
            let span = Span::new(key.span());
            match value.get_ref() {
                DeValue::String(_) => {
                    self.repetitions[number].indices.push((key.get_ref().as_ref(), span, value));
                }
                other => self.add_part(key.get_ref(), span, other, Some(number), mistakes),
            }
        }
    }

    fn add_part(
        &mut self,
        name: &str,
        span: Span,
        value: &'a DeValue<'a>,
        repetition: Option<usize>,
        mistakes: &mut Mistakes,
    ) {
        let repeated = repetition.is_some();
        let known = Section::ALL.into_iter().filter(|s| !repeated || s.is_repeatable()).map(Section::name);
        let extra = if repeated { None } else { Some([NAME, FOR, GRAVITY, PLANE]) };
        let Some(section) = Section::find(name) else {
            let message = match value {
                DeValue::Table(_) => format!("there is no section [{name}]"),
                _ if repeated => format!("'{name}' is neither an index nor a section"),
                _ => format!("there is no key '{name}' here"),
            };
            mistakes
                .add(span, message)
                .label("not known")
                .suggest(name, known.chain(extra.into_iter().flatten()));
            return;
        };
        let DeValue::Table(table) = value else {
            mistakes
                .add(span, format!("'{name}' is a section"))
                .label(format!("found {}", article(value)))
                .help(format!("[{name}]"));
            return;
        };
        if repeated && !section.is_repeatable() {
            mistakes
                .add(span, format!("[{name}] cannot be repeated"))
                .label("inside a repetition")
                .help(format!("write [{name}] once, outside; sum(i, 1, N, expression of i) adds the terms"));
            return;
        }
        self.parts.push(Part { section, span, table, repetition });
    }

    /// All tables of one section, in the order of the file.
    pub(super) fn parts(&self, section: Section) -> Vec<Part<'a>> {
        self.parts.iter().filter(|part| part.section == section).copied().collect()
    }

    /// The first table of a section.
    pub(super) fn first(&self, section: Section) -> Option<Part<'a>> {
        self.parts.iter().find(|part| part.section == section).copied()
    }
}

/// What kind of value was found, for messages.
pub(super) fn article(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Reads the TOML of a file; its mistakes are noted.
pub(crate) fn parse_toml<'a>(source: &'a Source, mistakes: &mut Mistakes) -> DeTable<'a> {
    let (root, errors) = DeTable::parse_recoverable(source.text());
    for error in errors {
        let range = error.span().unwrap_or_default();
        // An unfinished line reaches into the next one; what is wrong is where it ends.
        let on_line =
            source.text()[Span::new(range.clone()).within(source.text())].lines().next().unwrap_or_default();
        let mistake =
            mistakes.add(Span { start: range.start, end: range.start + on_line.len() }, error.message());
        if is_decimal_comma(source.text(), range.start) {
            mistake.help("a number is written with a point, as in 0.5");
        }
    }
    root.into_inner()
}

/// Whether a place is at, or right behind, a comma between two digits.
fn is_decimal_comma(text: &str, place: usize) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let comma = |at: usize| bytes.get(at) == Some(&b',') && digit(at + 1) && at > 0 && digit(at - 1);
    // The reader of TOML points at the comma, or at what it takes for a key and its end behind it.
    let first = text[..place.min(text.len())].rfind(|c: char| !c.is_ascii_digit() && c != ' ');
    comma(place) || first.is_some_and(comma)
}
