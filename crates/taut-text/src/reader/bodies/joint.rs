//! `[joints]`

use taut_bodies::{Dimension, Freedom, Friction, GROUND, Joint, JointKind, Limits, Point, Relation};
use toml::de::{DeTable, DeValue};

use super::super::document::{Section, Value};
use super::super::entries::Entry;
use super::super::{Indices, Reader};
use super::units::{ANGLE, LENGTH};
use super::{Reading, TIMED};
use crate::source::Span;

const KINDS: [&str; 14] = [
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "distance",
    "screw",
    "gear",
    "rack",
    "rolling",
    "point-on-line",
    "serial",
];

const FIELDS: [&str; 27] = [
    "kind",
    "between",
    "at",
    "points",
    "axis",
    "second",
    "length",
    "pitch",
    "radius",
    "joints",
    "ratio",
    "compliance",
    "relaxation",
    "start",
    "rate",
    "drive",
    "gains",
    "friction",
    "limits",
    "armature",
    "stiffness",
    "rest",
    "damping",
    "motor",
    "freedoms",
    "polynomial",
    "further",
];

impl<'a> Reader<'a> {
    pub(super) fn read_joints(&mut self, reading: &mut Reading) {
        for part in self.document.parts(Section::Joints) {
            for entry in self.entries(&part) {
                if !self.is_new(&entry, &mut reading.places) {
                    continue;
                }
                let example = "{ kind = \"revolute\", between = [\"ground\", \"crank\"], at = [0, 0, 0] }";
                let Some(table) = self.fields(&entry, &FIELDS, example) else { continue };
                let Some(kind) = self.kind_of_joint(&entry, table) else { continue };
                self.check_fields_of_joint(&entry, table, &kind);
                match kind.as_str() {
                    "gear" | "rack" => {
                        let relation = self.relation(&entry, table, &kind);
                        reading.world.relations.extend(relation);
                    }
                    kind => {
                        let joint = self.joint(&entry, table, kind, reading);
                        reading.world.joints.extend(joint);
                        if let Some(strength) = self.dry_friction(table, &mut entry.indices.clone()) {
                            reading.dry.push((entry.name.clone(), strength));
                        }
                    }
                }
            }
        }
    }

    fn kind_of_joint(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>) -> Option<String> {
        let Some(value) = table.get("kind") else {
            self.mistakes
                .add(entry.span, format!("'{}' has no kind", entry.name))
                .help(format!("one of {}", KINDS.join(", ")));
            return None;
        };
        let kind = self.word(value, &mut entry.indices.clone(), "kind")?;
        if !KINDS.contains(&kind.as_str()) {
            self.mistakes
                .add(Span::new(value.span()), format!("there are no joints of kind '{kind}'"))
                .suggest(&kind, KINDS);
            return None;
        }
        Some(kind)
    }

    /// Gears and racks relate the coordinates of joints.
    fn relation(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>, kind: &str) -> Option<Relation> {
        let indices = &mut entry.indices.clone();
        let [first, second] = self.two_words(table, "joints", entry.span, indices)?;
        let (name, field) = (entry.name.clone(), if kind == "gear" { "ratio" } else { "radius" });
        let mut relation = match (table.get("polynomial"), self.number_of(table, field, indices)) {
            (Some(value), _) => {
                let polynomial = self.numbers(value, indices, "polynomial")?;
                Relation { polynomial, ..Relation::gear(name, first, second, 1.0) }
            }
            (None, Some(ratio)) if kind == "gear" => Relation::gear(name, first, second, ratio),
            // A rack moves as far as its pinion, the first of the two, rolls.
            (None, Some(radius)) => Relation::gear(name, second, first, radius),
            (None, None) => {
                self.mistakes.add(entry.span, format!("'{name}' has no {field}"));
                return None;
            }
        };
        if let Some(value) = table.get("further") {
            relation.further = self.ratios_by_name(value, indices)?;
        }
        relation.compliance = self.number_of(table, "compliance", indices).unwrap_or(0.0);
        relation.relaxation = self.number_of(table, "relaxation", indices).unwrap_or(0.0);
        Some(relation)
    }

