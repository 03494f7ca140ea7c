//! `[springs]`, `[contacts]`, `[loads]`

use taut_bodies::{Contact, Dimension, Hertz, Joint, JointKind, Load, Spring, Surface};
use taut_formula::graph::{Depends, Graph, Node};
use toml::de::{DeTable, DeValue};

use super::super::document::{Section, Value};
use super::super::entries::Entry;
use super::super::lower::Role;
use super::super::{Indices, Reader};
use super::units::{ANGLE, FORCE, LENGTH, TORQUE, damping, stiffness};
use super::{MovingLoad, Reading};
use crate::source::Span;

const SPRING: [&str; 10] =
    ["kind", "between", "points", "at", "joint", "length", "angle", "stiffness", "torsion", "damping"];

/// Functions that jump or have kinks.
const JUMPING: [&str; 5] = ["abs", "sign", "floor", "min", "max"];

impl<'a> Reader<'a> {
    pub(super) fn read_springs(&mut self, reading: &mut Reading) {
        for part in self.document.parts(Section::Springs) {
            for entry in self.entries(&part) {
                self.check_label(&entry);
                let example = "{ between = [\"ground\", \"mass\"], stiffness = 100 }";
                let Some(table) = self.fields(&entry, &SPRING, example) else { continue };
                let indices = &mut entry.indices.clone();
                let kind = table.get("kind").and_then(|kind| self.word(kind, indices, "kind"));
                self.check_fields_of_spring(&entry, table, kind.as_deref().unwrap_or("linear"));
                match kind.as_deref() {
                    None | Some("linear") => {
                        let spring = self.linear_spring(&entry, table, reading);
                        reading.world.springs.extend(spring);
                    }
                    Some("torsion") => self.torsion_spring(&entry, table, reading),
                    Some("bushing") => {
                        let bushing = self.bushing(&entry, table, reading.world.dimension);
                        reading.world.joints.extend(bushing);
                    }
                    Some(kind) => {
                        self.mistakes
                            .add(entry.span, format!("there are no springs of kind '{kind}'"))
                            .suggest(kind, ["linear", "torsion", "bushing"]);
                    }
                }
                reading.places.insert(entry.name, entry.span);
            }
        }
    }

    fn linear_spring(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        reading: &Reading,
    ) -> Option<Spring> {
        let indices = &mut entry.indices.clone();
        let between = self.two_words(table, "between", entry.span, indices)?;
        let mut ends = [[0.0; 3]; 2];
        if let Some(value) = table.get("points") {
            let items = match value.get_ref() {
                DeValue::Array(items) if items.len() == 2 => items,
                _ => {
                    self.mistakes
                        .add(Span::new(value.span()), "'points' is a list of two points, one of each body");
                    return None;
                }
            };
            for ((end, item), body) in ends.iter_mut().zip(items.iter()).zip(&between) {
                *end = self.place_on(item, body, reading, indices)?;
            }
        }
        Some(Spring {
            name: entry.name.clone(),
            between,
            ends,
            length: self.number_of(table, "length", indices),
            stiffness: self.measure_of(table, "stiffness", stiffness(FORCE, LENGTH), indices).unwrap_or(0.0),
            damping: self.measure_of(table, "damping", damping(FORCE, LENGTH), indices).unwrap_or(0.0),
        })
    }

    /// A named point of a body, or a place in its axes.
    fn place_on(
        &mut self,
        value: &'a Value<'a>,
        body: &str,
        reading: &Reading,
        indices: &mut Indices,
    ) -> Option<[f64; 3]> {
        if matches!(value.get_ref(), DeValue::Array(_)) {
            return self.vector(value, indices, reading.world.dimension, "a point");
        }
        let name = self.word(value, indices, "a point")?;
        let body = reading.world.bodies.iter().find(|known| known.name == body);
        let place = body.and_then(|body| body.place_of(&name));
        if place.is_none() {
            let known: Vec<&str> =
                body.into_iter().flat_map(|body| body.points.iter().map(|(name, _)| name.as_str())).collect();
            self.mistakes
                .add(Span::new(value.span()), format!("there is no point '{name}'"))
                .suggest(&name, known);
        }
        place
    }

