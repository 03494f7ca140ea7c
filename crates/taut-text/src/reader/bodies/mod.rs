//! `[bodies]`, `[joints]`, `[springs]`, `[contacts]`, `[loads]`: a description, and formulas beside it.

mod body;
mod fields;
mod force;
mod joint;
mod names;
mod units;
mod value;
mod velocities;

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use taut_bodies::{Course, Dimension, JointKind, Mechanism, World, WorldError};
use taut_formula::graph::{Depends, Graph, Input, Node};
use taut_formula::tape::{Compiler, Evaluator, State};
use toml::de::DeValue;

use super::Reader;
use super::constraints::Rows;
use super::document::Section;
use super::lower::Role;
use super::mechanical::Forces;
use super::names::Meaning;
use crate::bodies::BodiesEquations;
use crate::compiled::{Contents, Equations};
use crate::source::Span;
pub(super) use names::BodyNames;
use taut::system::compiled::{Formulas, Inertia, MechanicalEquations};
pub(super) use velocities::Spins;

/// A function of time.
const TIMED: Role =
    Role { what: "a drive", allowed: Depends::TIME, help: "it is a function of t and of parameters" };

/// What is read before the mechanism is built.
#[derive(Debug)]
pub(super) struct Reading {
    world: World,
    /// where bodies were given
    body_places: HashMap<String, Span>,
    /// where joints and the rest were given
    places: HashMap<String, Span>,
    /// the names of loads that depend on the motion: they wait until bodies have coordinates
    waiting: HashSet<String>,
    /// forces and torques that depend on the motion
    loads: Vec<MovingLoad>,
    /// joints with dry friction that sets in at once, and its strength
    dry: Vec<(String, f64)>,
}

/// A load that depends on the motion.
#[derive(Debug)]
struct MovingLoad {
    body: usize,
    at: [f64; 3],
    force: [Node; 3],
    torque: [Node; 3],
}

impl Reading {
    /// Where something was given.
    fn place(&self, name: &str) -> Span {
        self.places.get(name).or(self.body_places.get(name)).copied().unwrap_or_default()
    }
}

impl<'a> Reader<'a> {
    /// A model with bodies.
    pub(super) fn bodies_model(&mut self) -> Option<Contents> {
        let mut reading = Reading {
            world: self.empty_world(),
            body_places: HashMap::new(),
            places: HashMap::new(),
            waiting: HashSet::new(),
            loads: Vec::new(),
            dry: Vec::new(),
        };
        self.read_bodies(&mut reading);
        self.read_joints(&mut reading);
        self.read_springs(&mut reading);
        self.read_contacts(&mut reading);
        self.read_steady_loads(&mut reading);
        self.override_bodies(&mut reading);
        if self.mistakes.any() {
            return None;
        }
        let mechanism = match reading.world.build() {
            Ok(mechanism) => mechanism,
            Err(error) => {
                self.note_world_error(&reading, &error);
                return None;
            }
        };
        self.name_coordinates(&reading, &mechanism);
        self.beside_bodies(reading, mechanism)
    }

