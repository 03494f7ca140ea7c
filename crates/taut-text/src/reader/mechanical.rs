//! `[coordinates]` and what belongs to them.

use std::collections::HashMap;

use taut::system::ForceClass;
use toml::de::{DeTable, DeValue};

use super::constraints::Rows;
use super::document::{Section, Value, article};
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::starts::Place;
use super::{Indices, Reader};
use crate::compiled::{Contents, Equations};
use crate::limits;
use crate::source::Span;
use taut::system::compiled::{Formulas, Inertia, MechanicalEquations};
use taut_formula::graph::{Depends, Graph, Node};

const POTENTIAL: Role = Role {
    what: "the potential energy",
    allowed: Depends::TIME.or(Depends::POSITION),
    help: "what depends on velocities goes under [forces]",
};
const STRONG: Role = Role {
    what: "a strong potential",
    allowed: Depends::POSITION,
    help: "it is a function of the coordinates alone",
};
const FORCE: Role = Role::any("a force");
/// Rayleigh's function, half the power that is lost: its derivatives by velocities are forces against them.
const DISSIPATION: &str = "dissipation";
/// The share of a force that is treated with damping coefficients.
const DAMPING: &str = "damping";

/// What `[forces]` says.
pub(super) struct Forces {
    /// by class and coordinate
    pub(super) by_class: [Vec<Node>; 4],
    /// damped share, by coordinate
    pub(super) shares: Vec<Node>,
    /// where each was given
    places: HashMap<(usize, String), Span>,
}

impl<'a> Reader<'a> {
    pub(super) fn mechanical_model(&mut self) -> Option<Contents> {
        let (mut coordinates, mut q, mut v) = (Vec::new(), Vec::new(), Vec::new());
        self.read_coordinates(&mut coordinates, &mut q, &mut v);
        self.check_not_empty(Section::Coordinates, coordinates.len());
        self.read_definitions();
        self.read_start_values(&mut q, &mut v);
        let (potential, inertia) = self.read_energy(&coordinates, None);
        let strong = self.read_strong_potential();
        let rows = self.read_constraints();
        self.reactions.add_rows(&rows);
        let Rows { constraints, equations, springs } = rows;
        let mut forces = self.read_forces(coordinates.len());
        self.read_dissipation(&mut forces);
        let around = self.surroundings();
        if self.mistakes.any() {
            return None;
        }
        let mut formulas = Formulas {
            coordinates,
            inertia: inertia?,
            potential,
            potential_force: None,
            coriolis_force: None,
            strong,
            constraints,
            equations,
            springs,
            forces: forces.by_class,
            damping: forces.shares,
        };
        self.frozen = self.freeze(formulas.nodes());
        let mut equations = MechanicalEquations::new(&mut self.graph, formulas);
        if !self.smooth {
            equations.forget_jumps();
        }
        Some(self.finish(Equations::Mechanical(equations), [q, v], around))
    }

    /// Adds names, positions and velocities at the start.
    pub(super) fn read_coordinates(&mut self, names: &mut Vec<String>, q: &mut Vec<Node>, v: &mut Vec<Node>) {
        for part in self.document.parts(Section::Coordinates) {
            for entry in self.entries(&part) {
                let example = "{ start = 0.0, velocity = 0.0 }";
                let table = self.fields(&entry, &["start", "velocity", "fixed", "atol", "unit"], example);
                if let Some(table) = table {
                    self.read_absolute_tolerance(&entry, table, names.len());
                    self.read_fixed(table, names.len());
                    self.read_unit(&entry.name, table);
                }
                if let Some(table) = table {
                    self.start_value(&entry, table.get("start"), true, Place::Position(names.len()));
                    self.start_value(&entry, table.get("velocity"), false, Place::Velocity(names.len()));
                }
                // What is given instead is put in when the model is made.
                self.overrides.take_start(&entry.name);
                self.check_count(names.len(), entry.span);
                self.give(&entry, Some(Meaning::Coordinate(names.len() as u32)));
                names.push(entry.name);
                q.push(Graph::ZERO);
                v.push(Graph::ZERO);
            }
        }
    }

    /// Something must move.
    pub(super) fn check_not_empty(&mut self, section: Section, count: usize) {
        if let Some(part) = self.document.first(section)
            && count == 0
            && !self.names_are_missing
        {
            self.mistakes.add(part.span, "there is nothing here that could move").label("it is empty");
        }
    }

