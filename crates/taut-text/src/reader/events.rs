//! `[events]`: values that cross zero, and what happens then.

use std::collections::HashMap;
use std::sync::Arc;

use taut::run::Direction;
use taut_formula::graph::{Depends, Graph, Input, Node, Operation};
use taut_formula::tape::Pending;
use toml::de::{DeTable, DeValue};

use super::bodies::{BodyNames, Spins};
use super::document::{Section, Value, article};
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::quantity::Quantity;
use super::tables::Fence;
use super::{Indices, Reader};
use crate::events::{EventFormulas, Place};
use crate::source::Span;

const FIELDS: [&str; 7] = ["when", "direction", "set", "stop", "remove", "add", "limit"];
const EXAMPLE: &str = "{ when = \"y\", direction = \"falling\", set = { \"y'\" = \"-0.8*y'\" } }";
/// Accelerations and multipliers belong to what is known when an event happens.
const WHEN: Role = Role::along_motion("an event");
const SET: Role = Role::along_motion("what an event sets");
/// What is known of them only together, where the motion is.
const REACTIONS: Depends = Depends::ACCELERATION.or(Depends::MULTIPLIER);
/// So often an event may happen while the time hardly goes on, where nothing is said.
const USUAL_LIMIT: usize = 100;
/// More events than this are a mistake.
const MOST_EVENTS: usize = 1000;

/// An event as the file says it.
pub(super) struct ReadEvent {
    name: String,
    direction: Direction,
    when: Node,
    /// how fast it changes, where that can be said
    slope: Option<Node>,
    set: Vec<(Place, Node)>,
    stop: bool,
    remove: Vec<String>,
    add: Vec<String>,
    limit: usize,
}

impl<'a> Reader<'a> {
    /// All events, in the order of the file.
    pub(super) fn read_events(&mut self) -> Vec<ReadEvent> {
        let mut events = Vec::new();
        let mut places: HashMap<String, Span> = HashMap::new();
        for part in self.document.parts(Section::Events) {
            for entry in self.entries(&part) {
                self.check_label(&entry);
                if let Some(first) = places.insert(entry.name.clone(), entry.span) {
                    self.mistakes
                        .add(entry.span, format!("there is an event '{}' already", entry.name))
                        .also(first, "first here");
                }
                if let Some(table) = self.fields(&entry, &FIELDS, EXAMPLE) {
                    events.extend(self.event(&entry, table));
                }
                if events.len() > MOST_EVENTS {
                    self.mistakes
                        .add(entry.span, "too many events")
                        .label(format!("more than {MOST_EVENTS}"));
                    return Vec::new();
                }
            }
        }
        events
    }

    fn event(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>) -> Option<ReadEvent> {
        let when = self.when(entry, table);
        let direction = table.get("direction").map_or(Some(Direction::Either), |value| self.direction(value));
        let set = table.get("set").map_or(Some(Vec::new()), |value| self.assignments(entry, value));
        let stop = table.get("stop").map_or(Some(false), |value| self.truth(value, "stop"));
        let remove = table.get("remove").map_or(Some(Vec::new()), |value| self.constraint_rows(value));
        let add = table.get("add").map_or(Some(Vec::new()), |value| self.constraint_rows(value));
        let limit = table.get("limit").map_or(Some(USUAL_LIMIT), |value| self.event_limit(entry, value));
        let (set, remove, add) = (set?, remove?, add?);
        let stop = stop?;
        let changes = ["set", "remove", "add"].into_iter().find_map(|key| table.get_key_value(key));
        if let Some((key, _)) = changes.filter(|_| stop) {
            self.mistakes
                .add(Span::new(key.span()), "an event that stops the run changes nothing")
                .label(format!("'{}' beside 'stop'", key.get_ref()))
                .help("write two events, or leave one of the two out");
        }
        if let Some(name) = remove.iter().find(|name| add.contains(name)) {
            let message = format!("'{}' both removes and adds '{name}'", entry.name);
            self.mistakes.add(entry.span, message);
        }
        let (when, direction, limit) = (when?, direction?, limit?);
        let slope = self.slope_of_event(when);
        Some(ReadEvent { name: entry.name.clone(), direction, when, slope, set, stop, remove, add, limit })
    }

