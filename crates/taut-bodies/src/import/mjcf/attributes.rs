//! Attributes with their defaults, units of angles, frames.

use std::collections::HashMap;

use roxmltree::Node;

use super::super::ImportError;
use super::super::mass::Mass;
use super::super::tree::{Frame, Hanging, Link};
use super::super::xml::{numbers, vector, wrong};
use super::actuators::keep_defaults;
use crate::rotation::{self, Quaternion, about, euler, normalised};
use crate::vector::{Vector, cross, direction, dot, minus, norm, times};

/// `<compiler>`
pub(super) struct Compiler {
    degrees: bool,
    /// a range is a limit unless `limited` says no
    pub(super) ranges_limit: bool,
    eulerseq: String,
    /// whether inertia comes from geoms: always, never, or where there is no other
    pub(super) from_geoms: Option<bool>,
    total_mass: Option<f64>,
    least_mass: f64,
    least_inertia: f64,
    /// groups of geoms that count
    pub(super) groups: (f64, f64),
}

impl Compiler {
    pub(super) fn read(root: Node<'_, '_>) -> Result<Self, ImportError> {
        let mut compiler = Compiler {
            degrees: true,
            ranges_limit: true,
            eulerseq: "xyz".into(),
            from_geoms: None,
            total_mass: None,
            least_mass: 0.0,
            least_inertia: 0.0,
            groups: (0.0, 5.0),
        };
        for node in root.children().filter(|node| node.has_tag_name("compiler")) {
            let number = |name: &str| -> Result<Option<f64>, ImportError> {
                let list = node.attribute(name).map(|text| numbers(node, text)).transpose()?;
                Ok(list.and_then(|list| list.first().copied()))
            };
            if let Some(angle) = node.attribute("angle") {
                compiler.degrees = angle != "radian";
            }
            if node.attribute("coordinate") == Some("global") {
                return Err(wrong(
                    node,
                    "coordinates of the world (coordinate = \"global\") are not known here",
                ));
            }
            if let Some(inferred) = node.attribute("autolimits") {
                compiler.ranges_limit = inferred != "false";
            }
            if let Some(order) = node.attribute("eulerseq") {
                compiler.eulerseq = order.into();
            }
            match node.attribute("inertiafromgeom") {
                Some("true") => compiler.from_geoms = Some(true),
                Some("false") => compiler.from_geoms = Some(false),
                _ => {}
            }
            compiler.total_mass = number("settotalmass")?.filter(|&mass| mass > 0.0).or(compiler.total_mass);
            compiler.least_mass = number("boundmass")?.unwrap_or(compiler.least_mass);
            compiler.least_inertia = number("boundinertia")?.unwrap_or(compiler.least_inertia);
            if let Some(text) = node.attribute("inertiagrouprange")
                && let &[from, to] = numbers(node, text)?.as_slice()
            {
                compiler.groups = (from, to);
            }
        }
        Ok(compiler)
    }

    /// An angle of the file in radians.
    pub(super) fn angle(&self, angle: f64) -> f64 {
        if self.degrees { angle.to_radians() } else { angle }
    }

    /// Bounds of masses and inertias, and the total mass, as far as they are given.
    pub(super) fn correct(&self, links: &mut [Link]) {
        for link in links.iter_mut() {
            let mass = &mut link.mass;
            if mass.mass > 0.0 || !matches!(link.hanging, Hanging::Fixed) {
                mass.mass = mass.mass.max(self.least_mass);
                for k in 0..3 {
                    mass.inertia[k][k] = mass.inertia[k][k].max(self.least_inertia);
                }
            }
        }
        let total: f64 = links.iter().map(|link| link.mass.mass).sum();
        if let Some(wanted) = self.total_mass.filter(|_| total > 0.0) {
            let factor = wanted / total;
            for link in links {
                let Mass { mass, inertia, .. } = &mut link.mass;
                *mass *= factor;
                *inertia = inertia.map(|row| times(factor, row));
            }
        }
    }

    /// pos with quat, axisangle, euler, xyaxes or zaxis.
    pub(super) fn frame(&self, item: &Item<'_, '_>) -> Result<Frame, ImportError> {
        let x = item.vector("pos")?.unwrap_or_default();
        Ok(Frame { x, p: self.rotation(item)? })
    }

