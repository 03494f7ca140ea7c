//! The mass matrix: from a kinetic energy, or entry by entry.

use std::collections::HashMap;

use toml::de::DeValue;

use super::document::{Section, Value};
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::{Indices, Reader};
use crate::expression::{Expression, Term};
use crate::source::Span;
use taut::system::compiled::{Inertia, NotQuadratic};
use taut_formula::graph::{Depends, Node};

pub(super) const KINETIC: Role = Role {
    what: "the kinetic energy",
    allowed: Depends::POSITION.or(Depends::VELOCITY),
    help: "the mass matrix is a function of the coordinates",
};

const MASS: Role = Role {
    what: "the mass matrix",
    allowed: Depends::POSITION,
    help: "the mass matrix is a function of the coordinates",
};

impl<'a> Reader<'a> {
    /// M, momenta and T of kinetic energies that add up: that of the model, and those of included ones.
    pub(super) fn inertia_of_energies(
        &mut self,
        energies: &[Entry<'a>],
        coordinates: &[String],
    ) -> Option<Inertia> {
        let parts: Vec<Option<Inertia>> =
            energies.iter().map(|entry| self.inertia_of_energy(entry.value, coordinates)).collect();
        let mut parts = parts.into_iter().collect::<Option<Vec<Inertia>>>()?.into_iter();
        let mut sum = parts.next()?;
        for part in parts {
            sum.kinetic = self.graph.add(sum.kinetic, part.kinetic);
            for (sum, momentum) in sum.momenta.iter_mut().zip(part.momenta) {
                *sum = self.graph.add(*sum, momentum);
            }
            for (i, j, entry) in part.mass {
                match sum.mass.iter_mut().find(|known| (known.0, known.1) == (i, j)) {
                    Some(known) => known.2 = self.graph.add(known.2, entry),
                    None => sum.mass.push((i, j, entry)),
                }
            }
        }
        Some(sum)
    }

    /// M, momenta and T from the expression of the kinetic energy.
    pub(super) fn inertia_of_energy(
        &mut self,
        value: &'a Value<'a>,
        coordinates: &[String],
    ) -> Option<Inertia> {
        let mut indices = Indices::new();
        let kinetic = self.formula(value, &mut indices, &KINETIC)?;
        match Inertia::of_energy(&mut self.graph, kinetic, coordinates.len()) {
            Ok(inertia) => Some(inertia),
            Err(flaw) => {
                let whole = Span::new(value.span());
                let span = self.flawed_term(value, coordinates.len()).unwrap_or(whole);
                let (message, label) = match flaw {
                    NotQuadratic::AtRest => {
                        ("the kinetic energy is not zero at rest", "without velocities".to_string())
                    }
                    NotQuadratic::LinearIn(i) => {
                        ("the kinetic energy is not quadratic", format!("linear in {}'", coordinates[i]))
                    }
                    NotQuadratic::OtherwiseIn(i) => (
                        "the kinetic energy is not quadratic",
                        format!("not quadratic in {}'", coordinates[i]),
                    ),
                };
                self.mistakes
                    .add(span, message)
                    .label(label)
                    .help("a kinetic energy is v'M(q)v/2, such as m/2*x'^2");
                None
            }
        }
    }

    /// The first term of a sum that is not quadratic.
    fn flawed_term(&mut self, value: &'a Value<'a>, n: usize) -> Option<Span> {
        let expression = match value.get_ref() {
            DeValue::String(_) => self.expression(value)?,
            _ => return None,
        };
        let Expression { term: Term::Sum(terms), .. } = &*expression else { return Some(expression.span) };
        for (_, term) in terms {
            let node = self.lower(term, &mut Indices::new(), &KINETIC)?;
            if Inertia::of_energy(&mut self.graph, node, n).is_err() {
                return Some(term.span);
            }
        }
        Some(expression.span)
    }

    /// M, momenta and T from `[mass]`; `"x,y"` gives both M_xy and M_yx.
    pub(super) fn inertia_of_entries(&mut self, n: usize) -> Inertia {
        let mut inertia = Inertia::none(n);
        for ((i, j), entry) in self.mass_entries(&MASS, true) {
            inertia.add_entry(&mut self.graph, i, j, entry);
        }
        inertia
    }

    /// The entries of `[mass]`, in the order of the file.
    pub(super) fn mass_entries(&mut self, role: &Role, symmetric: bool) -> Vec<((usize, usize), Node)> {
        let mut given: HashMap<(usize, usize), Span> = HashMap::new();
        let mut entries = Vec::new();
        for part in self.document.parts(Section::Mass) {
            for mut entry in self.entries(&part) {
                let node = self.formula(entry.value, &mut entry.indices, role);
                let Some((i, j)) = self.pair(&entry.name, entry.span) else { continue };
                let place = if symmetric { (i.max(j), i.min(j)) } else { (i, j) };
                if let Some(first) = given.insert(place, entry.span) {
                    self.mistakes
                        .add(entry.span, format!("the entry '{}' is given twice", entry.name))
                        .label("again here")
                        .also(first, "first here");
                }
                entries.extend(node.map(|node| (place, node)));
            }
        }
        entries
    }

    /// The two coordinates of a key such as "x,y".
    fn pair(&mut self, key: &str, span: Span) -> Option<(usize, usize)> {
        let Some((row, column)) = key.split_once(',') else {
            self.mistakes
                .add(span, "an entry of the mass matrix has two names")
                .label("one name only")
                .help(format!("\"{key},{key}\" = ..."));
            return None;
        };
        let (row, column) = (self.coordinate(row.trim(), span), self.coordinate(column.trim(), span));
        Some((row?, column?))
    }

    /// The number of a coordinate or variable.
    pub(super) fn coordinate(&mut self, name: &str, span: Span) -> Option<usize> {
        match self.names.get(name) {
            Some(Meaning::Coordinate(i) | Meaning::Variable(i)) => return Some(i as usize),
            _ if self.failed.contains(name) || self.names_are_missing || self.mistakes.has(span) => {
                return None;
            }
            _ => {}
        }
        let is_coordinate =
            |name: &&str| matches!(self.names.get(name), Some(Meaning::Coordinate(_) | Meaning::Variable(_)));
        let known: Vec<&str> = self.names.iter().filter(is_coordinate).collect();
        self.mistakes
            .add(span, format!("there is no coordinate '{name}'"))
            .label("not a coordinate")
            .suggest(name, known);
        None
    }
}
