//! What a model has beside its equations: times, observations, a drawing, overrides.

use std::collections::HashMap;
use std::sync::Arc;

use taut::method::SparkOptions;

use super::Reader;
use super::document::Section;
use super::draw::Outline;
use super::events::ReadEvent;
use super::lower::Role;
use super::names::Meaning;
use super::quantity::{Quantity, elements};
use crate::compiled::{Contents, Equations, StartSettings};
use crate::events::EventEquations;
use crate::observers::Observations;
use crate::source::Span;
use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::tape::Pending;

/// What both kinds of models have beside their equations.
pub(super) struct Surroundings {
    start_time: Node,
    end: Option<Node>,
    observed: (Vec<String>, Vec<Node>),
    drawing: Outline,
    spark: SparkOptions,
    events: Vec<ReadEvent>,
}

impl Reader<'_> {
    /// Reads what is not part of the equations. It comes last: what no section has taken is noted.
    pub(super) fn surroundings(&mut self) -> Surroundings {
        let (start_time, end) = self.times();
        let (observed, drawing) = (self.observed(), self.drawing());
        let (events, spark) = (self.read_events(), self.read_coefficients());
        let surroundings = Surroundings { start_time, end, observed, drawing, spark, events };
        self.check_overrides();
        surroundings
    }

    /// Puts the model together; [q, v] at the start.
    pub(super) fn finish(
        &mut self,
        equations: Equations,
        [q, v]: [Vec<Node>; 2],
        around: Surroundings,
    ) -> Contents {
        let frozen = self.frozen.take();
        let jumps = self.compile_jumps(frozen, equations.coordinates());
        let reactions = self.reactions.names();
        let events = EventEquations {
            events: self.compile_events(&around.events, q.len()),
            reactions: reactions.clone(),
            inactive: std::mem::take(&mut self.inactive),
            take_accelerations: around.events.iter().any(|event| event.takes_accelerations(&self.graph)),
        };
        // All formulas are known by now.
        let (settings, parameters, signs) = self.settings();
        let count = q.len();
        let known = |nodes: Vec<Node>| nodes.into_iter().map(|node| self.setting(node)).collect();
        let units = self.unit_labels(equations.coordinates(), &around.observed.0);
        let dependent = self.dependent_starts(&[q.as_slice(), &v].concat(), count);
        let (names, nodes) = around.observed;
        let name = self.document.name.clone().filter(|name| !name.is_empty());
        Contents {
            source: self.source.clone(),
            name: name.unwrap_or_else(|| self.source.name().to_string()),
            graph: Arc::default(),
            settings,
            parameters,
            signs,
            start: StartSettings {
                t: self.setting(around.start_time),
                end: around.end.map(|end| self.setting(end)),
                q: known(q),
                v: known(v),
                dependent,
            },
            only_with: matches!(equations, Equations::Bodies(_)).then(|| self.overrides.all().to_vec()),
            equations,
            stiff: self.document.first(Section::Stiff).map_or(Span::default(), |part| part.span),
            observed: self.observations(names, &nodes, reactions, count),
            events,
            jumps,
            fixed: self.fixed.clone(),
            absolute: self.absolute.clone(),
            files: self.files.clone(),
            spark: around.spark,
            units,
            drawing: around.drawing.drawing(count),
        }
    }

    fn observations(
        &self,
        names: Vec<String>,
        nodes: &[Node],
        reactions: Vec<String>,
        n: usize,
    ) -> Observations {
        let needs = nodes.iter().fold(Depends::NOTHING, |needs, node| needs.or(self.graph.depends(*node)));
        let tape = Arc::new(Pending::new(nodes, n, reactions.len()));
        Observations { names, tape, needs, reactions }
    }

    /// The units of columns, where they are known: of coordinates, velocities and observations.
    fn unit_labels(&self, coordinates: &[String], observed: &[String]) -> Vec<(String, String)> {
        let mut labels = Vec::new();
        for name in coordinates {
            let Some(unit) = self.units.get(name) else { continue };
            labels.extend(self.unit_label(name).map(|label| (name.clone(), label)));
            labels.push((format!("{name}'"), self.units.rate(unit).to_string()));
        }
        for name in observed {
            let whole = name.split('[').next().unwrap_or(name);
            labels.extend(self.unit_label(whole).map(|label| (name.clone(), label)));
        }
        labels.retain(|(_, label)| label != "1");
        labels
    }

    /// `[time]`: start and end.
    fn times(&mut self) -> (Node, Option<Node>) {
        let Some(part) = self.document.first(Section::Time) else { return (Graph::ZERO, None) };
        let (mut start, mut end) = (None, None);
        for mut entry in self.entries(&part) {
            let time = match entry.name.as_str() {
                "start" => &mut start,
                "end" => &mut end,
                "unit" => continue,
                "smooth" => {
                    self.smooth = self.truth(entry.value, "smooth").unwrap_or(true);
                    continue;
                }
                name => {
                    self.mistakes
                        .add(entry.span, format!("[time] has no '{name}'"))
                        .suggest(name, ["start", "end", "smooth", "unit"]);
                    continue;
                }
            };
            let value = self.number(entry.value, &mut entry.indices, &Role::constant("a time"));
            *time = value.map(|value| (value, Span::new(entry.value.span())));
        }
        let start = start.map_or(Graph::ZERO, |(start, _)| start);
        if let Some((end, span)) = end
            && let (Some(end), Some(start)) = (self.value(end), self.value(start))
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
        let role = Role::along_motion("an observation");
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
                let unit = self.unit_of_value(entry.value, &mut entry.indices);
                self.units.set(&entry.name, unit);
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