    /// `fixed = true` (what is given beside it), `"position"`, `"velocity"` or `"both"`: start values that are kept.
    fn read_fixed(&mut self, table: &'a DeTable<'a>, number: usize) {
        let Some(value) = table.get("fixed") else { return };
        let (position, velocity) = match value.get_ref() {
            DeValue::Boolean(fixed) => (*fixed, *fixed && table.contains_key("velocity")),
            DeValue::String(text) if text == "position" => (true, false),
            DeValue::String(text) if text == "velocity" => (false, true),
            DeValue::String(text) if text == "both" => (true, true),
            other => {
                let found = article(other);
                self.mistakes
                    .add(Span::new(value.span()), "'fixed' says which start values are kept")
                    .label(format!("found {found}"))
                    .help("fixed = true for what stands beside it, or \"position\", \"velocity\", \"both\"");
                return;
            }
        };
        if position {
            self.fixed.positions.push(number);
        }
        if velocity {
            self.fixed.velocities.push(number);
        }
    }

    /// `atol` of a coordinate or variable.
    pub(super) fn read_absolute_tolerance(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        number: usize,
    ) {
        let tolerance = table.get("atol").and_then(|value| self.absolute_tolerance(entry, value));
        self.absolute.extend(tolerance.map(|tolerance| (number, tolerance)));
    }

    /// A positive number.
    pub(super) fn absolute_tolerance(&mut self, entry: &Entry<'a>, value: &'a Value<'a>) -> Option<f64> {
        let role = Role::constant("an absolute tolerance");
        let atol = self.number(value, &mut entry.indices.clone(), &role);
        let atol = atol.and_then(|atol| self.structural_value(atol))?;
        if atol > 0.0 {
            return Some(atol);
        }
        self.mistakes.add(Span::new(value.span()), format!("an absolute tolerance is positive, not {atol}"));
        None
    }

    pub(super) fn check_count(&mut self, count: usize, span: Span) {
        if count >= limits::COORDINATES {
            self.mistakes
                .add(span, "too many coordinates")
                .label(format!("more than {}", limits::COORDINATES));
        }
    }

    /// The potential, and the mass matrix from `[energy]` or from `[mass]`, or else the one that there is without them.
    pub(super) fn read_energy(
        &mut self,
        coordinates: &[String],
        otherwise: Option<Inertia>,
    ) -> (Node, Option<Inertia>) {
        let mut potential = Graph::ZERO;
        let mut kinetic = Vec::new();
        let mut is_understood = true;
        for part in self.document.parts(Section::Energy) {
            for mut entry in self.entries(&part) {
                match entry.name.as_str() {
                    "kinetic" => kinetic.push(entry),
                    "potential" => {
                        let node = self.formula(entry.value, &mut entry.indices, &POTENTIAL);
                        potential = self.graph.add(potential, node.unwrap_or(Graph::ZERO));
                    }
                    DISSIPATION => {}
                    name => {
                        is_understood = false;
                        self.mistakes
                            .add(entry.span, format!("[energy] has no '{name}'"))
                            .suggest(name, ["kinetic", "potential", DISSIPATION]);
                    }
                }
            }
        }
        let inertia = match (kinetic.first().cloned(), self.document.first(Section::Mass)) {
            (Some(_), None) => self.inertia_of_energies(&kinetic, coordinates),
            (None, Some(_)) => Some(self.inertia_of_entries(coordinates.len())),
            (Some(kinetic), Some(mass)) => {
                self.mistakes
                    .add(mass.span, "the mass matrix is given twice")
                    .label("entry by entry here")
                    .also(kinetic.span, "and by the kinetic energy here");
                None
            }
            (None, None) if !is_understood => None,
            (None, None) if otherwise.is_some() => otherwise,
            (None, None) => {
                let place =
                    self.document.first(Section::Energy).or(self.document.first(Section::Coordinates));
                self.mistakes
                    .add(place.map_or(Span::default(), |part| part.span), "the kinetic energy is missing")
                    .help("kinetic = \"...\" under [energy], or [mass] with entries such as \"x,x\" = \"m\"");
                None
            }
        };
        (potential, inertia)
    }

