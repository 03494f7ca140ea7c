//! What a model has beside its equations: times, observations, a drawing, overrides.

use std::collections::HashMap;

use super::Reader;
use super::document::Section;
use super::draw::Outline;
use super::lower::Role;
use super::names::Meaning;
use super::quantity::{Quantity, elements};
use crate::model::{Model, Observers, Start, System};
use crate::source::Span;
use taut_formula::graph::Node;
use taut_formula::tape::Compiler;

/// What both kinds of models have beside their equations.
pub(super) struct Surroundings {
    pub(super) start_time: f64,
    end: Option<f64>,
    observed: (Vec<String>, Vec<Node>),
    drawing: Outline,
}

impl Reader<'_> {
    /// Reads what is not part of the equations. It comes last: what no section has taken is noted.
    pub(super) fn surroundings(&mut self) -> Surroundings {
        let (start_time, end) = self.times();
        let surroundings =
            Surroundings { start_time, end, observed: self.observed(), drawing: self.drawing() };
        self.check_overrides();
        surroundings
    }

    /// Puts the model together.
    pub(super) fn finish(&mut self, system: System, start: Start, around: Surroundings) -> Model {
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
        let role = Role::any("an observation");
        let mut given: HashMap<String, Span> = HashMap::new();
        let (mut names, mut nodes) = (Vec::new(), Vec::new());
        for part in self.document.parts(Section::Observe) {
            for mut entry in self.entries(&part) {
                let value = self.quantity(entry.value, &mut entry.indices, &role);
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
                let of_value = match value {
                    Some(Quantity::Vector(elements)) => elements,
                    Some(value) => self.expect_number(value, entry.value).into_iter().collect(),
                    None => Vec::new(),
                };
                names.extend(elements(&entry.name, of_value.len()));
                nodes.extend(of_value);
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
}
