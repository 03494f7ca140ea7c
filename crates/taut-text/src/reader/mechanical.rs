//! `[coordinates]` and what belongs to them.

use std::collections::HashMap;

use taut::system::{Constraint, FootPoints, ForceClass};
use toml::de::DeValue;

use super::document::{Section, Value};
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::quantity::{Quantity, elements};
use super::{Indices, Reader};
use crate::limits;
use crate::mechanical::{Formulas, Inertia, MechanicalModel};
use crate::model::{Model, Start, System};
use crate::source::Span;
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
const HOLONOMIC: Role = Role {
    what: "a constraint",
    allowed: Depends::TIME.or(Depends::POSITION),
    help: "constraints on velocities go under [nonholonomic]",
};
const NONHOLONOMIC: Role = Role::any("a constraint on velocities");
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
    pub(super) shares: Vec<f64>,
    /// where each was given
    places: HashMap<(usize, String), Span>,
}

impl<'a> Reader<'a> {
    pub(super) fn mechanical_model(&mut self) -> Option<Model> {
        let (mut coordinates, mut q, mut v) = (Vec::new(), Vec::new(), Vec::new());
        self.read_coordinates(&mut coordinates, &mut q, &mut v);
        self.check_not_empty(Section::Coordinates, coordinates.len());
        self.read_definitions();
        let (potential, inertia) = self.read_energy(&coordinates, None);
        let strong = self.read_strong_potential();
        let (constraints, equations) = self.read_constraints();
        let mut forces = self.read_forces(coordinates.len());
        self.read_dissipation(&mut forces);
        let around = self.surroundings();
        if self.mistakes.any() {
            return None;
        }
        let formulas = Formulas {
            coordinates,
            inertia: inertia?,
            potential,
            strong,
            constraints,
            equations,
            forces: forces.by_class,
            damping: forces.shares,
        };
        let system = MechanicalModel::new(&mut self.graph, formulas);
        let system = self.with_strong_potential(system, &q)?;
        let start = Start { t: around.start_time, q, v };
        Some(self.finish(system, start, around))
    }

