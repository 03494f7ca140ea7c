//! Links of a robot with their places, before they become bodies: links without a joint join their parents.

use std::collections::HashMap;

use super::mass::Mass;
use super::xml::identifier;
use crate::description::{Body, Freedom, GROUND, Joint, JointKind, Shape};
use crate::rotation::{Quaternion, conjugate, normalised, product, rotate};
use crate::vector::{Vector, minus, plus};
use crate::world::World;

/// A place and a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) x: Vector,
    pub(super) p: Quaternion,
}

impl Frame {
    pub(super) const HERE: Frame = Frame { x: [0.0; 3], p: [1.0, 0.0, 0.0, 0.0] };

    /// A frame inside this one.
    pub(super) fn then(self, inner: Frame) -> Frame {
        Frame { x: self.point(inner.x), p: normalised(product(self.p, inner.p)) }
    }

    pub(super) fn point(self, s: Vector) -> Vector {
        plus(self.x, rotate(self.p, s))
    }

    pub(super) fn vector(self, s: Vector) -> Vector {
        rotate(self.p, s)
    }
}

/// How a link hangs on its parent.
#[derive(Clone, Debug)]
pub(super) enum Hanging {
    /// on nothing: it is free
    Free,
    /// firmly
    Fixed,
    /// by a joint, whose bodies are yet to be named
    Joint(Box<Joint>),
}

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: String,
    /// its parent among the links; nothing for the ground
    pub(super) parent: Option<usize>,
    pub(super) hanging: Hanging,
    /// its frame in the world, where all joints are where the file says
    pub(super) frame: Frame,
    /// in its frame
    pub(super) mass: Mass,
    pub(super) shapes: Vec<Shape>,
}

/// The links as bodies; parents come before their children.
pub(super) fn into_world(links: Vec<Link>, world: &mut World) -> Placement {
    let mut placement = Placement { carriers: Vec::new(), names: Vec::new(), frames: Vec::new() };
    let mut masses: Vec<Mass> = Vec::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for link in &links {
        let carrier = match (&link.hanging, link.parent) {
            (Hanging::Fixed, None) => None,
            (Hanging::Fixed, Some(parent)) => placement.carriers[parent],
            _ => {
                world.bodies.push(Body::new(unique(&link.name, &mut taken)));
                masses.push(Mass::default());
                Some(world.bodies.len() - 1)
            }
        };
        if let Some(k) = carrier {
            let mass = link.mass.moved(link.frame.x, link.frame.p);
            masses[k] = masses[k].with(mass);
            world.bodies[k].shapes.extend(link.shapes.iter().cloned());
        }
        placement.carriers.push(carrier);
        placement.names.push(link.name.clone());
        placement.frames.push(link.frame);
    }
    for (k, mass) in masses.iter().enumerate() {
        let link = placement.carriers.iter().position(|&carrier| carrier == Some(k));
        let p = link.map_or(Frame::HERE.p, |link| links[link].frame.p);
        let body = &mut world.bodies[k];
        body.position = mass.centre;
        body.rotation = p;
        body.mass = mass.mass;
        body.inertia = Mass { centre: [0.0; 3], ..*mass }.moved([0.0; 3], conjugate(p)).six();
    }
    placement.name_links(world);
    taken.clear();
    for (k, link) in links.into_iter().enumerate() {
        if let Hanging::Joint(mut joint) = link.hanging {
            joint.name = unique(&joint.name, &mut taken);
            if let JointKind::Serial(freedoms) = &mut joint.kind {
                for freedom in freedoms {
                    freedom.name = identifier(&freedom.name);
                }
            }
            let first = link.parent.and_then(|parent| placement.carriers[parent]);
            joint.between = [first, placement.carriers[k]]
                .map(|body| body.map_or_else(|| GROUND.to_string(), |k| world.bodies[k].name.clone()));
            world.joints.push(*joint);
        }
    }
    placement
}

/// Where links are among the bodies.
pub(super) struct Placement {
    /// by link: the body that has it; nothing for the ground
    pub(super) carriers: Vec<Option<usize>>,
    names: Vec<String>,
    pub(super) frames: Vec<Frame>,
}

impl Placement {
    /// A link by its name in the file.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Links keep their origins as named points of the bodies that have them.
    fn name_links(&self, world: &mut World) {
        for ((name, frame), carrier) in self.names.iter().zip(&self.frames).zip(&self.carriers) {
            if let Some(k) = carrier {
                let body = &mut world.bodies[*k];
                let name = identifier(name);
                let point = if name == body.name { "origin".to_string() } else { name };
                let place = rotate(conjugate(body.rotation), minus(frame.x, body.position));
                body.points.push((point, place));
            }
        }
    }
}

/// A name that nothing else has.
fn unique(name: &str, taken: &mut HashMap<String, usize>) -> String {
    let mut plain = identifier(name);
    if plain == GROUND {
        plain.push('_');
    }
    let count = taken.entry(plain.clone()).or_insert(0);
    *count += 1;
    if *count == 1 { plain } else { unique(&format!("{plain}_{count}"), taken) }
}

/// A hinge or a slide as the joint that has it alone, or several of them.
pub(super) fn joint_of(mut freedoms: Vec<Freedom>) -> Joint {
    let name = freedoms.first().map_or_else(String::new, |freedom| freedom.name.clone());
    let blank = Joint::new(name, JointKind::Fixed, GROUND, GROUND);
    match freedoms.as_slice() {
        [one] if one.zero == 0.0 => {
            let kind = if one.turns { JointKind::Revolute } else { JointKind::Prismatic };
            Joint { kind, ..blank }.at(one.at).axis(one.axis)
        }
        [one] => {
            let at = one.at;
            Joint { kind: JointKind::Serial(freedoms), ..blank }.at(at)
        }
        _ => {
            let at = freedoms.last().map_or([0.0; 3], |freedom| freedom.at);
            let serial = JointKind::Serial(std::mem::take(&mut freedoms));
            let name = format!("{}_joint", blank.name);
            Joint { kind: serial, name, ..blank }.at(at)
        }
    }
}