    fn when(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>) -> Option<Node> {
        let Some(value) = table.get("when") else {
            self.mistakes
                .add(
                    Span::new(entry.value.span()),
                    format!("the event '{}' does not say when it happens", entry.name),
                )
                .label("'when' is missing")
                .help("when = \"expression\" that crosses zero then");
            return None;
        };
        let span = Span::new(value.span());
        let quantity = self.quantity(value, &mut entry.indices.clone(), &WHEN)?;
        if quantity.number().is_none() {
            let found = quantity.kind();
            self.mistakes
                .add(span, "an event is a number that crosses zero")
                .label(format!("found {found}"))
                .help("instead of x < 1 write x - 1 with direction = \"falling\"");
            return None;
        }
        let node = quantity.number()?;
        if !self.graph.depends(node).on(WHEN.allowed) {
            self.mistakes.add(span, "this never changes, and so never crosses zero");
            return None;
        }
        Some(node)
    }

    /// How fast the value of an event changes, when it is no function of accelerations and multipliers.
    fn slope_of_event(&mut self, when: Node) -> Option<Node> {
        if self.graph.depends(when).on(REACTIONS) {
            return None;
        }
        Some(self.rate_of_value(when))
    }

    /// The derivative along the motion, with accelerations or, in a first-order model, with rates as inputs.
    pub(super) fn rate_of_value(&mut self, node: Node) -> Node {
        if self.is_mechanical() {
            return self.rate_along_motion(node);
        }
        // Variables move with their rates as coordinates do with velocities.
        self.graph.along_motion(node)
    }

    fn direction(&mut self, value: &'a Value<'a>) -> Option<Direction> {
        match value.get_ref() {
            DeValue::String(word) if word == "rising" => Some(Direction::Rising),
            DeValue::String(word) if word == "falling" => Some(Direction::Falling),
            DeValue::String(word) if word == "both" => Some(Direction::Either),
            other => {
                let mistake = self
                    .mistakes
                    .add(Span::new(value.span()), "a direction is \"rising\", \"falling\" or \"both\"");
                match other {
                    DeValue::String(word) => mistake.suggest(word, ["rising", "falling", "both"]),
                    other => mistake.label(format!("found {}", article(other))),
                };
                None
            }
        }
    }

    pub(super) fn truth(&mut self, value: &'a Value<'a>, key: &str) -> Option<bool> {
        if let DeValue::Boolean(truth) = value.get_ref() {
            return Some(*truth);
        }
        self.mistakes
            .add(Span::new(value.span()), format!("'{key}' is true or false"))
            .label(format!("found {}", article(value.get_ref())));
        None
    }