    /// What stands beside the bodies: further coordinates, definitions, energies, constraints and forces.
    fn beside_bodies(&mut self, mut reading: Reading, mechanism: Mechanism) -> Option<Contents> {
        let own = mechanism.start();
        let own: Vec<Node> = own.iter().map(|&x| self.graph.constant(x)).collect();
        let (own_q, own_v) = own.split_at(own.len() / 2);
        let (mut coordinates, mut q, mut v) = (Vec::new(), own_q.to_vec(), own_v.to_vec());
        coordinates.extend_from_slice(&taut::system::MechanicalSystem::structure(&mechanism).coordinates);
        let own_count = coordinates.len();
        self.read_coordinates(&mut coordinates, &mut q, &mut v);
        self.read_definitions();
        self.read_start_values(&mut q, &mut v);
        let further = coordinates.len() > own_count;
        let (potential, inertia) = self.energy_beside_bodies(&coordinates, further);
        let structure = taut::system::MechanicalSystem::structure(&mechanism);
        self.reactions.add_joints(structure.constraints.iter().map(|constraint| constraint.name.as_str()));
        let rows = self.read_constraints();
        self.reactions.add_rows(&rows);
        let Rows { constraints, equations, springs } = rows;
        let mut forces = self.read_forces(coordinates.len());
        self.read_moving_loads(&mut reading);
        self.add_moving_loads(&reading, &mut forces);
        self.add_dry_friction(&reading, &coordinates, &mut forces);
        let around = self.surroundings();
        if self.mistakes.any() {
            return None;
        }
        let inertia = inertia?;
        let acts = forces.by_class.iter().flatten().any(|&node| node != Graph::ZERO);
        let needed = further
            || acts
            || potential != Graph::ZERO
            || !constraints.is_empty()
            || !inertia.mass.is_empty();
        let formulas = needed.then(|| {
            let mut formulas = Formulas {
                coordinates: coordinates.clone(),
                inertia,
                potential,
                potential_force: None,
                coriolis_force: None,
                strong: None,
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
            equations
        });
        let bodies = BodiesEquations { world: reading.world, coordinates, own: own_count, formulas };
        Some(self.finish(Equations::Bodies(bodies), [q, v], around))
    }

    /// Energies beside those of the bodies; further coordinates need a mass.
    fn energy_beside_bodies(&mut self, coordinates: &[String], further: bool) -> (Node, Option<Inertia>) {
        let given = |section| self.document.first(section).is_some();
        if further || given(Section::Energy) || given(Section::Mass) {
            let none = Inertia::none(coordinates.len());
            let (potential, inertia) = self.read_energy(coordinates, (!further).then_some(none));
            return (potential, inertia);
        }
        (Graph::ZERO, Some(Inertia::none(coordinates.len())))
    }

    /// `plane` and `gravity`.
    fn empty_world(&mut self) -> World {
        let mut world = World::new();
        if let Some((span, value)) = self.document.plane {
            match value.get_ref() {
                DeValue::String(plane) if plane == "xy" => world = World::plane(),
                _ => {
                    self.mistakes.add(span, "the plane of a model is \"xy\"").help("plane = \"xy\"");
                }
            }
        }
        if let Some((_, value)) = self.document.gravity {
            let gravity = self.vector(value, &mut Vec::new(), world.dimension, "gravity");
            world.gravity = gravity.unwrap_or_default();
        }
        world
    }

    fn note_world_error(&mut self, reading: &Reading, error: &WorldError) {
        let name = match error {
            WorldError::Twice { name } => name,
            WorldError::Unknown { by, .. } => by,
            WorldError::Number { of, .. } => of,
            WorldError::Moments { body, .. } => body,
            WorldError::Missing { joint, .. }
            | WorldError::SameBody { joint, .. }
            | WorldError::Count { joint, .. }
            | WorldError::Coincident { joint, .. }
            | WorldError::NotHere { joint, .. } => joint,
        };
        let span = reading.place(name);
        let mistake = self.mistakes.add(span, error.to_string());
        if let WorldError::Unknown { what: "body", name, .. } = error {
            let known = reading.world.bodies.iter().map(|body| body.name.as_str());
            mistake.suggest(name, known.chain([taut_bodies::GROUND]));
        }
    }

    /// Gives the coordinates of the mechanism their names, and keeps what else expressions may ask for.
    fn name_coordinates(&mut self, reading: &Reading, mechanism: &Mechanism) {
        let structure = taut::system::MechanicalSystem::structure(mechanism);
        for (i, name) in structure.coordinates.iter().enumerate() {
            let owner = name.split(['.', '[']).next().unwrap_or_default();
            let span = reading.place(owner);
            self.names.insert(name.clone(), Meaning::Coordinate(i as u32), span);
        }
        let body_names = BodyNames::new(&reading.world, mechanism);
        for body in &reading.world.bodies {
            if self.names.get(&body.name).is_none() {
                self.names.insert(body.name.clone(), Meaning::Body, reading.place(&body.name));
            }
        }
        for joint in &reading.world.joints {
            if self.names.get(&joint.name).is_none() {
                self.names.insert(joint.name.clone(), Meaning::Joint, reading.place(&joint.name));
            }
        }
        self.body_names = Some(body_names);
    }

    /// Compiles a function of time with its derivatives.
    fn course(&mut self, node: Node) -> Course {
        if let Some(value) = self.graph.value(node) {
            return Course::constant(value);
        }
        let rate = self.graph.along_motion(node);
        let acceleration = self.graph.along_motion(rate);
        let tape = Compiler::new(&self.graph, 0, 0).tape(&[node, rate, acceleration]);
        let tape = Mutex::new(Evaluator::without_parameters(tape));
        Course::new(move |t| {
            let mut values = [0.0; 3];
            let tape = tape.lock().unwrap_or_else(PoisonError::into_inner);
            tape.evaluate(State { t, ..State::default() }, &mut [&mut values]);
            values
        })
    }

    /// The forces on the coordinates of a body that a load is.
    fn add_moving_loads(&mut self, reading: &Reading, forces: &mut Forces) {
        const DRIVING: usize = 2;
        let Some(body_names) = self.body_names.clone() else { return };
        for load in &reading.loads {
            let point = body_names.point(&mut self.graph, load.body, load.at);
            let mut add = |graph: &mut Graph, i: usize, node: Node| {
                let sum = &mut forces.by_class[DRIVING][i];
                *sum = graph.add(*sum, node);
            };
            for (k, place) in point.into_iter().enumerate() {
                for (i, slope) in self.graph.gradient(place, Depends::POSITION) {
                    let share = self.graph.multiply(slope, load.force[k]);
                    add(&mut self.graph, i, share);
                }
            }
            for (i, node) in body_names.torque(&mut self.graph, load.body, load.torque) {
                add(&mut self.graph, i, node);
            }
        }
    }

    /// −c sign(rate) on the coordinates of joints: it jumps, so that what it stops sticks.
    fn add_dry_friction(&mut self, reading: &Reading, coordinates: &[String], forces: &mut Forces) {
        const DISSIPATIVE: usize = 1;
        for (joint, strength) in &reading.dry {
            let Some(i) = coordinates.iter().position(|name| name == joint) else {
                self.mistakes
                    .add(reading.place(joint), format!("'{joint}' has no one coordinate that could stick"))
                    .help("friction = { coulomb = 0.1, at = 1e-3 } sets in gradually");
                continue;
            };
            let (_, rate) = inputs(&mut self.graph, i);
            let sign = self.graph.unary(taut_formula::function::Unary::Sign, rate);
            let strength = self.graph.constant(-strength);
            let friction = self.graph.multiply(strength, sign);
            let sum = &mut forces.by_class[DISSIPATIVE][i];
            *sum = self.graph.add(*sum, friction);
        }
    }

    /// A word that says which freedom a joint of one freedom has.
    fn is_mentioned(&self, joint: &str) -> bool {
        let mentions = |suffix: &str| {
            let word = format!("{joint}.{suffix}");
            self.text.contains(&word) || self.text.contains(&format!("}}.{suffix}"))
        };
        ["angle", "length", "rate"].into_iter().any(mentions)
    }

    /// Whether expressions need the coordinate of a joint as a variable: in the plane an angle is a difference of angles.
    fn needs_variable(&self, joint: &str, kind: &JointKind, dimension: Dimension) -> bool {
        let one = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
        let difference = *kind == JointKind::Revolute && dimension == Dimension::Plane;
        one && !difference && self.is_mentioned(joint)
    }
}

/// The inputs that a coordinate and its velocity are.
fn inputs(graph: &mut Graph, coordinate: usize) -> (Node, Node) {
    let place = coordinate as u32;
    (graph.input(Input::Position(place)), graph.input(Input::Velocity(place)))
}

/// Whether a word is the name of a function.
fn is_function(word: &str) -> bool {
    crate::function::Function::names().any(|function| function == word)
}

/// The names in an expression.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| crate::expression::is_name_character(c) || c == '.';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.starts_with(crate::expression::is_name_start))
}
