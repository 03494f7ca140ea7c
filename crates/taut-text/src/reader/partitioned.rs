//! `[partitioned]`: y' = Σ f(t, y, z), z' = Σ k(t, y, z, u), 0 = g(t, y), in terms that belong to classes.

use std::collections::HashMap;

use taut::system::{ForceClass, RatePart};
use taut_formula::graph::{Depends, Graph, Input, Node};
use toml::de::DeValue;

use super::constraints::Rows;
use super::document::{Part, Section, Value, article};
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::quantity::Quantity;
use super::{Indices, Reader};
use crate::compiled::{Contents, Equations};
use crate::source::Span;
use taut::system::compiled::{PartitionEquations, PartitionFormulas, usual_reaction};

const TERM: Role = Role::any("a term");
const ENERGY: Role = Role::any("the energy");
const KEYS: [&str; 6] = ["y", "z", "terms", "energy", "mass", "damping"];
const MASS: Role = Role { what: "a mass", allowed: Depends::POSITION, help: "it is a function of y alone" };
/// More variables z are not coupled by a mass matrix: it is inverted as a formula.
const MOST_COUPLED: usize = 12;

impl<'a> Reader<'a> {
    /// Jay's system (1998, eq. 2).
    pub(super) fn partitioned_model(&mut self) -> Option<Contents> {
        let part = self.document.first(Section::Partitioned)?;
        self.check_keys_of_partition();
        let mut start = Vec::new();
        let first = self.read_unknowns("y", part.span, &mut start);
        let second = self.read_unknowns("z", part.span, &mut start);
        let (n, p) = (first.len(), second.len());
        self.read_definitions();
        let rows = self.read_constraints();
        self.check_free_of(n, &rows);
        self.check_rigid(&rows);
        self.name_multipliers(n + p, &rows);
        let mut parts = self.read_terms(part.span, &first, &second);
        let given = self.document.parts(Section::Partitioned);
        let energy = given
            .iter()
            .filter(|part| part.repetition.is_none())
            .find_map(|part| part.table.get("energy"))
            .map(|value| self.formula(value, &mut Indices::new(), &ENERGY));
        let (mass, damping) = (self.read_masses(&first, &second), self.read_shares(&first, &second));
        let reacts = parts.iter().any(|(_, rates)| self.reacts(rates, n + p));
        if !rows.equations.is_empty() && !reacts {
            if n != p && !self.mistakes.any() {
                self.mistakes
                    .add(part.span, "what holds the constraints is missing")
                    .help("a term with class = \"reaction\" that uses lambda.NAME");
            }
            parts.extend(usual_reaction(&mut self.graph, n, p, &rows.equations));
        }
        if self.mistakes.any() {
            self.surroundings();
            return None;
        }
        let formulas = PartitionFormulas {
            first,
            second,
            constraints: rows.constraints.iter().map(|constraint| constraint.name.clone()).collect(),
            parts,
            mass,
            damping,
            equations: rows.equations,
            energy: energy.flatten(),
            is_closed: false,
        };
        start.resize(n + p + formulas.constraints.len(), Graph::ZERO);
        self.finish_partition(formulas, start)
    }

