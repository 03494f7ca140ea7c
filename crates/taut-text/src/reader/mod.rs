//! From the text of a model file to a [`Model`].

mod document;
mod draw;
mod entries;
mod first_order;
mod kinetic;
mod lower;
mod mechanical;
mod names;
mod overrides;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use toml::de::DeValue;

use crate::expression::{self, Expression};
use crate::graph::{Depends, Graph, Node};
use crate::limits;
use crate::mistake::{Errors, Mistakes};
use crate::model::{Model, Observers, Start, System};
use crate::quoted::Quoted;
use crate::source::{Source, Span};
use crate::tape::Compiler;
use document::{Document, Section, Value, article, parse_toml};
use entries::Entry;
use lower::Role;
use names::{Meaning, Names, reserved};
use overrides::Overrides;

/// The values of the indices of the repetitions around an expression.
type Indices = Vec<(String, f64)>;

/// Reads a model. All mistakes of the file are collected.
pub(crate) fn read(source: &Source, overrides: &[(String, f64)]) -> Result<Model, Errors> {
    let mut mistakes = Mistakes::default();
    let text = source.text();
    if text.len() > limits::FILE_BYTES {
        mistakes.add_elsewhere(format!(
            "{}: a model file has at most {} bytes",
            source.name(),
            limits::FILE_BYTES
        ));
        return Err(mistakes.into_errors(source));
    }
    let root = parse_toml(source, &mut mistakes);
    if mistakes.any() {
        return Err(mistakes.into_errors(source));
    }
    let document = Document::new(&root, &mut mistakes);
    let mut reader = Reader {
        text,
        document,
        graph: Graph::new(),
        names: Names::default(),
        failed: HashSet::new(),
        below: HashSet::new(),
        names_are_missing: false,
        parsed: HashMap::new(),
        overrides: Overrides::new(overrides),
        repetitions: 0,
        mistakes,
    };
    let model = reader.model();
    reader.check_size();
    match model {
        Some(mut model) if !reader.mistakes.any() => {
            if model.name.is_empty() {
                model.name = source.name().to_string();
            }
            Ok(model)
        }
        _ => Err(reader.mistakes.into_errors(source)),
    }
}

struct Reader<'a> {
    text: &'a str,
    document: Document<'a>,
    graph: Graph,
    names: Names,
    /// Names whose formula has a mistake of its own.
    failed: HashSet<String>,
    /// Names that are given further down in the section that is being read.
    below: HashSet<String>,
    /// Some names could not be formed, so that an unknown one may be a consequence.
    names_are_missing: bool,
    /// Expressions by their place, so that repetitions parse them once.
    parsed: HashMap<usize, Option<Rc<Expression>>>,
    overrides: Overrides<'a>,
    repetitions: usize,
    mistakes: Mistakes,
}

impl<'a> Reader<'a> {
    fn model(&mut self) -> Option<Model> {
        self.read_parameters();
        let is_mechanical = self.kind_of_model()?;
        if is_mechanical { self.mechanical_model() } else { self.first_order_model() }
    }

    /// Whether the model has coordinates (or else variables). Sections of the other kind are mistakes.
    fn kind_of_model(&mut self) -> Option<bool> {
        let coordinates = self.document.first(Section::Coordinates);
        let variables = self.document.first(Section::Variables);
        match (coordinates, variables) {
            (None, None) => {
                self.mistakes
                    .add(Span { start: 0, end: 0 }, "this model has neither coordinates nor variables")
                    .help("[coordinates] begins a mechanical model, [variables] a first-order one");
                None
            }
            (Some(coordinates), Some(variables)) => {
                self.mistakes
                    .add(variables.span, "a model has coordinates or variables, not both")
                    .label("a first-order model")
                    .also(coordinates.span, "a mechanical model");
                None
            }
            (Some(_), None) => Some(true),
            (None, Some(variables)) => {
                for part in self.document.parts.clone() {
                    if part.section.is_mechanical() {
                        self.mistakes
                            .add(part.span, format!("a first-order model has no [{}]", part.section.name()))
                            .also(variables.span, "a first-order model");
                    }
                }
                Some(false)
            }
        }
    }