    /// `[stiff]`: U and ε of U(q)/ε².
    fn read_strong_potential(&mut self) -> Option<(Node, Node)> {
        let part = self.document.first(Section::Stiff)?;
        let (mut potential, mut epsilon) = (None, None);
        let entries = self.entries(&part);
        for entry in &entries {
            let mut indices = Indices::new();
            match entry.name.as_str() {
                "potential" => potential = Some(self.formula(entry.value, &mut indices, &STRONG)),
                "epsilon" => {
                    let value = self.number(entry.value, &mut indices, &Role::constant("epsilon"));
                    if value.and_then(|value| self.signed_value(value)).is_some_and(|value| value < 0.0) {
                        self.mistakes.add(Span::new(entry.value.span()), "epsilon must not be negative");
                    }
                    epsilon = Some(value);
                }
                name => {
                    self.mistakes
                        .add(entry.span, format!("[stiff] has no '{name}'"))
                        .suggest(name, ["potential", "epsilon"]);
                }
            }
        }
        for (missing, name) in [(potential.is_none(), "potential"), (epsilon.is_none(), "epsilon")] {
            if missing && !entries.is_empty() {
                self.mistakes
                    .add(part.span, "[stiff] has a potential and an epsilon")
                    .label(format!("'{name}' is missing"));
            }
        }
        potential.flatten().zip(epsilon.flatten())
    }

    /// Forces by class and coordinate, and the share of each coordinate that is damped.
    pub(super) fn read_forces(&mut self, n: usize) -> Forces {
        let mut forces = Forces {
            by_class: ForceClass::ALL.map(|_| vec![Graph::ZERO; n]),
            shares: vec![Graph::ZERO; n],
            places: HashMap::new(),
        };
        for part in self.document.parts(Section::Forces) {
            for entry in self.entries(&part) {
                self.read_forces_on(&entry, &mut forces);
            }
        }
        forces
    }

    /// `dissipation` of `[energy]`: the forces −∂D/∂v.
    fn read_dissipation(&mut self, forces: &mut Forces) {
        let Some(dissipative) = ForceClass::ALL.iter().position(|class| *class == ForceClass::Dissipative)
        else {
            return;
        };
        for part in self.document.parts(Section::Energy) {
            for mut entry in self.entries(&part) {
                if entry.name != DISSIPATION {
                    continue;
                }
                let Some(lost) = self.formula(entry.value, &mut entry.indices, &FORCE) else { continue };
                for (i, slope) in self.graph.gradient(lost, Depends::VELOCITY) {
                    let force = forces.by_class[dissipative][i];
                    forces.by_class[dissipative][i] = self.graph.subtract(force, slope);
                }
            }
        }
    }

    /// The forces on one coordinate.
    fn read_forces_on(&mut self, entry: &Entry<'a>, forces: &mut Forces) {
        let coordinate = self.coordinate(&entry.name, entry.span);
        let [a, b, c, d] = ForceClass::ALL.map(ForceClass::name);
        let example = "{ dissipative = \"...\" } (or conservative, driving, oscillatory)";
        let Some(table) = self.fields(entry, &[a, b, c, d, DAMPING], example) else { return };
        let mut indices = entry.indices.clone();
        for (key, value) in table {
            let (name, span) = (key.get_ref().as_ref(), Span::new(key.span()));
            let class = ForceClass::ALL.iter().position(|class| class.name() == name);
            let force = class.and_then(|_| self.formula(value, &mut indices, &FORCE));
            let share = (name == DAMPING).then(|| self.damping_share(value, &mut indices));
            let Some(i) = coordinate else { continue };
            if let (Some(class), Some(force)) = (class, force) {
                forces.by_class[class][i] = force;
            }
            forces.shares[i] = share.unwrap_or(forces.shares[i]);
            if let Some(first) = forces.places.insert((i, name.to_string()), span) {
                self.mistakes
                    .add(span, format!("'{}' has a force '{name}' already", entry.name))
                    .also(first, "first here");
            }
        }
    }

    fn damping_share(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> Node {
        let share = self.number(value, indices, &Role::constant("a damping share")).unwrap_or(Graph::ZERO);
        let number = self.value(share).unwrap_or(0.0);
        if !(0.0..=1.0).contains(&number) {
            self.mistakes
                .add(Span::new(value.span()), "a damping share is between 0 and 1")
                .label(format!("= {number}"));
        }
        share
    }
}
