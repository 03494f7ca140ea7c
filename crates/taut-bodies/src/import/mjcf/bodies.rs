//! `<worldbody>`: bodies inside bodies, with their joints and geoms.

use std::collections::HashMap;

use roxmltree::Node;

use super::super::mass::{Mass, check_mass};
use super::super::tree::{Frame, Hanging, Link, joint_of};
use super::super::xml::{identifier, wrong};
use super::super::{Ignore, ImportError};
use super::attributes::{Compiler, Defaults, Item};
use super::geom::Geom;
use super::limits;
use super::meshes::Meshes;
use crate::description::{Freedom, GROUND, Joint, JointKind, Shape};

/// A joint of the file: what others may ask of it.
#[derive(Clone, Debug)]
pub(super) struct KnownJoint {
    /// the name of its coordinate
    pub(super) name: String,
    pub(super) zero: f64,
    /// whether it is a limit or not
    pub(super) range: Option<[f64; 2]>,
}

/// Reads bodies.
pub(super) struct BodyReader<'a> {
    compiler: &'a Compiler,
    defaults: &'a Defaults,
    meshes: &'a Meshes<'a>,
    ignore: Ignore,
    pub(super) links: Vec<Link>,
    pub(super) left_out: Vec<String>,
    /// coordinates whose spring and damper are those of a unit of inertia
    pub(super) by_inertia: Vec<String>,
    /// links with a mesh that nobody knows the weight of, and what is wrong where they weigh nothing
    pub(super) unknown: Vec<(usize, ImportError)>,
    /// by their names in the file
    pub(super) joints: HashMap<String, KnownJoint>,
}

impl<'a> BodyReader<'a> {
    pub(super) fn new(
        compiler: &'a Compiler,
        defaults: &'a Defaults,
        meshes: &'a Meshes<'a>,
        ignore: Ignore,
    ) -> Self {
        let (links, left_out, unknown) = (Vec::new(), Vec::new(), Vec::new());
        let (by_inertia, joints) = (Vec::new(), HashMap::new());
        BodyReader { compiler, defaults, meshes, ignore, links, left_out, by_inertia, unknown, joints }
    }

    pub(super) fn read_world(&mut self, node: Node<'_, '_>) -> Result<(), ImportError> {
        let childclass = node.attribute("childclass");
        for child in node.children().filter(|child| child.has_tag_name("body")) {
            self.read_body(child, None, Frame::HERE, childclass)?;
        }
        if node.descendants().any(|node| node.has_tag_name("frame") || node.has_tag_name("replicate")) {
            return Err(wrong(node, "<frame> and <replicate> are not known here"));
        }
        Ok(())
    }

    fn read_body(
        &mut self,
        node: Node<'_, '_>,
        parent: Option<usize>,
        outer: Frame,
        childclass: Option<&str>,
    ) -> Result<(), ImportError> {
        let childclass = node.attribute("childclass").or(childclass);
        let frame = outer.then(self.compiler.frame(&self.defaults.of(node, None))?);
        let name =
            node.attribute("name").map_or_else(|| format!("body{}", self.links.len() + 1), str::to_owned);
        let hanging = self.hanging(node, &name, frame, childclass)?;
        let (mass, shapes) = self.inertia(node, &name, childclass)?;
        let number = self.links.len();
        self.links.push(Link { name, parent, hanging, frame, mass, shapes });
        for child in node.children().filter(|child| child.has_tag_name("body")) {
            self.read_body(child, Some(number), frame, childclass)?;
        }
        Ok(())
    }