    /// Adds names, positions and velocities at the start.
    pub(super) fn read_coordinates(&mut self, names: &mut Vec<String>, q: &mut Vec<f64>, v: &mut Vec<f64>) {
        for part in self.document.parts(Section::Coordinates) {
            for entry in self.entries(&part) {
                let example = "{ start = 0.0, velocity = 0.0 }";
                let table = self.fields(&entry, &["start", "velocity"], example);
                let start = table.and_then(|table| self.start_value(&entry, table.get("start"), true));
                let velocity = table.and_then(|table| self.start_value(&entry, table.get("velocity"), false));
                let start = self.overrides.take(&entry.name).or(start);
                let velocity = self.overrides.take(&format!("{}'", entry.name)).or(velocity);
                self.check_count(names.len(), entry.span);
                self.give(&entry, Some(Meaning::Coordinate(names.len() as u32)));
                names.push(entry.name);
                q.push(start.unwrap_or(0.0));
                v.push(velocity.unwrap_or(0.0));
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

    pub(super) fn check_count(&mut self, count: usize, span: Span) {
        if count >= limits::COORDINATES {
            self.mistakes
                .add(span, "too many coordinates")
                .label(format!("more than {}", limits::COORDINATES));
        }
    }

    pub(super) fn start_value(
        &mut self,
        entry: &Entry<'a>,
        value: Option<&'a Value<'a>>,
        required: bool,
    ) -> Option<f64> {
        let Some(value) = value else {
            if required {
                self.mistakes
                    .add(Span::new(entry.value.span()), format!("'{}' has no start value", entry.name))
                    .label("'start' is missing");
            }
            return None;
        };
        self.number(value, &mut entry.indices.clone(), &Role::constant("a start value"))
    }

    /// The potential, and the mass matrix from `[energy]` or from `[mass]`, or else the one that there is without them.
    pub(super) fn read_energy(
        &mut self,
        coordinates: &[String],
        otherwise: Option<Inertia>,
    ) -> (Node, Option<Inertia>) {
        let mut potential = Graph::ZERO;
        let mut kinetic = None;
        let mut is_understood = true;
        for part in self.document.parts(Section::Energy) {
            for mut entry in self.entries(&part) {
                match entry.name.as_str() {
                    "kinetic" => kinetic = Some(entry),
                    "potential" => {
                        let node = self.formula(entry.value, &mut entry.indices, &POTENTIAL);
                        potential = node.unwrap_or(potential);
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
        let inertia = match (kinetic, self.document.first(Section::Mass)) {
            (Some(kinetic), None) => self.inertia_of_energy(kinetic.value, coordinates),
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

    /// Turns a strong potential into compliant constraints, with as many strong directions as there are at the start.
    fn with_strong_potential(&mut self, system: MechanicalModel, q: &[f64]) -> Option<System> {
        let Some(potential) = system.strong_potential().cloned() else {
            return Some(System::Mechanical(system));
        };
        let epsilon = potential.epsilon();
        match FootPoints::new(system, potential, epsilon, q) {
            Ok(system) => Some(System::Strong(system)),
            Err(error) => {
                let span = self.document.first(Section::Stiff)?.span;
                self.mistakes
                    .add(span, error.to_string())
                    .help("begin closer to where the potential is least");
                None
            }
        }
    }

    /// `[stiff]`: U and ε of U(q)/ε².
    fn read_strong_potential(&mut self) -> Option<(Node, f64)> {
        let part = self.document.first(Section::Stiff)?;
        let (mut potential, mut epsilon) = (None, None);
        let entries = self.entries(&part);
        for entry in &entries {
            let mut indices = Indices::new();
            match entry.name.as_str() {
                "potential" => potential = Some(self.formula(entry.value, &mut indices, &STRONG)),
                "epsilon" => {
                    let value = self.number(entry.value, &mut indices, &Role::constant("epsilon"));
                    if value.is_some_and(|value| value < 0.0) {
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

    /// The constraints with their equations, first the holonomic ones.
    pub(super) fn read_constraints(&mut self) -> (Vec<Constraint>, Vec<Node>) {
        let (mut constraints, mut equations) = (Vec::new(), Vec::new());
        let mut places: HashMap<String, Span> = HashMap::new();
        for section in [Section::Constraints, Section::Nonholonomic] {
            for part in self.document.parts(section) {
                for entry in self.entries(&part) {
                    self.check_label(&entry);
                    let (rows, equations_of_rows) = self.constraint(&entry, section == Section::Constraints);
                    if let Some(first) = places.insert(entry.name.clone(), entry.span) {
                        self.mistakes
                            .add(entry.span, format!("there is a constraint '{}' already", entry.name))
                            .also(first, "first here");
                    }
                    constraints.extend(rows);
                    equations.extend(equations_of_rows);
                }
            }
        }
        (constraints, equations)
    }

    /// A constraint with its equation; between vectors one for each element, `name[1]` and so on.
    fn constraint(&mut self, entry: &Entry<'a>, holonomic: bool) -> (Vec<Constraint>, Vec<Node>) {
        let (equation, [compliance, relaxation]) =
            if holonomic { self.equation_and_spring(entry) } else { (Some(entry.value), [0.0; 2]) };
        let role = if holonomic { HOLONOMIC } else { NONHOLONOMIC };
        let value = equation.and_then(|x| self.quantity(x, &mut entry.indices.clone(), &role));
        let nodes = match (value, equation) {
            (Some(Quantity::Vector(nodes)), _) => nodes,
            (Some(value), Some(equation)) => self.expect_number(value, equation).into_iter().collect(),
            _ => Vec::new(),
        };
        for node in &nodes {
            self.check_restricts(*node, equation, holonomic);
        }
        let names = elements(&entry.name, nodes.len());
        let constraint = |name: String| match holonomic {
            true => Constraint::damped_spring(name, compliance, relaxation),
            false => Constraint::nonholonomic(name),
        };
        (names.into_iter().map(constraint).collect(), nodes)
    }

    /// A constraint is an equation, or a table with the equation, a compliance and a relaxation time.
    fn equation_and_spring(&mut self, entry: &Entry<'a>) -> (Option<&'a Value<'a>>, [f64; 2]) {
        const QUANTITIES: [(&str, &str); 2] =
            [("compliance", "a compliance"), ("relaxation", "a relaxation time")];
        if !matches!(entry.value.get_ref(), DeValue::Table(_)) {
            return (Some(entry.value), [0.0; 2]);
        }
        let example = "{ equation = \"hypot(x, y) - 1\", compliance = \"eps^2\" }";
        let Some(table) = self.fields(entry, &["equation", "compliance", "relaxation"], example) else {
            return (None, [0.0; 2]);
        };
        let equation = table.get("equation");
        if equation.is_none() {
            self.mistakes
                .add(
                    Span::new(entry.value.span()),
                    format!("the constraint '{}' has no equation", entry.name),
                )
                .label("'equation' is missing");
        }
        let mut spring = [0.0; 2];
        for (number, (name, words)) in spring.iter_mut().zip(QUANTITIES) {
            let Some(value) = table.get(name) else { continue };
            let known = self.number(value, &mut entry.indices.clone(), &Role::constant(words));
            *number = known.unwrap_or(0.0);
            if *number < 0.0 {
                self.mistakes
                    .add(Span::new(value.span()), format!("{words} cannot be negative"))
                    .label(format!("= {number}"));
            }
        }
        if let (Some(value), [0.0, relaxation]) = (table.get("relaxation"), spring)
            && relaxation > 0.0
        {
            self.mistakes
                .add(Span::new(value.span()), "a damper stands beside a spring, and this is a rod")
                .label(format!("= {relaxation}"))
                .help("give the constraint a small compliance");
        }
        (equation, spring)
    }

    /// A constraint must contain what it restricts.
    fn check_restricts(&mut self, node: Node, equation: Option<&'a Value<'a>>, holonomic: bool) {
        let Some(equation) = equation else { return };
        let (kind, word) =
            if holonomic { (Depends::POSITION, "coordinate") } else { (Depends::VELOCITY, "velocity") };
        if self.graph.depends(node).on(kind) {
            return;
        }
        let mistake =
            self.mistakes.add(Span::new(equation.span()), format!("this constraint contains no {word}"));
        if !holonomic {
            mistake.help("constraints on positions go under [constraints]");
        }
    }

    /// Forces by class and coordinate, and the share of each coordinate that is damped.
    pub(super) fn read_forces(&mut self, n: usize) -> Forces {
        let mut forces = Forces {
            by_class: ForceClass::ALL.map(|_| vec![Graph::ZERO; n]),
            shares: vec![0.0; n],
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

    fn damping_share(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> f64 {
        let share = self.number(value, indices, &Role::constant("a damping share")).unwrap_or(0.0);
        if !(0.0..=1.0).contains(&share) {
            self.mistakes
                .add(Span::new(value.span()), "a damping share is between 0 and 1")
                .label(format!("= {share}"));
        }
        share
    }
}