    /// A spring on the coordinate of a joint.
    fn torsion_spring(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>, reading: &mut Reading) {
        let indices = &mut entry.indices.clone();
        let name = table.get("joint").and_then(|value| self.word(value, indices, "joint"));
        let stiffness = self.measure_of(table, "stiffness", stiffness(TORQUE, ANGLE), indices).unwrap_or(0.0);
        let damping = self.measure_of(table, "damping", damping(TORQUE, ANGLE), indices).unwrap_or(0.0);
        let rest = self.number_of(table, "angle", indices).unwrap_or(0.0);
        let joints = &mut reading.world.joints;
        match joints.iter_mut().find(|joint| Some(&joint.name) == name.as_ref()) {
            Some(joint) => joint.add_spring(stiffness, damping, rest),
            None => {
                self.mistakes
                    .add(entry.span, "a torsion spring acts on a joint")
                    .label("no such joint")
                    .help("{ kind = \"torsion\", joint = \"pin\", stiffness = 10, angle = 0.2 }");
            }
        }
    }

    /// A fixed joint whose rows are springs.
    fn bushing(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>, dimension: Dimension) -> Option<Joint> {
        let indices = &mut entry.indices.clone();
        let [first, second] = self.two_words(table, "between", entry.span, indices)?;
        let mut joint = Joint::new(entry.name.clone(), JointKind::Fixed, first, second);
        joint.at = self.vector_of(table, "at", indices, dimension);
        let stiffness =
            self.measure_of(table, "stiffness", stiffness(FORCE, LENGTH), indices).filter(|&k| k > 0.0);
        let Some(stiffness) = stiffness else {
            self.mistakes.add(entry.span, format!("'{}' has no stiffness", entry.name));
            return None;
        };
        joint.compliance = 1.0 / stiffness;
        joint.turn_compliance = self.number_of(table, "torsion", indices).map(|torsion| 1.0 / torsion);
        joint.relaxation = self.number_of(table, "damping", indices).unwrap_or(0.0) / stiffness;
        Some(joint)
    }

    pub(super) fn read_contacts(&mut self, reading: &mut Reading) {
        let known = ["between", "plane", "ball", "at", "radius", "stiffness", "damping"];
        for part in self.document.parts(Section::Contacts) {
            for entry in self.entries(&part) {
                self.check_label(&entry);
                let example = "{ between = [\"ground\", \"ball\"], radius = 0.1, stiffness = 1e6, plane = { point = [0, 0, 0], normal = [0, 0, 1] } }";
                let Some(table) = self.fields(&entry, &known, example) else { continue };
                let contact = self.contact(&entry, table, reading.world.dimension);
                reading.world.contacts.extend(contact);
                reading.places.insert(entry.name, entry.span);
            }
        }
    }

    fn contact(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        dimension: Dimension,
    ) -> Option<Contact> {
        let indices = &mut entry.indices.clone();
        let between = self.two_words(table, "between", entry.span, indices)?;
        let surface = if let Some(value) = table.get("plane") {
            let plane = self.inner_table(value, &["point", "normal"], "plane")?;
            Surface::Plane {
                point: self.vector_of(plane, "point", indices, dimension).unwrap_or_default(),
                normal: self.vector_of(plane, "normal", indices, dimension)?,
            }
        } else if let Some(value) = table.get("ball") {
            let ball = self.inner_table(value, &["centre", "radius"], "ball")?;
            Surface::Ball {
                centre: self.vector_of(ball, "centre", indices, dimension).unwrap_or_default(),
                radius: self.number_of(ball, "radius", indices)?,
            }
        } else {
            self.mistakes.add(entry.span, "a contact is one with a plane or with a ball");
            return None;
        };
        Some(Contact {
            name: entry.name.clone(),
            between,
            surface,
            centre: self.vector_of(table, "at", indices, dimension).unwrap_or_default(),
            radius: self.number_of(table, "radius", indices).unwrap_or(0.0),
            law: Hertz {
                stiffness: self.number_of(table, "stiffness", indices).unwrap_or(0.0),
                damping: self.number_of(table, "damping", indices).unwrap_or(0.0),
            },
        })
    }

    /// Loads that are constant or functions of time. Others wait until bodies have coordinates.
    pub(super) fn read_steady_loads(&mut self, reading: &mut Reading) {
        let quiet = self.mistakes.any();
        for (entry, table) in self.load_entries() {
            if quiet || self.mentions_motion(table) {
                reading.waiting.insert(entry.name);
                continue;
            }
            if let Some((load, force, torque)) = self.load(&entry, table, reading) {
                let courses = |this: &mut Self, nodes: [Node; 3]| {
                    nodes.map(|node| (node != Graph::ZERO).then(|| this.course(node)))
                };
                let force = courses(self, force);
                let torque = courses(self, torque);
                let on = reading.world.bodies[load.body].name.clone();
                reading.world.loads.push(Load { name: entry.name, on, at: load.at, force, torque });
            }
        }
    }