    /// The joints of a body.
    fn hanging(
        &mut self,
        node: Node<'_, '_>,
        body: &str,
        frame: Frame,
        childclass: Option<&str>,
    ) -> Result<Hanging, ImportError> {
        let mut freedoms = Vec::new();
        let mut lists: [Vec<f64>; 4] = Default::default();
        let (mut stops, mut frictions) = (Vec::new(), Vec::new());
        let mut ball = None;
        refuse_joints_beside_free(node, |child| {
            child.has_tag_name("freejoint") || self.defaults.of(child, childclass).get("type") == Some("free")
        })?;
        for (k, child) in node.children().filter(|child| child.is_element()).enumerate() {
            match child.tag_name().name() {
                "freejoint" => return Ok(Hanging::Free),
                "joint" => {}
                _ => continue,
            }
            let item = self.defaults.of(child, childclass);
            let name = child.attribute("name").map_or_else(|| format!("{body}_joint{k}"), str::to_owned);
            match item.get("type").unwrap_or("hinge") {
                "free" => {
                    self.note_forces_of_free(&item, &name)?;
                    return Ok(Hanging::Free);
                }
                "ball" => {
                    ball = Some(self.ball(&item, &name, frame)?);
                }
                kind @ ("hinge" | "slide") => {
                    let freedom = self.freedom(&item, &name, kind == "hinge", frame)?;
                    self.forces(&item, (&freedom.name, kind == "hinge"), &mut lists)?;
                    let stop = limits::limits(&item, self.compiler, kind == "hinge")?;
                    stops.push(stop.filter(|_| !self.ignore.limits));
                    frictions.push(limits::friction(&item)?.filter(|_| !self.ignore.friction));
                    let range = limits::given_range(&item, self.compiler, kind == "hinge")?;
                    let known = KnownJoint { name: freedom.name.clone(), zero: freedom.zero, range };
                    self.joints.insert(name, known);
                    freedoms.push(freedom);
                }
                other => return Err(wrong(child, format!("joints of type '{other}' are not known here"))),
            }
        }
        match (ball, freedoms.is_empty()) {
            (None, true) => Ok(Hanging::Fixed),
            (Some(ball), true) => Ok(Hanging::Joint(Box::new(ball))),
            (None, false) => {
                let mut joint = joint_of(freedoms);
                [joint.armature, joint.damping, joint.stiffness, joint.rest] = lists;
                joint.limits = stops;
                joint.friction = frictions.first().copied().flatten();
                if frictions.iter().skip(1).any(Option::is_some) {
                    self.left_out.push(format!("joint '{}': dry friction of its other axes", joint.name));
                }
                Ok(Hanging::Joint(Box::new(joint)))
            }
            (Some(_), false) => Err(wrong(node, "a ball joint beside others is not known here")),
        }
    }

    /// What a free joint may have beside its freedom.
    fn note_forces_of_free(&mut self, item: &Item<'_, '_>, name: &str) -> Result<(), ImportError> {
        let friction = if self.ignore.friction { "" } else { "frictionloss" };
        for force in ["stiffness", "damping", "armature", friction] {
            if item.number(force)?.is_some_and(|strength| strength != 0.0) {
                self.left_out.push(format!("free joint '{name}': its {force}"));
            }
        }
        Ok(())
    }

    /// A ball joint; its spring rests where the file has its bodies.
    fn ball(&mut self, item: &Item<'_, '_>, name: &str, frame: Frame) -> Result<Joint, ImportError> {
        let at = frame.point(item.vector("pos")?.unwrap_or_default());
        let mut ball = Joint::new(identifier(name), JointKind::Spherical, GROUND, GROUND).at(at);
        let is_timed = time_and_ratio(item)?.is_some();
        if is_timed {
            self.left_out.push(format!("ball joint '{name}': its spring and damper by a time constant"));
        }
        let strength = |force: &str| item.number(force).map(|strength| strength.filter(|_| !is_timed));
        for (force, list) in [
            (item.number("armature")?, &mut ball.armature),
            (strength("stiffness")?, &mut ball.stiffness),
            (strength("damping")?, &mut ball.damping),
        ] {
            list.extend(force.filter(|&strength| strength != 0.0));
        }
        if limits::range(item, self.compiler)?.is_some() && !self.ignore.limits {
            self.left_out.push(format!("ball joint '{name}': its limit"));
        }
        if limits::friction(item)?.is_some() && !self.ignore.friction {
            self.left_out.push(format!("ball joint '{name}': its dry friction"));
        }
        Ok(ball)
    }

    fn freedom(
        &self,
        item: &Item<'_, '_>,
        name: &str,
        turns: bool,
        frame: Frame,
    ) -> Result<Freedom, ImportError> {
        let axis = item.vector("axis")?.unwrap_or([0.0, 0.0, 1.0]);
        let at = frame.point(item.vector("pos")?.unwrap_or_default());
        let zero = item.number("ref")?.unwrap_or(0.0);
        let zero = if turns { self.compiler.angle(zero) } else { zero };
        Ok(Freedom { name: identifier(name), turns, axis: frame.vector(axis), at, zero })
    }