    /// `{ "y'" = "-0.8*y'" }`: what is set, all at once.
    fn assignments(&mut self, entry: &Entry<'a>, value: &'a Value<'a>) -> Option<Vec<(Place, Node)>> {
        let DeValue::Table(table) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), "'set' is a table of values")
                .label(format!("found {}", article(value.get_ref())))
                .help("set = { \"y'\" = \"-0.8*y'\" }");
            return None;
        };
        let mut all = Some(Vec::new());
        let mut spins = Spins::default();
        for (key, value) in table {
            if let Some(places) = self.vector_to_set(key.get_ref()) {
                let nodes = self.vector_that_is_set(value, &places, &mut entry.indices.clone());
                match (nodes, &mut all) {
                    (Some(nodes), Some(all)) => all.extend(places.into_iter().zip(nodes)),
                    _ => all = None,
                }
                continue;
            }
            let spin = self.spin_to_set(key.get_ref());
            let place = match spin {
                Some(_) => None,
                None => self.place_to_set(key.get_ref(), Span::new(key.span())),
            };
            let node = self.formula(value, &mut entry.indices.clone(), &SET);
            match (spin, place, node, &mut all) {
                (Some((body, axis)), _, Some(node), _) => spins.set(body, axis, node),
                (None, Some(place), Some(node), Some(all)) => all.push((place, node)),
                _ => all = None,
            }
        }
        let turning = self.set_spins(&spins);
        all.as_mut().into_iter().for_each(|all| all.extend(&turning));
        all
    }

    /// The places of a vector whose elements are coordinates or variables; with a prime their velocities.
    fn vector_to_set(&self, key: &str) -> Option<Vec<Place>> {
        let (name, is_velocity) = match key.trim().strip_suffix('\'') {
            Some(name) => (name, true),
            None => (key.trim(), false),
        };
        let Some(Meaning::Several(vector)) = self.names.get(name) else { return None };
        let Quantity::Vector(elements) = &*vector else { return None };
        let place = |&node: &Node| match self.graph.operation(node) {
            Operation::Input(Input::Position(i)) if is_velocity => {
                self.is_mechanical().then_some(Place::Velocity(i as usize))
            }
            Operation::Input(Input::Position(i)) => Some(Place::Position(i as usize)),
            _ => None,
        };
        elements.iter().map(place).collect()
    }

    fn vector_that_is_set(
        &mut self,
        value: &'a Value<'a>,
        places: &[Place],
        indices: &mut Indices,
    ) -> Option<Vec<Node>> {
        match self.quantity(value, indices, &SET)? {
            Quantity::Vector(nodes) if nodes.len() == places.len() => Some(nodes),
            other => {
                self.mistakes
                    .add(Span::new(value.span()), format!("a vector of {} is expected here", places.len()))
                    .label(format!("found {}", other.kind()));
                None
            }
        }
    }

    fn place_to_set(&mut self, key: &str, span: Span) -> Option<Place> {
        if let Some(velocity) = self.body_velocity(key.trim()) {
            return Some(Place::Velocity(velocity));
        }
        let (name, is_velocity) = match key.trim().strip_suffix('\'') {
            Some(name) => (name, true),
            None => (key.trim(), false),
        };
        match (self.names.get(name), is_velocity) {
            (Some(Meaning::Coordinate(i)), true) => return Some(Place::Velocity(i as usize)),
            (Some(Meaning::Coordinate(i) | Meaning::Variable(i)), false) => {
                return Some(Place::Position(i as usize));
            }
            (Some(meaning), _) => {
                self.mistakes
                    .add(span, "an event sets coordinates, velocities or variables")
                    .label(format!("'{name}' is {}", meaning.kind()));
            }
            (None, _) if self.failed.contains(name) || self.names_are_missing => {}
            (None, _) => {
                let of_bodies = self.body_names.iter().flat_map(BodyNames::names);
                let known: Vec<String> = self.names.iter().chain(of_bodies).map(str::to_string).collect();
                self.mistakes
                    .add(span, format!("unknown name '{name}'"))
                    .label("not known")
                    .suggest(name, known.iter().map(String::as_str));
            }
        }
        None
    }

    /// `["rod"]`: the rows of these constraints; several of a constraint between vectors.
    fn constraint_rows(&mut self, value: &'a Value<'a>) -> Option<Vec<String>> {
        let DeValue::Array(elements) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), "this is a list of names of constraints")
                .label(format!("found {}", article(value.get_ref())))
                .help("remove = [\"rod\"]");
            return None;
        };
        let mut rows = Some(Vec::new());
        for element in elements.iter() {
            let span = Span::new(element.span());
            let DeValue::String(name) = element.get_ref() else {
                self.mistakes
                    .add(span, "the name of a constraint is a string")
                    .label(format!("found {}", article(element.get_ref())));
                rows = None;
                continue;
            };
            let found: Vec<String> =
                self.reactions.names().into_iter().filter(|row| is_row_of(row, name)).collect();
            if found.is_empty() {
                rows = None;
                self.no_such_constraint(name, span);
            } else if let Some(rows) = &mut rows {
                rows.extend(found);
            }
        }
        rows
    }

    fn no_such_constraint(&mut self, name: &str, span: Span) {
        if !self.is_mechanical() {
            let message = format!("{} has no constraints to remove or add", self.kind.words());
            self.mistakes.add(span, message);
            return;
        }
        let known = self.reactions.names();
        self.mistakes
            .add(span, format!("there is no constraint '{name}'"))
            .label("not a constraint")
            .suggest(name, known.iter().map(String::as_str));
    }

    fn event_limit(&mut self, entry: &Entry<'a>, value: &'a Value<'a>) -> Option<usize> {
        let node = self.number(value, &mut entry.indices.clone(), &Role::constant("a limit"))?;
        let limit = self.structural_value(node)?;
        if limit.fract() == 0.0 && (2.0..=1e6).contains(&limit) {
            return Some(limit as usize);
        }
        self.mistakes
            .add(Span::new(value.span()), "a limit is a whole number from 2 to 1000000")
            .label(format!("= {limit}"));
        None
    }

    /// Compiles the events of a model with so many coordinates.
    pub(super) fn compile_events(&mut self, events: &[ReadEvent], n: usize) -> Vec<EventFormulas> {
        let fences = std::mem::take(&mut self.fences);
        let fences: Vec<(Fence, Node)> = fences
            .into_iter()
            .map(|fence| {
                let [from, to] = [fence.from, fence.to].map(|end| self.graph.constant(end));
                let (below, above) =
                    (self.graph.subtract(fence.argument, from), self.graph.subtract(to, fence.argument));
                let inside = self.graph.multiply(below, above);
                (fence, inside)
            })
            .collect();
        let m = self.reactions.names().len();
        let tape = |nodes: &[Node]| Arc::new(Pending::new(nodes, n, m));
        let formulas = events.iter().map(|event| EventFormulas {
            name: event.name.clone(),
            direction: event.direction,
            when: tape(&[event.when]),
            slope: tape(&[event.slope.unwrap_or(Graph::ZERO)]),
            has_slope: event.slope.is_some(),
            places: event.set.iter().map(|(place, _)| *place).collect(),
            values: tape(&event.set.iter().map(|(_, node)| *node).collect::<Vec<Node>>()),
            stop: event.stop,
            remove: event.remove.clone(),
            add: event.add.clone(),
            held_by: self.reactions.with_equation(event.when),
            limit: event.limit,
            fence: None,
        });
        let declared: Vec<EventFormulas> = formulas.collect();
        let fences = fences.iter().map(|(fence, inside)| EventFormulas {
            name: format!("table {}", fence.table),
            direction: Direction::Falling,
            when: tape(&[*inside]),
            slope: tape(&[Graph::ZERO]),
            has_slope: false,
            places: Vec::new(),
            values: tape(&[]),
            stop: false,
            remove: Vec::new(),
            add: Vec::new(),
            held_by: Vec::new(),
            limit: USUAL_LIMIT,
            fence: Some((fence.table.clone(), tape(&[fence.argument]))),
        });
        let fences: Vec<EventFormulas> = fences.collect();
        declared.into_iter().chain(fences).collect()
    }
}

impl ReadEvent {
    /// Whether it takes accelerations.
    pub(super) fn takes_accelerations(&self, graph: &Graph) -> bool {
        let nodes = self.set.iter().map(|(_, node)| *node).chain([self.when]);
        nodes.into_iter().any(|node| graph.depends(node).on(Depends::ACCELERATION))
    }
}

/// Whether a row belongs to a constraint: it has its name, or is an element of it.
fn is_row_of(row: &str, constraint: &str) -> bool {
    row == constraint || row.strip_prefix(constraint).is_some_and(|rest| rest.starts_with('['))
}
