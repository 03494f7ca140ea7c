//! Start values: numbers, or formulas of parameters, definitions and other start values.

use std::sync::Arc;

use taut_formula::graph::{Depends, Node};
use taut_formula::tape::Pending;

use super::document::Value;
use super::entries::Entry;
use super::lower::Role;
use super::{Indices, Reader};
use crate::compiled::Dependent;
use crate::source::Span;

/// Which start value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Position(usize),
    Velocity(usize),
    /// of a Hamiltonian model, behind all positions
    Momentum(usize),
}

/// A start value that is read when definitions are known.
#[derive(Debug)]
pub(super) struct Later<'a> {
    place: Place,
    name: String,
    value: &'a Value<'a>,
    indices: Indices,
}

const START: Role = Role {
    what: "a start value",
    allowed: Depends::TIME.or(Depends::POSITION),
    help: "it may use parameters, definitions and other start values",
};
const VELOCITY: Role = Role { allowed: START.allowed.or(Depends::VELOCITY), ..START };

impl<'a> Reader<'a> {
    /// Notes a start value for later; one that has to be there is a mistake when it is not.
    pub(super) fn start_value(
        &mut self,
        entry: &Entry<'a>,
        value: Option<&'a Value<'a>>,
        required: bool,
        place: Place,
    ) {
        match value {
            Some(value) => self.later.push(Later {
                place,
                name: entry.name.clone(),
                value,
                indices: entry.indices.clone(),
            }),
            None if required => {
                self.mistakes
                    .add(Span::new(entry.value.span()), format!("'{}' has no start value", entry.name))
                    .label("'start' is missing");
            }
            None => {}
        }
    }

    /// Reads the start values that were noted.
    pub(super) fn read_start_values(&mut self, q: &mut [Node], v: &mut [Node]) {
        let momenta = q.len() / 2;
        let mut places = Vec::new();
        for Later { place, name, value, mut indices } in std::mem::take(&mut self.later) {
            let role = if matches!(place, Place::Velocity(_)) { VELOCITY } else { START };
            let Some(node) = self.formula(value, &mut indices, &role) else { continue };
            let unit = self.units.get(&name).and_then(|unit| match place {
                Place::Position(_) => Some(unit),
                Place::Velocity(_) => Some(self.units.rate(unit)),
                Place::Momentum(_) => self.units.momentum(unit),
            });
            if unit.is_some() {
                self.expect_unit(value, unit, &format!("the start of {name}"), &mut indices);
            }
            let (number, start) = match place {
                Place::Position(i) => (i, &mut q[i]),
                Place::Momentum(i) => (momenta + i, &mut q[momenta + i]),
                Place::Velocity(i) => (q.len() + i, &mut v[i]),
            };
            *start = node;
            places.push((number, Span::new(value.span())));
        }
        self.check_order(&[&*q, &*v].concat(), q.len(), &places);
    }

    /// Start values follow from each other in some order; its length is kept.
    fn check_order(&mut self, starts: &[Node], n: usize, places: &[(usize, Span)]) {
        let mut needs = vec![Vec::new(); starts.len()];
        for (needs, &start) in needs.iter_mut().zip(starts) {
            if self.graph.setting(start).is_none() {
                needs.extend(self.graph.gradient(start, Depends::POSITION).into_iter().map(|(j, _)| j));
                needs.extend(self.graph.gradient(start, Depends::VELOCITY).into_iter().map(|(j, _)| n + j));
            }
        }
        let mut known: Vec<bool> = starts.iter().map(|&start| self.graph.setting(start).is_some()).collect();
        self.start_passes = 0;
        while known.contains(&false) {
            let next: Vec<bool> =
                (0..starts.len()).map(|i| known[i] || needs[i].iter().all(|&j| known[j])).collect();
            if next == known {
                break;
            }
            known = next;
            self.start_passes += 1;
        }
        if let Some((_, span)) = places.iter().find(|(number, _)| !known[*number]) {
            self.mistakes
                .add(*span, "start values depend on each other")
                .label("this one in the end on itself")
                .help("give one of them as a number");
        }
    }

    /// The start values that follow from others, compiled.
    pub(super) fn dependent_starts(&self, starts: &[Node], n: usize) -> Option<Dependent> {
        let is_dependent = |(_, start): &(usize, &Node)| self.graph.setting(**start).is_none();
        let (places, nodes): (Vec<usize>, Vec<Node>) =
            starts.iter().enumerate().filter(is_dependent).map(|(i, start)| (i, *start)).unzip();
        (!places.is_empty()).then(|| Dependent {
            places,
            passes: self.start_passes,
            tape: Arc::new(Pending::new(&nodes, n, 0)),
        })
    }
}