    fn read_parameters(&mut self) {
        for part in self.document.parts(Section::Parameters) {
            self.note_names_below(part.table);
            for mut entry in self.entries(&part) {
                self.below.remove(&entry.name);
                let value = self.number(entry.value, &mut entry.indices, &Role::constant("a parameter"));
                let value = self.overrides.take(&entry.name).or(value);
                self.give(&entry, value.map(Meaning::Parameter));
            }
        }
        self.below.clear();
    }

    fn read_definitions(&mut self) {
        let role = Role {
            what: "a definition",
            allowed: Depends::TIME.or(Depends::POSITION).or(Depends::VELOCITY),
            help: "",
        };
        for part in self.document.parts(Section::Define) {
            self.note_names_below(part.table);
            for mut entry in self.entries(&part) {
                self.below.remove(&entry.name);
                let node = self.formula(entry.value, &mut entry.indices, &role);
                self.give(&entry, node.map(Meaning::Definition));
            }
        }
        self.below.clear();
    }

    fn note_names_below(&mut self, table: &toml::de::DeTable<'_>) {
        self.below = table.keys().map(|key| key.get_ref().to_string()).collect();
    }

    /// Gives a name its meaning; one that is taken or cannot be a name is a mistake.
    fn give(&mut self, entry: &Entry<'_>, meaning: Option<Meaning>) {
        let name = &entry.name;
        let Some(meaning) = meaning.filter(|_| self.is_good_name(entry)) else {
            self.failed.insert(name.clone());
            return;
        };
        if let Some(reason) = reserved(name) {
            self.mistakes.add(entry.span, format!("{reason} and cannot be given another meaning"));
        } else if self.names.place(name) == Some(entry.span) {
            self.mistakes
                .add(entry.span, format!("every repetition gives the name '{name}'"))
                .help(format!("an index makes the names differ, such as \"{name}{{i}}\""));
        } else if let Some(place) = self.names.place(name) {
            self.mistakes
                .add(entry.span, format!("the name '{name}' is given twice"))
                .label("again here")
                .also(place, "first here");
        } else if self.names.len() >= limits::NAMES {
            self.mistakes.add(entry.span, "too many names").label(format!("more than {}", limits::NAMES));
        } else {
            self.names.insert(name.clone(), meaning, entry.span);
        }
    }

    /// A number, or an expression of parameters.
    fn number(&mut self, value: &'a Value<'a>, indices: &mut Indices, role: &Role) -> Option<f64> {
        let node = self.formula(value, indices, role)?;
        self.graph.value(node)
    }

    /// A number or an expression.
    fn formula(&mut self, value: &'a Value<'a>, indices: &mut Indices, role: &Role) -> Option<Node> {
        let number = match value.get_ref() {
            DeValue::Integer(x) => i64::from_str_radix(x.as_str(), x.radix()).ok().map(|x| x as f64),
            DeValue::Float(x) => x.as_str().parse().ok(),
            DeValue::String(_) => {
                let expression = self.expression(value)?;
                return self.lower(&expression, indices, role);
            }
            other => {
                self.mistakes
                    .add(
                        Span::new(value.span()),
                        format!("{} is a number or an expression in quotation marks", role.what),
                    )
                    .label(format!("found {}", article(other)));
                return None;
            }
        };
        let Some(number) = number.filter(|x: &f64| x.is_finite()) else {
            self.mistakes.add(Span::new(value.span()), "this is not a finite number");
            return None;
        };
        Some(self.graph.constant(number))
    }

    /// The expression in a string, parsed once.
    fn expression(&mut self, value: &'a Value<'a>) -> Option<Rc<Expression>> {
        let span = Span::new(value.span());
        if let Some(known) = self.parsed.get(&span.start) {
            return known.clone();
        }
        let DeValue::String(text) = value.get_ref() else { return None };
        let quoted = Quoted::new(text, span, self.text);
        let parsed = expression::parse(&quoted, &mut self.mistakes).map(Rc::new);
        self.parsed.insert(span.start, parsed.clone());
        parsed
    }

