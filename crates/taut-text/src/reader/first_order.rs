//! `[variables]` and what belongs to them.

use toml::de::DeTable;

use super::document::Section;
use super::entries::Entry;
use super::implicit::{Rows, SLOPE};
use super::lower::Role;
use super::names::Meaning;
use super::starts::Place;
use super::{Indices, Reader};
use crate::compiled::{Contents, Equations};
use crate::source::Span;
use taut::system::compiled::FirstOrderEquations;
use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::settings::Setting;

const RATE: Role = Role::any("a rate");
const MASS: Role = Role {
    what: "the matrix of a first-order model",
    allowed: Depends::TIME.or(Depends::POSITION),
    help: "it is a function of time and variables",
};

/// A variable whose equation is still to be read: equations may use definitions, and those all variables.
pub(super) struct Unread<'a> {
    pub(super) entry: Entry<'a>,
    pub(super) table: Option<&'a DeTable<'a>>,
    /// what its rate of change is near the start, where it is given
    pub(super) slope: Option<Node>,
}

/// The rates of change of variables with x' = rate, where E is nothing else.
fn explicit_rates(rates: &[Node], entries: &[(usize, usize, Setting)]) -> Vec<Option<Node>> {
    let diagonal = entries.iter().all(|(i, j, _)| i == j);
    let is_one =
        |i: usize| entries.iter().any(|e| (e.0, e.1) == (i, i) && matches!(e.2, Setting::Constant(1.0)));
    let rate = |(i, rate): (usize, &Node)| Some(*rate).filter(|_| diagonal && is_one(i));
    rates.iter().enumerate().map(rate).collect()
}

impl<'a> Reader<'a> {
    pub(super) fn first_order_model(&mut self) -> Option<Contents> {
        let (variables, mut x) = self.read_variables();
        self.check_not_empty(Section::Variables, x.len());
        self.read_definitions();
        self.read_start_values(&mut x, &mut []);
        let mass = self.document.first(Section::Mass).map(|part| part.span);
        let mut rates: Vec<Node> = Vec::new();
        let mut scales = Vec::new();
        for Unread { entry, table, .. } in &variables {
            let (rate, scale) = table.map_or((None, Graph::ONE), |table| self.equation(entry, table, mass));
            rates.push(rate.unwrap_or(Graph::ZERO));
            scales.push(scale);
        }
        let entries = match mass {
            Some(_) => self.mass_entries(&MASS, false),
            None => scales.into_iter().enumerate().map(|(i, scale)| ((i, i), scale)).collect(),
        };
        let (slopes, places) = (self.slopes_at_start(&variables), self.places_of_slopes(&variables));
        let names = variables.into_iter().map(|variable| variable.entry.name).collect();
        let system = self.explicit_system(Rows { names, start: x, rates, entries }, &slopes);
        self.check_slopes(&system, &places);
        let entries = self.entries_that_are_not_zero(system.entries);
        self.rates = explicit_rates(&system.rates, &entries);
        let around = self.surroundings();
        if self.mistakes.any() {
            return None;
        }
        let index = self.declared_index(system.names.len(), &entries);
        let mut rates = system.rates;
        self.frozen = self.freeze(rates.iter_mut().collect());
        let mut equations =
            FirstOrderEquations::new(&mut self.graph, system.names, &rates, entries).with_index(index);
        if !self.smooth {
            equations.forget_jumps();
        }
        Some(self.finish(Equations::FirstOrder(equations), [system.start, Vec::new()], around))
    }

    fn read_variables(&mut self) -> (Vec<Unread<'a>>, Vec<Node>) {
        let (mut variables, mut x) = (Vec::new(), Vec::new());
        for part in self.document.parts(Section::Variables) {
            for entry in self.entries(&part) {
                let known = ["start", "rate", "equation", "scale", "atol", "unit", "index", SLOPE];
                let table = self.fields(&entry, &known, "{ start = 0.0, rate = \"...\" }");
                if let Some(table) = table {
                    self.read_absolute_tolerance(&entry, table, x.len());
                    self.read_index(&entry, table, x.len());
                    self.read_unit(&entry.name, table);
                }
                if let Some(table) = table {
                    self.start_value(&entry, table.get("start"), true, Place::Position(x.len()));
                }
                let role = Role::constant("a slope at the start");
                let slope = table.and_then(|table| table.get(SLOPE));
                let slope = slope.and_then(|value| self.number(value, &mut entry.indices.clone(), &role));
                // What is given instead is put in when the model is made.
                self.overrides.take(&entry.name);
                self.check_count(x.len(), entry.span);
                self.give(&entry, Some(Meaning::Variable(x.len() as u32)));
                x.push(Graph::ZERO);
                variables.push(Unread { entry, table, slope });
            }
        }
        (variables, x)
    }

    /// The right-hand side and the scale of one variable: scale x' = rate, or 0 = equation.
    fn equation(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        mass: Option<Span>,
    ) -> (Option<Node>, Node) {
        let mut indices = entry.indices.clone();
        let name = &entry.name;
        let span = Span::new(entry.value.span());
        let value = match (table.get("rate"), table.get("equation")) {
            (Some(value), None) | (None, Some(value)) => value,
            (None, None) => {
                self.mistakes
                    .add(span, format!("'{name}' has no equation"))
                    .label("'rate' or 'equation' is missing")
                    .help(format!("rate = \"...\" for {name}' = ..., equation = \"...\" for 0 = ..."));
                return (None, Graph::ONE);
            }
            (Some(_), Some(_)) => {
                self.mistakes.add(span, format!("'{name}' has a rate or an equation, not both"));
                return (None, Graph::ONE);
            }
        };
        self.takes_rates = table.contains_key("equation");
        let node = self.formula(value, &mut indices, &RATE);
        self.takes_rates = false;
        if table.contains_key("rate") && !table.contains_key("scale") && mass.is_none() {
            let unit = self.units.get(name).map(|unit| self.units.rate(unit));
            self.expect_unit(value, unit, &format!("the rate of {name}"), &mut indices);
        }
        (node, self.scale(table, &mut indices, mass))
    }

    fn scale(&mut self, table: &'a DeTable<'a>, indices: &mut Indices, mass: Option<Span>) -> Node {
        let is_algebraic = table.contains_key("equation");
        let Some(value) = table.get("scale") else {
            return if is_algebraic { Graph::ZERO } else { Graph::ONE };
        };
        let span = Span::new(value.span());
        if is_algebraic {
            self.mistakes
                .add(span, "an equation 0 = ... has no scale")
                .help("scale * x' = rate is written with 'rate'");
        } else if let Some(mass) = mass {
            self.mistakes.add(span, "the scale is given twice").label("here").also(mass, "and by [mass]");
        }
        self.number(value, indices, &Role::constant("a scale")).unwrap_or(Graph::ONE)
    }

    /// The entries of the matrix E of E x' = rate that are not zero.
    fn entries_that_are_not_zero(
        &mut self,
        entries: Vec<((usize, usize), Node)>,
    ) -> Vec<(usize, usize, Setting)> {
        let mut found = Vec::new();
        for ((i, j), entry) in entries {
            if self.signed_value(entry).is_some_and(|value| value != 0.0) {
                found.push((i, j, self.setting(entry)));
            }
        }
        found
    }
}