    /// Loads that depend on the motion.
    pub(super) fn read_moving_loads(&mut self, reading: &mut Reading) {
        for (entry, table) in self.load_entries() {
            if reading.waiting.contains(&entry.name)
                && let Some((load, force, torque)) = self.load(&entry, table, reading)
            {
                reading.loads.push(MovingLoad { force, torque, ..load });
            }
        }
    }

    fn load_entries(&mut self) -> Vec<(Entry<'a>, &'a DeTable<'a>)> {
        let mut found = Vec::new();
        for part in self.document.parts(Section::Loads) {
            for entry in self.entries(&part) {
                let example = "{ on = \"crank\", at = \"tip\", force = [\"0\", \"10*sin(t)\", \"0\"] }";
                if let Some(table) = self.fields(&entry, &["on", "at", "force", "torque"], example) {
                    found.push((entry, table));
                }
            }
        }
        found
    }

    /// Whether the text of a load has a name of a body, a joint or a coordinate in it: one that is not known before bodies have
    /// coordinates. A function that jumps is left to the formulas, too, which know where it does.
    fn mentions_motion(&mut self, table: &'a DeTable<'a>) -> bool {
        let lists = ["force", "torque"].into_iter().filter_map(|field| table.get(field));
        let mut words = Vec::new();
        for value in lists {
            match value.get_ref() {
                DeValue::Array(items) => words.extend(items.iter()),
                _ => words.push(value),
            }
        }
        let known = |word: &str| {
            let is_smooth = super::is_function(word) && !JUMPING.contains(&word);
            word == "t" || word == "pi" || self.names.get(word).is_some() || is_smooth
        };
        words.iter().any(|value| match value.get_ref() {
            DeValue::String(text) => super::words_of(text).any(|word| !known(word)),
            _ => false,
        })
    }

    fn load(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        reading: &Reading,
    ) -> Option<(MovingLoad, [Node; 3], [Node; 3])> {
        let indices = &mut entry.indices.clone();
        let on = table.get("on").and_then(|value| self.word(value, indices, "on"));
        let Some(body) = reading.world.bodies.iter().position(|body| Some(&body.name) == on.as_ref()) else {
            let known = reading.world.bodies.iter().map(|body| body.name.as_str());
            self.mistakes
                .add(entry.span, format!("'{}' acts on no body", entry.name))
                .suggest(&on.unwrap_or_default(), known);
            return None;
        };
        let name = reading.world.bodies[body].name.clone();
        let at = match table.get("at") {
            Some(value) => self.place_on(value, &name, reading, indices)?,
            None => [0.0; 3],
        };
        let dimension = reading.world.dimension;
        let force = self.load_vector(table.get("force"), indices, dimension.positions())?;
        for (field, powers) in [("force", FORCE), ("torque", TORQUE)] {
            if let Some(value) = table.get(field) {
                self.expect_powers(powers, &format!("a {field}"), value, indices);
            }
        }
        let torque = match (table.get("torque"), dimension) {
            (Some(value), Dimension::Plane) if !matches!(value.get_ref(), DeValue::Array(_)) => {
                let torque = self.formula(value, indices, &Role::any("a torque"))?;
                [Graph::ZERO, Graph::ZERO, torque]
            }
            (value, Dimension::Space) => self.load_vector(value, indices, 3)?,
            (None, _) => [Graph::ZERO; 3],
            (Some(value), _) => {
                self.mistakes.add(Span::new(value.span()), "the torque on a body in the plane is one number");
                return None;
            }
        };
        let load = MovingLoad { body, at, force, torque };
        Some((load, force, torque))
    }

    fn load_vector(
        &mut self,
        value: Option<&'a Value<'a>>,
        indices: &mut Indices,
        count: usize,
    ) -> Option<[Node; 3]> {
        let Some(value) = value else { return Some([Graph::ZERO; 3]) };
        let DeValue::Array(items) = value.get_ref() else {
            self.mistakes.add(Span::new(value.span()), format!("a list of {count} numbers or expressions"));
            return None;
        };
        if items.len() != count {
            self.mistakes
                .add(Span::new(value.span()), format!("a list of {count} numbers or expressions"))
                .label(format!("found {}", items.len()));
            return None;
        }
        let mut nodes = [Graph::ZERO; 3];
        for (node, item) in nodes.iter_mut().zip(items.iter()) {
            *node = self.formula(item, indices, &LOAD)?;
        }
        Some(nodes)
    }
}

const LOAD: Role =
    Role { what: "a load", allowed: Depends::TIME.or(Depends::POSITION).or(Depends::VELOCITY), help: "" };