    /// Armature, damping, stiffness and rest of a joint.
    fn forces(
        &mut self,
        item: &Item<'_, '_>,
        (name, turns): (&str, bool),
        lists: &mut [Vec<f64>; 4],
    ) -> Result<(), ImportError> {
        let angle = |x: f64| if turns { self.compiler.angle(x) } else { x };
        let rest = item.number("springref")?.map_or(0.0, angle);
        let [stiffness, damping] = self.spring_and_damper(item, name)?;
        let values = [item.number("armature")?, damping, stiffness, Some(rest)];
        for (list, value) in lists.iter_mut().zip(values) {
            list.push(value.unwrap_or(0.0));
        }
        Ok(())
    }

    /// Stiffness and damping of a coordinate; those of a unit of inertia where a time constant is given.
    fn spring_and_damper(
        &mut self,
        item: &Item<'_, '_>,
        name: &str,
    ) -> Result<[Option<f64>; 2], ImportError> {
        let Some([time, ratio]) = time_and_ratio(item)? else {
            return Ok([item.number("stiffness")?, item.number("damping")?]);
        };
        self.by_inertia.push(name.to_owned());
        Ok([Some((time * ratio).powi(-2)), Some(2.0 / time)])
    }

    /// Mass and shapes of a body, from `<inertial>` or from its geoms.
    fn inertia(
        &mut self,
        node: Node<'_, '_>,
        body: &str,
        childclass: Option<&str>,
    ) -> Result<(Mass, Vec<Shape>), ImportError> {
        let inertial = node.children().find(|child| child.has_tag_name("inertial"));
        let from_geoms = self.compiler.from_geoms.unwrap_or(inertial.is_none());
        let (mut mass, mut shapes) = (Mass::default(), Vec::new());
        for child in node.children().filter(|child| child.has_tag_name("geom")) {
            let item = self.defaults.of(child, childclass);
            let geom = Geom::read(&item, self.compiler, self.meshes)?;
            let group = item.number("group")?.unwrap_or(0.0);
            let (least, most) = self.compiler.groups;
            if from_geoms && (least..=most).contains(&group) {
                if geom.is_unknown {
                    self.left_out.push(format!("body '{body}': the inertia of a mesh"));
                    let file = item.get("mesh").unwrap_or_default();
                    let reason =
                        format!("body '{body}' moves without a mass, since mesh '{file}' cannot be read");
                    self.unknown.push((self.links.len(), wrong(child, reason)));
                }
                mass = mass.with(geom.mass);
            }
            if geom.frame == Frame::HERE {
                shapes.extend(geom.shape);
            }
        }
        if let Some(inertial) = inertial.filter(|_| !from_geoms) {
            mass = self.given_inertia(&self.defaults.of(inertial, None), body)?;
        }
        Ok((mass, shapes))
    }

    fn given_inertia(&self, item: &Item<'_, '_>, body: &str) -> Result<Mass, ImportError> {
        let frame = self.compiler.frame(item)?;
        let mass = item.number("mass")?.unwrap_or(0.0);
        let inertia = match (item.numbers("fullinertia")?.as_deref(), item.vector("diaginertia")?) {
            (Some(&[xx, yy, zz, xy, xz, yz]), None) => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            (None, diagonal) => Mass::diagonal(mass, diagonal.unwrap_or_default()).inertia,
            _ => {
                let reason = "has either three numbers 'diaginertia' or six numbers 'fullinertia'";
                return Err(wrong(item.node, format!("the inertial of '{body}' {reason}")));
            }
        };
        let mass = Mass { mass, centre: [0.0; 3], inertia };
        check_mass(item.node, body, &mass)?;
        Ok(mass.moved(frame.x, frame.p))
    }
}

/// What is free has no other joints.
fn refuse_joints_beside_free(
    body: Node<'_, '_>,
    is_free: impl Fn(Node<'_, '_>) -> bool,
) -> Result<(), ImportError> {
    let joints =
        || body.children().filter(|child| child.has_tag_name("joint") || child.has_tag_name("freejoint"));
    match joints().nth(1) {
        Some(second) if joints().any(is_free) => Err(wrong(second, "a free joint beside others")),
        _ => Ok(()),
    }
}

/// The time constant and the damping ratio of a spring with a damper, where they stand for these.
fn time_and_ratio(item: &Item<'_, '_>) -> Result<Option<[f64; 2]>, ImportError> {
    let both = item.pair("springdamper")?;
    Ok(both.filter(|both| both.iter().all(|&x| x > 0.0)))
}
