//! `[bodies]`

use std::collections::HashMap;

use taut_bodies::{Body, Dimension, Shape, about, euler};
use toml::de::{DeTable, DeValue};

use super::super::document::{Section, Value};
use super::super::entries::Entry;
use super::super::{Indices, Reader};
use super::Reading;
use crate::source::Span;

const FIELDS: [&str; 8] = ["mass", "inertia", "position", "rotation", "velocity", "spin", "points", "shape"];

impl<'a> Reader<'a> {
    pub(super) fn read_bodies(&mut self, reading: &mut Reading) {
        for part in self.document.parts(Section::Bodies) {
            for entry in self.entries(&part) {
                if !self.is_new(&entry, &mut reading.body_places) {
                    continue;
                }
                if let Some(body) = self.body(&entry, reading.world.dimension) {
                    reading.world.bodies.push(body);
                }
            }
        }
    }

    /// Whether a body or joint has a name that no other one has; a joint may have that of a body.
    pub(super) fn is_new(&mut self, entry: &Entry<'a>, places: &mut HashMap<String, Span>) -> bool {
        if !self.is_good_name(entry) {
            return false;
        }
        let taken = self.names.place(&entry.name);
        if let Some(first) = taken.or_else(|| places.insert(entry.name.clone(), entry.span)) {
            self.mistakes
                .add(entry.span, format!("the name '{}' is given twice", entry.name))
                .label("again here")
                .also(first, "first here");
            return false;
        }
        true
    }

    fn body(&mut self, entry: &Entry<'a>, dimension: Dimension) -> Option<Body> {
        let table = self.fields(entry, &FIELDS, "{ mass = 1.0, inertia = [0.1, 0.1, 0.1] }")?;
        let indices = &mut entry.indices.clone();
        let mut body = Body::new(entry.name.clone());
        body.mass = self.required(entry, table, "mass", indices)?;
        body.inertia = self.inertia(entry, table, dimension, indices)?;
        body.position = self.vector_of(table, "position", indices, dimension).unwrap_or_default();
        if let Some(value) = table.get("rotation") {
            self.rotation(value, dimension, indices, &mut body);
        }
        body.velocity = self.vector_of(table, "velocity", indices, dimension).unwrap_or_default();
        body.spin = match (table.get("spin"), dimension) {
            (Some(_), Dimension::Plane) => [0.0, 0.0, self.number_of(table, "spin", indices).unwrap_or(0.0)],
            _ => self.vector_of(table, "spin", indices, dimension).unwrap_or_default(),
        };
        if let Some(value) = table.get("points") {
            body.points = self.points(value, dimension, indices);
        }
        if let Some(value) = table.get("shape") {
            body.shapes.extend(self.shape(value, dimension, indices));
        }
        Some(body)
    }

    fn required(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        field: &'static str,
        indices: &mut Indices,
    ) -> Option<f64> {
        if table.get(field).is_none() {
            self.mistakes.add(entry.span, format!("'{}' has no {field}", entry.name));
            return None;
        }
        self.number_of(table, field, indices)
    }