    fn rotation(&self, item: &Item<'_, '_>) -> Result<Quaternion, ImportError> {
        if let Some(list) = item.numbers("quat")? {
            return match <Quaternion>::try_from(list) {
                Ok(p) if p == [0.0; 4] => Err(wrong(item.node, "a quaternion of zeros is no rotation")),
                Ok(p) => Ok(normalised(p)),
                Err(_) => Err(wrong(item.node, "a quaternion has four numbers")),
            };
        }
        if let Some(&[x, y, z, angle]) = item.numbers("axisangle")?.as_deref() {
            return Ok(about([x, y, z], self.angle(angle)));
        }
        if let Some(angles) = item.vector("euler")? {
            let angles = angles.map(|angle| self.angle(angle));
            return euler(&self.eulerseq, angles).ok_or_else(|| wrong(item.node, "an order of Euler angles"));
        }
        if let Some(&[a, b, c, d, e, f]) = item.numbers("xyaxes")?.as_deref() {
            let x = direction([a, b, c]).unwrap_or([1.0, 0.0, 0.0]);
            let y = minus([d, e, f], times(dot(x, [d, e, f]), x));
            let y = direction(y).ok_or_else(|| wrong(item.node, "axes without a direction"))?;
            return Ok(rotation::of_columns([x, y, cross(x, y)]));
        }
        match item.vector("zaxis")? {
            Some(z) => Ok(towards(z)),
            None => Ok(rotation::IDENTITY),
        }
    }
}

/// The least rotation that turns the third axis into a direction.
pub(super) fn towards(z: Vector) -> Quaternion {
    let Some(z) = direction(z) else { return rotation::IDENTITY };
    let axis = cross([0.0, 0.0, 1.0], z);
    let sine = norm(axis);
    if sine < 1e-14 {
        return if z[2] > 0.0 { rotation::IDENTITY } else { about([1.0, 0.0, 0.0], std::f64::consts::PI) };
    }
    about(axis, sine.atan2(z[2]))
}

pub(super) type Attributes = HashMap<String, String>;

/// `<default>`: attributes by class and by element.
pub(super) struct Defaults {
    classes: HashMap<String, HashMap<String, Attributes>>,
}

/// The class of everything that has no other.
const MAIN: &str = "main";

impl Defaults {
    pub(super) fn read(root: Node<'_, '_>) -> Self {
        let mut defaults = Defaults { classes: HashMap::from([(MAIN.to_string(), HashMap::new())]) };
        for node in root.children().filter(|node| node.has_tag_name("default")) {
            let class = node.attribute("class").unwrap_or(MAIN);
            let known =
                defaults.classes.get(class).or(defaults.classes.get(MAIN)).cloned().unwrap_or_default();
            defaults.read_class(node, class, known);
        }
        defaults
    }

    /// A class has what its parent has, and its own.
    fn read_class(&mut self, node: Node<'_, '_>, class: &str, mut known: HashMap<String, Attributes>) {
        for element in node.children().filter(|child| child.is_element() && !child.has_tag_name("default")) {
            if keep_defaults(element, &mut known) {
                continue;
            }
            let attributes = known.entry(element.tag_name().name().to_string()).or_default();
            for attribute in element.attributes() {
                attributes.insert(attribute.name().to_string(), attribute.value().to_string());
            }
        }
        self.classes.insert(class.to_string(), known.clone());
        if class != MAIN && node.parent().is_some_and(|parent| parent.has_tag_name("mujoco")) {
            self.classes.insert(MAIN.to_string(), known.clone());
        }
        for inner in node.children().filter(|child| child.has_tag_name("default")) {
            if let Some(class) = inner.attribute("class") {
                self.read_class(inner, class, known.clone());
            }
        }
    }

    /// Whether there is a class of this name.
    pub(super) fn has(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// An element with its defaults; `childclass` is the one that bodies around it have.
    pub(super) fn of<'a, 'i>(&'a self, node: Node<'a, 'i>, childclass: Option<&str>) -> Item<'a, 'i> {
        self.called(node.tag_name().name(), node, childclass)
    }

    /// An element whose defaults are those of another name.
    pub(super) fn called<'a, 'i>(
        &'a self,
        name: &str,
        node: Node<'a, 'i>,
        childclass: Option<&str>,
    ) -> Item<'a, 'i> {
        let class = node.attribute("class").or(childclass).unwrap_or(MAIN);
        let known = self.classes.get(class).or(self.classes.get(MAIN));
        Item { node, defaults: known.and_then(|elements| elements.get(name)) }
    }
}

/// An element with its defaults.
pub(super) struct Item<'a, 'i> {
    pub(super) node: Node<'a, 'i>,
    defaults: Option<&'a Attributes>,
}

impl<'a> Item<'a, '_> {
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let default = || self.defaults.and_then(|defaults| defaults.get(name)).map(String::as_str);
        self.node.attribute(name).or_else(default)
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ImportError> {
        self.get(name).map(|text| numbers(self.node, text)).transpose()
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        match self.numbers(name)?.as_deref() {
            None | Some([]) => Ok(None),
            Some(&[one]) => Ok(Some(one)),
            Some(_) => Err(wrong(self.node, format!("'{name}' is one number"))),
        }
    }

    /// Two numbers; other lists of them count as none.
    pub(super) fn pair(&self, name: &str) -> Result<Option<[f64; 2]>, ImportError> {
        Ok(self.numbers(name)?.and_then(|list| list.try_into().ok()))
    }

    pub(super) fn vector(&self, name: &str) -> Result<Option<Vector>, ImportError> {
        self.get(name).map(|text| vector(self.node, text)).transpose()
    }
}