    /// Further joints of a relation and their ratios.
    fn ratios_by_name(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> Option<Vec<(String, f64)>> {
        let DeValue::Table(table) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), "'further' is a table of joints and their ratios")
                .help("further = { shoulder = 0.5 }");
            return None;
        };
        let ratios = table.iter().map(|(name, ratio)| {
            let name = self.label(name.get_ref(), Span::new(name.span()), indices)?;
            Some((name, self.value_of_number(ratio, indices, "further")?))
        });
        ratios.collect()
    }

    fn joint(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        kind: &str,
        reading: &Reading,
    ) -> Option<Joint> {
        let dimension = reading.world.dimension;
        let indices = &mut entry.indices.clone();
        let [first, second] = self.two_words(table, "between", entry.span, indices)?;
        let kind = self.joint_kind(entry, table, kind, dimension)?;
        let mut joint = Joint::new(entry.name.clone(), kind, first, second);
        joint.at = self.vector_of(table, "at", indices, dimension);
        joint.axis = self.vector_of(table, "axis", indices, dimension);
        if let Some(value) = table.get("points") {
            joint.points = self.joint_points(value, &joint, dimension, indices);
        }
        joint.compliance = self.number_of(table, "compliance", indices).unwrap_or(0.0);
        joint.relaxation = self.number_of(table, "relaxation", indices).unwrap_or(0.0);
        self.start_of_joint(table, &mut joint, indices);
        self.drive(table, &mut joint, indices);
        for (field, list) in [
            ("armature", &mut joint.armature),
            ("stiffness", &mut joint.stiffness),
            ("rest", &mut joint.rest),
            ("damping", &mut joint.damping),
        ] {
            if let Some(value) = table.get(field) {
                *list = self.number_or_list(value, indices, field).unwrap_or_default();
            }
        }
        joint.friction = table.get("friction").and_then(|value| self.friction(value, indices));
        if let Some(value) = table.get("limits") {
            // One for each freedom of a serial joint; those without limits have an empty table.
            joint.limits = match value.get_ref() {
                DeValue::Array(items) => items.iter().map(|item| self.limits(item, indices)).collect(),
                _ => vec![self.limits(value, indices)],
            };
        }
        joint.variables = self.needs_variable(&joint.name, &joint.kind, dimension);
        Some(joint)
    }

    fn joint_kind(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        kind: &str,
        dimension: Dimension,
    ) -> Option<JointKind> {
        let indices = &mut entry.indices.clone();
        let number = |this: &mut Self, field: &'static str| {
            let found = this.number_of(table, field, &mut entry.indices.clone());
            if found.is_none() {
                this.mistakes.add(entry.span, format!("'{}' has no {field}", entry.name));
            }
            found
        };
        Some(match kind {
            "fixed" => JointKind::Fixed,
            "revolute" => JointKind::Revolute,
            "prismatic" => JointKind::Prismatic,
            "cylindrical" => JointKind::Cylindrical,
            "spherical" => JointKind::Spherical,
            "planar" => JointKind::Planar,
            "point-on-line" => JointKind::PointOnLine,
            "serial" => JointKind::Serial(self.freedoms(entry, table, dimension)?),
            "distance" => JointKind::Distance { length: self.number_of(table, "length", indices) },
            "screw" => JointKind::Screw { pitch: number(self, "pitch")? },
            "rolling" => JointKind::Rolling { radius: number(self, "radius")? },
            _ => {
                let Some(second) = self.vector_of(table, "second", indices, dimension) else {
                    self.mistakes
                        .add(entry.span, format!("'{}' has no second axis", entry.name))
                        .help("second = [0, 1, 0], the axis that is fixed in the second body");
                    return None;
                };
                JointKind::Universal { second }
            }
        })
    }

    /// Hinges and slides one after the other.
    fn freedoms(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        dimension: Dimension,
    ) -> Option<Vec<Freedom>> {
        let indices = &mut entry.indices.clone();
        let items = match table.get("freedoms").map(|value| value.get_ref()) {
            Some(DeValue::Array(items)) if (1..=6).contains(&items.len()) => items,
            _ => {
                self.mistakes
                    .add(entry.span, format!("'{}' has one to six freedoms", entry.name))
                    .help("freedoms = [{ name = \"swing\", turns = [0, 0, 1], at = [0, 0, 0] }, { name = \"reach\", slides = [1, 0, 0] }]");
                return None;
            }
        };
        let mut freedoms = Vec::new();
        for item in items.iter() {
            let inner = self.inner_table(item, &["name", "turns", "slides", "at", "zero"], "a freedom")?;
            let turns = inner.get("turns").is_some();
            let axis = self.vector_of(inner, if turns { "turns" } else { "slides" }, indices, dimension);
            let Some(axis) = axis else {
                self.mistakes
                    .add(Span::new(item.span()), "a freedom turns about an axis or slides along one");
                return None;
            };
            freedoms.push(Freedom {
                name: inner.get("name").and_then(|name| self.word(name, indices, "name")).unwrap_or_default(),
                turns,
                axis,
                at: self.vector_of(inner, "at", indices, dimension).unwrap_or_default(),
                zero: self.number_of(inner, "zero", indices).unwrap_or(0.0),
            });
        }
        Some(freedoms)
    }

    fn joint_points(
        &mut self,
        value: &'a Value<'a>,
        joint: &Joint,
        dimension: Dimension,
        indices: &mut Indices,
    ) -> Option<[Point; 2]> {
        let DeValue::Array(items) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), "'points' is a list of two points, one of each body")
                .help("points = [\"base\", \"tip\"], or places in body axes instead of names");
            return None;
        };
        let mut points = Vec::new();
        for item in items.iter() {
            points.push(match item.get_ref() {
                DeValue::Array(_) => Point::At(self.vector(item, indices, dimension, "a point")?),
                _ => Point::Named(self.word(item, indices, "a point")?),
            });
        }
        let on_ground = joint.between[1] == GROUND && matches!(points.get(1), Some(Point::Named(_)));
        match <[Point; 2]>::try_from(points) {
            Ok(points) if !on_ground => Some(points),
            _ => {
                self.mistakes.add(Span::new(value.span()), "'points' names a point of each body");
                None
            }
        }
    }

    /// `start` and `rate`, or what `--set` says of them.
    fn start_of_joint(&mut self, table: &'a DeTable<'a>, joint: &mut Joint, indices: &mut Indices) {
        for (field, suffix, list) in [("start", "", &mut joint.start), ("rate", "'", &mut joint.rate)] {
            if let Some(value) = table.get(field) {
                *list = self.number_or_list(value, indices, field).unwrap_or_default();
            }
            if let Some(value) = self.overrides.take(&format!("{}{suffix}", joint.name)) {
                *list = vec![value];
            }
            if let JointKind::Serial(freedoms) = &joint.kind {
                for (k, freedom) in freedoms.iter().enumerate() {
                    if let Some(value) = self.overrides.take(&format!("{}{suffix}", freedom.name)) {
                        let zeros =
                            freedoms.iter().map(|freedom| if suffix.is_empty() { freedom.zero } else { 0.0 });
                        if list.is_empty() {
                            *list = zeros.collect();
                        }
                        list[k] = value;
                    }
                }
            }
        }
    }

    /// `drive`, with `gains = [stiffness, damping]` for a servo, and `motor`.
    fn drive(&mut self, table: &'a DeTable<'a>, joint: &mut Joint, indices: &mut Indices) {
        if let Some(value) = table.get("drive") {
            let node = self.formula(value, indices, &TIMED);
            match joint.kind {
                JointKind::Revolute => self.expect_powers(ANGLE, "a drive", value, indices),
                JointKind::Prismatic => self.expect_powers(LENGTH, "a drive", value, indices),
                _ => {}
            }
            joint.drive = node.map(|node| self.course(node));
        }
        if let Some(value) = table.get("gains") {
            match self.numbers(value, indices, "gains").as_deref() {
                Some(&[stiffness, damping]) if stiffness > 0.0 => {
                    joint.drive_compliance = [1.0 / stiffness, damping / stiffness];
                }
                _ => {
                    self.mistakes
                        .add(
                            Span::new(value.span()),
                            "the gains of a servo are its stiffness and its damping",
                        )
                        .help("gains = [1e4, 10]");
                }
            }
        }
        if let Some(value) = table.get("motor") {
            let node = self.formula(value, indices, &TIMED);
            joint.motors = vec![node.map(|node| self.course(node))];
        }
    }

    /// Friction that is smooth; what sticks is a formula beside the bodies, see [`dry_friction`](Self::dry_friction).
    fn friction(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> Option<Friction> {
        let table = self.inner_table(value, &["coulomb", "viscous", "at"], "friction")?;
        let viscous = self.number_of(table, "viscous", indices).unwrap_or(0.0);
        let Some(at) = self.number_of(table, "at", indices) else {
            return Some(Friction { coulomb: 0.0, viscous, at: 1.0 });
        };
        if at <= 0.0 {
            self.mistakes
                .add(Span::new(value.span()), "the rate at which dry friction sets in is positive")
                .help("without 'at' it sets in at once, and what it stops sticks");
        }
        let coulomb = self.number_of(table, "coulomb", indices).unwrap_or(0.0);
        Some(Friction { coulomb, viscous, at })
    }

    /// The strength of dry friction that sets in at once.
    fn dry_friction(&mut self, table: &'a DeTable<'a>, indices: &mut Indices) -> Option<f64> {
        let DeValue::Table(friction) = table.get("friction")?.get_ref() else { return None };
        if friction.contains_key("at") {
            return None;
        }
        self.number_of(friction, "coulomb", indices).filter(|&strength| strength != 0.0)
    }

    fn limits(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> Option<Limits> {
        let table = self.inner_table(value, &["from", "to", "stiffness", "damping"], "limits")?;
        if table.is_empty() {
            return None;
        }
        let Some(stiffness) = self.number_of(table, "stiffness", indices) else {
            self.mistakes
                .add(Span::new(value.span()), "limits have a stiffness")
                .help("limits = { from = -1, to = 1, stiffness = 1e5, damping = 10 }");
            return None;
        };
        Some(Limits {
            from: self.number_of(table, "from", indices).unwrap_or(f64::NEG_INFINITY),
            to: self.number_of(table, "to", indices).unwrap_or(f64::INFINITY),
            stiffness,
            damping: self.number_of(table, "damping", indices).unwrap_or(0.0),
        })
    }
}