    /// Inside of `for` tables there are variables and terms alone.
    fn check_keys_of_partition(&mut self) {
        for part in self.document.parts(Section::Partitioned) {
            let known = if part.repetition.is_some() { &KEYS[..3] } else { &KEYS[..] };
            for key in part.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
                self.mistakes
                    .add(Span::new(key.span()), format!("[partitioned] has no '{}'", key.get_ref()))
                    .suggest(key.get_ref(), known.iter().copied());
            }
        }
    }

    /// Names and start values of y or z: `y = { x = 1.0 }`.
    fn read_unknowns(&mut self, which: &str, section: Span, start: &mut Vec<Node>) -> Vec<String> {
        let (mut names, mut is_given) = (Vec::new(), false);
        for part in self.document.parts(Section::Partitioned) {
            let Some(value) = part.table.get(which) else { continue };
            is_given = true;
            let DeValue::Table(table) = value.get_ref() else {
                self.unknowns_are_missing(which, Span::new(value.span()), article(value.get_ref()));
                continue;
            };
            for entry in self.entries(&Part { table, ..part }) {
                let role = Role::constant("a start value");
                let number = self.number(entry.value, &mut entry.indices.clone(), &role);
                self.check_count(start.len(), entry.span);
                self.overrides.take(&entry.name);
                self.give(&entry, Some(Meaning::Variable(start.len() as u32)));
                start.push(number.unwrap_or(Graph::ZERO));
                names.push(entry.name);
            }
        }
        if !is_given {
            self.unknowns_are_missing(which, section, "nothing");
        }
        names
    }

    fn unknowns_are_missing(&mut self, which: &str, span: Span, found: &str) {
        self.mistakes
            .add(span, format!("'{which}' names variables with start values"))
            .label(format!("found {found}"))
            .help(format!("{which} = {{ x = 1.0 }}"));
    }

    /// The table `mass` or `damping` of `[partitioned]`, outside of repetitions.
    fn table_of_partition(&mut self, key: &str, example: &str) -> Option<Part<'a>> {
        let parts = self.document.parts(Section::Partitioned);
        let (part, value) = parts.iter().find_map(|part| Some((*part, part.table.get(key)?)))?;
        match value.get_ref() {
            DeValue::Table(table) => Some(Part { table, ..part }),
            other => {
                self.mistakes
                    .add(Span::new(value.span()), format!("'{key}' is a table"))
                    .label(format!("found {}", article(other)))
                    .help(example);
                None
            }
        }
    }

    /// `mass = { "p,p" = "1 + x^2" }`: the entries of M(y), both triangles; a variable that is not named has 1.
    fn read_masses(&mut self, first: &[String], second: &[String]) -> Vec<(usize, usize, Node)> {
        let example = "mass = { \"p,p\" = \"1 + x^2\" }";
        let Some(part) = self.table_of_partition("mass", example) else { return Vec::new() };
        let mut entries: HashMap<(usize, usize), Node> = HashMap::new();
        for mut entry in self.entries(&part) {
            let mut names = entry.name.split(',').map(str::trim);
            let pair = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
            let place = |name: &str| second.iter().position(|known| known == name);
            let (Some(i), Some(j), None) = (place(pair.0), place(pair.1), names.next()) else {
                self.mistakes
                    .add(entry.span, format!("'{}' is no pair of variables z", entry.name))
                    .help(example);
                continue;
            };
            let span = Span::new(entry.value.span());
            let Some(mass) = self.formula(entry.value, &mut entry.indices, &MASS) else { continue };
            if self.graph.gradient(mass, Depends::POSITION).iter().any(|&(k, _)| k >= first.len()) {
                self.mistakes
                    .add(span, "a mass is a function of y alone")
                    .label("this depends on z or a multiplier");
            }
            if entries.insert((i, j), mass).is_some() {
                self.mistakes.add(entry.span, format!("'{}' is given twice", entry.name));
            }
            entries.insert((j, i), mass);
        }
        for i in 0..second.len() {
            entries.entry((i, i)).or_insert(Graph::ONE);
        }
        let coupled = entries.keys().any(|(i, j)| i != j);
        if coupled && second.len() > MOST_COUPLED {
            self.mistakes
                .add(part.span, format!("a mass matrix couples at most {MOST_COUPLED} variables"))
                .help("the same motion with [coordinates] and [energy] has no such limit");
        }
        let mut entries: Vec<(usize, usize, Node)> =
            entries.into_iter().map(|((i, j), mass)| (i, j, mass)).collect();
        entries.sort_unstable_by_key(|&(i, j, _)| (i, j));
        entries
    }

    /// `damping = { x = 0.3, p = 0.3 }`: the shares of the rates of single variables that SPARK methods damp.
    fn read_shares(&mut self, first: &[String], second: &[String]) -> Vec<Node> {
        let example = "damping = { x = 0.3, p = 0.3 }";
        let Some(part) = self.table_of_partition("damping", example) else { return Vec::new() };
        let mut shares = vec![Graph::ZERO; first.len() + second.len()];
        for mut entry in self.entries(&part) {
            let span = Span::new(entry.value.span());
            let place = first.iter().chain(second).position(|known| *known == entry.name);
            let Some(place) = place else {
                let known = first.iter().chain(second).map(String::as_str);
                self.mistakes
                    .add(entry.span, format!("'{}' is neither in y nor in z", entry.name))
                    .suggest(&entry.name, known);
                continue;
            };
            let share = self.number(entry.value, &mut entry.indices, &Role::constant("a share"));
            let Some((share, value)) = share.and_then(|share| Some((share, self.structural_value(share)?)))
            else {
                continue;
            };
            if !(0.0..=1.0).contains(&value) {
                self.mistakes.add(span, "a share is a number from 0 to 1").label(format!("this is {value}"));
            }
            shares[place] = share;
        }
        shares
    }

    fn check_rigid(&mut self, rows: &Rows) {
        if rows.constraints.iter().any(|constraint| !constraint.is_rod())
            && let Some(part) = self.document.first(Section::Constraints)
        {
            self.mistakes
                .add(part.span, "a partitioned model has rigid constraints only")
                .help("a spring is a term of its own");
        }
    }

    /// The terms by their parts: f, then k of each.
    fn read_terms(
        &mut self,
        section: Span,
        first: &[String],
        second: &[String],
    ) -> Vec<(RatePart, Vec<Node>)> {
        let size = first.len() + second.len();
        let mut parts: Vec<(RatePart, Vec<Node>)> =
            RatePart::ALL.iter().map(|part| (*part, vec![Graph::ZERO; size])).collect();
        let places: HashMap<&str, usize> =
            first.iter().chain(second).enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let mut wrong = Some(section);
        for part in self.document.parts(Section::Partitioned) {
            let Some(value) = part.table.get("terms") else { continue };
            let DeValue::Table(table) = value.get_ref() else {
                wrong = Some(Span::new(value.span()));
                break;
            };
            wrong = None;
            for entry in self.entries(&Part { table, ..part }) {
                self.read_term(&entry, &places, &mut parts);
            }
        }
        if let Some(span) = wrong {
            self.mistakes.add(span, "the terms are missing").help(
                "[partitioned.terms] with NAME = { class = \"conservative\", x = \"...\", p = \"...\" }",
            );
            return Vec::new();
        }
        self.check_first_rates(&parts, first);
        parts.retain(|(_, rates)| rates.iter().any(|&rate| rate != Graph::ZERO));
        parts
    }

    /// Adds one term to the rates of its class.
    fn read_term(
        &mut self,
        entry: &Entry<'a>,
        places: &HashMap<&str, usize>,
        parts: &mut [(RatePart, Vec<Node>)],
    ) {
        let DeValue::Table(term) = entry.value.get_ref() else {
            self.mistakes
                .add(entry.span, format!("the term '{}' is a table", entry.name))
                .help("NAME = { class = \"conservative\", x = \"...\", p = \"...\" }");
            return;
        };
        let Some(class) = self.class_of_term(term.get("class")) else { return };
        self.term_classes.push((entry.name.clone(), class));
        let mut indices = entry.indices.clone();
        for (key, value) in term.iter().filter(|(name, _)| name.get_ref() != "class") {
            let span = Span::new(key.span());
            let Some(name) = self.label(key.get_ref(), span, &mut indices) else { continue };
            let rate = self.formula(value, &mut indices, &TERM);
            let rates = parts.iter_mut().find(|(part, _)| *part == class);
            let (Some(&i), Some((_, rates))) = (places.get(name.as_str()), rates) else {
                let mut known: Vec<&str> = places.keys().copied().collect();
                known.sort_unstable();
                self.mistakes.add(span, format!("'{name}' is neither in y nor in z")).suggest(&name, known);
                continue;
            };
            if let Some(rate) = rate {
                rates[i] = self.graph.add(rates[i], rate);
            }
        }
    }

    /// Rates of y are functions of y and z.
    fn check_first_rates(&mut self, parts: &[(RatePart, Vec<Node>)], first: &[String]) {
        let size = parts.first().map_or(0, |(_, rates)| rates.len());
        let reacting = parts.iter().any(|(_, rates)| self.reacts(&rates[..first.len()], size));
        let span = self.document.first(Section::Partitioned).map_or(Span::default(), |part| part.span);
        if reacting {
            self.mistakes.add(span, "rates of y cannot depend on multipliers");
        }
    }

    fn reacts(&mut self, rates: &[Node], size: usize) -> bool {
        rates.iter().any(|&rate| self.graph.gradient(rate, Depends::POSITION).iter().any(|&(j, _)| j >= size))
    }

    fn class_of_term(&mut self, value: Option<&'a Value<'a>>) -> Option<RatePart> {
        let Some(value) = value else { return Some(RatePart::Class(ForceClass::Conservative)) };
        let span = Span::new(value.span());
        let name = match value.get_ref() {
            DeValue::String(name) => name.as_ref(),
            other => article(other),
        };
        let class = RatePart::ALL.into_iter().find(|part| part.name() == name);
        if class.is_none() {
            self.mistakes
                .add(span, format!("there is no class '{name}'"))
                .suggest(name, RatePart::ALL.map(RatePart::name));
        }
        class
    }

    /// Gives multipliers their names: `lambda.rod`, of constraints between vectors a vector.
    pub(super) fn name_multipliers(&mut self, first: usize, rows: &Rows) {
        let mut names: Vec<(String, Vec<u32>)> = Vec::new();
        for (k, constraint) in rows.constraints.iter().enumerate() {
            let whole = format!("lambda.{}", constraint.name.split('[').next().unwrap_or_default());
            let place = (first + k) as u32;
            match names.last_mut().filter(|(name, _)| *name == whole) {
                Some((_, places)) => places.push(place),
                None => names.push((whole, vec![place])),
            }
        }
        for (name, places) in names {
            let meaning = match places.as_slice() {
                [one] => Meaning::Variable(*one),
                several => {
                    let nodes = several.iter().map(|&k| self.graph.input(Input::Position(k))).collect();
                    Meaning::Several(std::rc::Rc::new(Quantity::Vector(nodes)))
                }
            };
            self.names.insert(name, meaning, Span::default());
        }
    }

    /// Reads what is left and puts the model together; `start` is that of (y, z, u).
    pub(super) fn finish_partition(
        &mut self,
        mut formulas: PartitionFormulas,
        start: Vec<Node>,
    ) -> Option<Contents> {
        let size = formulas.first.len() + formulas.second.len();
        if self.document.first(Section::Hamiltonian).is_some() {
            let constraints = formulas.constraints.iter().map(taut::system::Constraint::rod).collect();
            self.name_multipliers(size, &Rows { constraints, ..Rows::default() });
        }
        self.rates = formulas.rates(&mut self.graph).into_iter().map(Some).collect();
        let around = self.surroundings();
        if self.mistakes.any() {
            return None;
        }
        self.frozen = self.freeze(formulas.nodes());
        let mut equations = PartitionEquations::new(&mut self.graph, &formulas);
        if !self.smooth {
            equations.forget_jumps();
        }
        Some(self.finish(Equations::Partitioned(equations), [start, Vec::new()], around))
    }
}