    /// `[time]`: start and end.
    fn times(&mut self) -> (f64, Option<f64>) {
        let Some(part) = self.document.first(Section::Time) else { return (0.0, None) };
        let (mut start, mut end) = (None, None);
        for mut entry in self.entries(&part) {
            let time = match entry.name.as_str() {
                "start" => &mut start,
                "end" => &mut end,
                name => {
                    self.mistakes
                        .add(entry.span, format!("[time] has no '{name}'"))
                        .suggest(name, ["start", "end"]);
                    continue;
                }
            };
            let value = self.number(entry.value, &mut entry.indices, &Role::constant("a time"));
            *time = value.map(|value| (value, Span::new(entry.value.span())));
        }
        let start = start.map_or(0.0, |(start, _)| start);
        if let Some((end, span)) = end
            && end <= start
        {
            self.mistakes
                .add(span, "the end must be after the start")
                .label(format!("{end} is not after {start}"));
        }
        (start, end.map(|(end, _)| end))
    }

    /// `[observe]`: names and formulas.
    fn observed(&mut self) -> (Vec<String>, Vec<Node>) {
        let role = Role {
            what: "an observation",
            allowed: Depends::TIME.or(Depends::POSITION).or(Depends::VELOCITY),
            help: "",
        };
        let mut given: HashMap<String, Span> = HashMap::new();
        let (mut names, mut nodes) = (Vec::new(), Vec::new());
        for part in self.document.parts(Section::Observe) {
            for mut entry in self.entries(&part) {
                let node = self.formula(entry.value, &mut entry.indices, &role);
                let coordinate = match self.names.get(&entry.name) {
                    Some(Meaning::Coordinate(_) | Meaning::Variable(_)) => self.names.place(&entry.name),
                    _ => None,
                };
                self.check_label(&entry);
                if let Some(place) = coordinate.or_else(|| given.insert(entry.name.clone(), entry.span)) {
                    self.mistakes
                        .add(entry.span, format!("there is a column '{}' already", entry.name))
                        .also(place, "this one");
                }
                names.push(entry.name);
                nodes.extend(node);
            }
        }
        (names, nodes)
    }

    /// Notes overrides that nothing took.
    fn check_overrides(&mut self) {
        for name in self.overrides.unused() {
            let meaning = self.names.get(name.trim_end_matches('\''));
            let mistake = self.mistakes.add_elsewhere(format!("'{name}' cannot be set"));
            match meaning {
                Some(meaning) => {
                    mistake.help(format!("'{}' is {}", name.trim_end_matches('\''), meaning.kind()))
                }
                None => mistake.suggest(name, self.names.iter()),
            };
        }
        for name in self.overrides.not_finite() {
            self.mistakes.add_elsewhere(format!("'{name}' is set to what is not a finite number"));
        }
    }

    /// A model that is too large was not understood to its end, so nothing else is said of it.
    fn check_size(&mut self) {
        if self.graph.is_exhausted() {
            self.mistakes = Mistakes::default();
            self.mistakes.add_elsewhere(format!(
                "the model is too large: its formulas and their derivatives have more than {} operations",
                limits::OPERATIONS
            ));
        }
    }
}

/// What both kinds of models have beside their equations.
struct Surroundings {
    end: Option<f64>,
    start_time: f64,
    observed: (Vec<String>, Vec<Node>),
    drawing: draw::Outline,
}

impl Reader<'_> {
    fn surroundings(&mut self) -> Surroundings {
        let (start_time, end) = self.times();
        let surroundings =
            Surroundings { start_time, end, observed: self.observed(), drawing: self.drawing() };
        self.check_overrides();
        surroundings
    }

    /// Puts the model together; nothing when there are mistakes.
    fn finish(&mut self, system: System, start: Start, around: Surroundings) -> Model {
        let n = start.q.len();
        let mut compiler = Compiler::new(&self.graph, n, 0);
        let (names, nodes) = around.observed;
        Model {
            name: self.document.name.clone().unwrap_or_default(),
            system,
            start,
            end: around.end,
            observers: Observers::new(names, compiler.tape(&nodes)),
            drawing: around.drawing.compile(&mut compiler),
            parameters: self.parameters(),
        }
    }

    fn parameters(&self) -> Vec<(String, f64)> {
        let value = |name: &str| match self.names.get(name) {
            Some(Meaning::Parameter(value)) => Some((name.to_string(), value)),
            _ => None,
        };
        self.names.iter().filter_map(value).collect()
    }
}