    /// One number in the plane; three or six in space.
    fn inertia(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        dimension: Dimension,
        indices: &mut Indices,
    ) -> Option<[f64; 6]> {
        if dimension == Dimension::Plane {
            return Some([0.0, 0.0, self.required(entry, table, "inertia", indices)?, 0.0, 0.0, 0.0]);
        }
        let Some(value) = table.get("inertia") else {
            self.mistakes.add(entry.span, format!("'{}' has no inertia", entry.name)).help(
                "inertia = [Ixx, Iyy, Izz] about the centre of mass, or six numbers with Ixy, Ixz, Iyz",
            );
            return None;
        };
        let numbers = self.numbers(value, indices, "inertia")?;
        if !matches!(numbers.len(), 3 | 6) {
            self.mistakes
                .add(Span::new(value.span()), "the inertia of a body in space has three or six numbers")
                .label(format!("found {}", numbers.len()));
            return None;
        }
        Some(std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(0.0)))
    }

    fn rotation(
        &mut self,
        value: &'a Value<'a>,
        dimension: Dimension,
        indices: &mut Indices,
        body: &mut Body,
    ) {
        if dimension == Dimension::Plane && !matches!(value.get_ref(), DeValue::Table(_)) {
            body.angle = self.number_or_list(value, indices, "rotation").map_or(0.0, |list| list[0]);
            return;
        }
        let known = ["axis", "angle", "quaternion", "euler", "angles"];
        let Some(table) = self.inner_table(value, &known, "rotation") else { return };
        let angle = self.number_of(table, "angle", indices);
        if dimension == Dimension::Plane {
            body.angle = angle.unwrap_or(0.0);
            return;
        }
        let found = if let Some(list) = table.get("quaternion") {
            let numbers = self.numbers(list, indices, "quaternion");
            let numbers = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
            numbers.filter(|numbers| numbers.iter().any(|&x| x != 0.0))
        } else if let Some(order) = table.get("euler") {
            let order = self.word(order, indices, "euler");
            let angles = self.vector_of(table, "angles", indices, dimension);
            order.zip(angles).and_then(|(order, angles)| euler(&order, angles))
        } else {
            let axis = self.vector_of(table, "axis", indices, dimension);
            axis.filter(|axis| axis.iter().any(|&x| x != 0.0))
                .zip(angle)
                .map(|(axis, angle)| about(axis, angle))
        };
        match found {
            Some(rotation) => body.rotation = rotation,
            None => {
                self.mistakes
                    .add(Span::new(value.span()), "a rotation is an axis with an angle, a quaternion or Euler angles")
                    .help("{ axis = [0, 0, 1], angle = \"pi/6\" }, { quaternion = [1, 0, 0, 0] } or { euler = \"zyx\", angles = [0, 0, 0] }");
            }
        }
    }

    fn points(
        &mut self,
        value: &'a Value<'a>,
        dimension: Dimension,
        indices: &mut Indices,
    ) -> Vec<(String, [f64; 3])> {
        let DeValue::Table(table) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), "points is a table of names and places")
                .help("points = { tip = [0.1, 0, 0] }");
            return Vec::new();
        };
        let point = |(key, value): (&'a toml::Spanned<std::borrow::Cow<'a, str>>, &'a Value<'a>)| {
            let place = self.vector(value, indices, dimension, "a point")?;
            Some((key.get_ref().to_string(), place))
        };
        table.iter().filter_map(point).collect()
    }

    fn shape(&mut self, value: &'a Value<'a>, dimension: Dimension, indices: &mut Indices) -> Option<Shape> {
        let known = ["box", "cylinder", "sphere", "capsule", "mesh"];
        let table = self.inner_table(value, &known, "shape")?;
        let pair = |list: Vec<f64>| <[f64; 2]>::try_from(list).ok();
        if table.get("box").is_some() {
            return Some(Shape::Box(self.vector_of(table, "box", indices, dimension)?));
        }
        if let Some(radius) = self.number_of(table, "sphere", indices) {
            return Some(Shape::Sphere(radius));
        }
        if let Some(value) = table.get("mesh") {
            return Some(Shape::Mesh(self.word(value, indices, "mesh")?));
        }
        for field in ["cylinder", "capsule"] {
            let Some(value) = table.get(field) else { continue };
            let Some([radius, length]) = self.numbers(value, indices, "shape").and_then(pair) else {
                self.mistakes.add(Span::new(value.span()), format!("a {field} has a radius and a length"));
                return None;
            };
            let cylinder = field == "cylinder";
            return Some(if cylinder {
                Shape::Cylinder(radius, length)
            } else {
                Shape::Capsule(radius, length)
            });
        }
        None
    }

    /// `--set crank.x=1` and so on; what hangs on the body goes along.
    pub(super) fn override_bodies(&mut self, reading: &mut Reading) {
        for k in 0..reading.world.bodies.len() {
            let mut body = reading.world.bodies[k].clone();
            self.override_body(&mut body, reading.world.dimension);
            if body != reading.world.bodies[k] {
                reading.world.bodies[k].angle = body.angle;
                reading.world.carry(k, &body);
            }
        }
    }

    fn override_body(&mut self, body: &mut Body, dimension: Dimension) {
        for (k, axis) in ["x", "y", "z"].into_iter().take(dimension.positions()).enumerate() {
            let (place, rate) = (format!("{}.{axis}", body.name), format!("{}.{axis}'", body.name));
            body.position[k] = self.overrides.take(&place).unwrap_or(body.position[k]);
            body.velocity[k] = self.overrides.take(&rate).unwrap_or(body.velocity[k]);
            if dimension == Dimension::Space {
                let spin = format!("{}.spin.{axis}", body.name);
                body.spin[k] = self.overrides.take(&spin).unwrap_or(body.spin[k]);
            }
        }
        if dimension == Dimension::Plane {
            let angle = format!("{}.angle", body.name);
            body.angle = self.overrides.take(&angle).unwrap_or(body.angle);
            let spin = format!("{angle}'");
            body.spin[2] = self.overrides.take(&spin).unwrap_or(body.spin[2]);
        }
    }
}
