//! A mechanism as it is described.

use std::collections::{HashMap, HashSet};

use crate::description::{Body, Contact, GROUND, Joint, JointKind, Load, Relation, Spring};
use crate::doubts::coincide;
use crate::error::WorldError;
use crate::frames::JointFrame;
use crate::mechanism::Mechanism;
use crate::moments::{has_negative_moment, principal_moments};
use crate::placing;
use crate::pose::Dimension;
use crate::rotation::{conjugate, normalised, product, rotate};
use crate::vector::{Vector, cross, minus, plus};

/// Bodies, joints, springs and loads.
#[derive(Clone, Debug)]
pub struct World {
    /// the plane or space
    pub dimension: Dimension,
    /// the acceleration of gravity
    pub gravity: Vector,
    /// the bodies
    pub bodies: Vec<Body>,
    /// the joints
    pub joints: Vec<Joint>,
    /// relations between coordinates of joints
    pub relations: Vec<Relation>,
    /// springs between points
    pub springs: Vec<Spring>,
    /// contacts of balls
    pub contacts: Vec<Contact>,
    /// loads
    pub loads: Vec<Load>,
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl World {
    /// An empty space without gravity.
    pub fn new() -> Self {
        World {
            dimension: Dimension::Space,
            gravity: [0.0; 3],
            bodies: Vec::new(),
            joints: Vec::new(),
            relations: Vec::new(),
            springs: Vec::new(),
            contacts: Vec::new(),
            loads: Vec::new(),
        }
    }

    /// An empty plane without gravity.
    pub fn plane() -> Self {
        World { dimension: Dimension::Plane, ..World::new() }
    }

    /// The acceleration of gravity.
    pub fn gravity(mut self, gravity: Vector) -> Self {
        self.gravity = gravity;
        self
    }

    /// One more body.
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// One more joint.
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// One more relation between coordinates of joints.
    pub fn relation(mut self, relation: Relation) -> Self {
        self.relations.push(relation);
        self
    }

    /// One more spring.
    pub fn spring(mut self, spring: Spring) -> Self {
        self.springs.push(spring);
        self
    }

    /// One more contact.
    pub fn contact(mut self, contact: Contact) -> Self {
        self.contacts.push(contact);
        self
    }

    /// One more load.
    pub fn load(mut self, load: Load) -> Self {
        self.loads.push(load);
        self
    }

    /// Moves a body to another position and rotation, and everything that hangs on it but the ground with it: bodies, joints and
    /// what moves along. Its velocity and spin are those of the whole.
    pub fn carry(&mut self, body: usize, to: &Body) {
        let from = self.bodies[body].clone();
        let turn = product(to.rotation, conjugate(from.rotation));
        let moved = |x: Vector| plus(to.position, rotate(turn, minus(x, from.position)));
        let (spin, velocity) = (minus(to.spin, from.spin), minus(to.velocity, from.velocity));
        let along = self.hanging_on(body);
        for &k in &along {
            let body = &mut self.bodies[k];
            body.position = moved(body.position);
            body.rotation = normalised(product(turn, body.rotation));
            body.velocity =
                plus(plus(body.velocity, velocity), cross(spin, minus(body.position, to.position)));
            body.spin = plus(body.spin, spin);
        }
        let names: HashSet<&str> = along.iter().map(|&k| self.bodies[k].name.as_str()).collect();
        for joint in &mut self.joints {
            let inside = |name: &String| name != GROUND && names.contains(name.as_str());
            if !joint.between.iter().any(inside) {
                continue;
            }
            joint.at = joint.at.map(moved);
            joint.axis = joint.axis.map(|axis| rotate(turn, axis));
            if let JointKind::Serial(freedoms) = &mut joint.kind {
                for freedom in freedoms {
                    freedom.at = moved(freedom.at);
                    freedom.axis = rotate(turn, freedom.axis);
                }
            }
        }
    }

    /// The bodies that joints lead to from one body without the ground, itself included.
    fn hanging_on(&self, body: usize) -> Vec<usize> {
        let index = self.index();
        let ends = |joint: &Joint| joint.between.each_ref().map(|name| index.body("", name).ok().flatten());
        let pairs: Vec<[Option<usize>; 2]> = self.joints.iter().map(ends).collect();
        let mut found = vec![body];
        let mut at = 0;
        while let Some(&near) = found.get(at) {
            at += 1;
            for pair in &pairs {
                if let [Some(a), Some(b)] = *pair
                    && (a == near || b == near)
                {
                    let far = if a == near { b } else { a };
                    if !found.contains(&far) {
                        found.push(far);
                    }
                }
            }
        }
        found
    }

    /// The mechanism, with the bodies placed and moved as `start` and `rate` of the joints say.
    ///
    /// # Errors
    /// Names that are not known or given twice, joints without what they need, numbers that cannot be.
    pub fn build(&self) -> Result<Mechanism, WorldError> {
        self.check()?;
        let mut world = self.clone();
        for relation in &self.relations {
            for name in relation.names() {
                if let Some(joint) = world.joints.iter_mut().find(|joint| joint.has_coordinate(name)) {
                    joint.variables = true;
                }
            }
        }
        let frames = world.joint_frames()?;
        for (joint, frame) in world.joints.iter().zip(&frames) {
            check_distance(joint, frame)?;
        }
        let placed = placing::place(&world, &frames);
        Mechanism::new(&world, &frames, &placed)
    }

    /// Bodies by name.
    pub(crate) fn index(&self) -> Index<'_> {
        Index(self.bodies.iter().enumerate().map(|(k, body)| (body.name.as_str(), k)).collect())
    }

    fn check(&self) -> Result<(), WorldError> {
        // A joint may have the name of a body, as in many files of robots.
        let bodies: Vec<&String> = self.bodies.iter().map(|body| &body.name).collect();
        let joints: Vec<&String> = self.joints.iter().map(|joint| &joint.name).collect();
        for list in [bodies, joints] {
            let mut names: HashSet<&str> = HashSet::from([GROUND]);
            if let Some(name) = list.into_iter().find(|name| !names.insert(name)) {
                return Err(WorldError::Twice { name: name.clone() });
            }
        }
        for body in &self.bodies {
            check_inertia(body, self.dimension)?;
        }
        self.contacts.iter().try_for_each(check_contact)?;
        self.joints.iter().try_for_each(check_joint)?;
        for relation in &self.relations {
            let mut names = HashSet::new();
            if !relation.names().all(|name| names.insert(name)) {
                let why = "a joint cannot be related to itself";
                return Err(WorldError::NotHere { joint: relation.name.clone(), why });
            }
        }
        Ok(())
    }
}

/// Refuses the first number that is negative or none at all.
fn refuse_negative(of: &str, numbers: &[(&'static str, f64)]) -> Result<(), WorldError> {
    match numbers.iter().find(|(_, number)| !(*number >= 0.0 && number.is_finite())) {
        Some(&(what, found)) => Err(WorldError::Number { of: of.into(), what, found }),
        None => Ok(()),
    }
}

fn check_joint(joint: &Joint) -> Result<(), WorldError> {
    let number =
        |what: &'static str, found: f64| Err(WorldError::Number { of: joint.name.clone(), what, found });
    refuse_negative(&joint.name, &[("the compliance", joint.compliance)])?;
    for &armature in &joint.armature {
        refuse_negative(&joint.name, &[("the armature", armature)])?;
    }
    if let Some(friction) = joint.friction {
        refuse_negative(&joint.name, &[("the dry friction", friction.coulomb)])?;
    }
    if let JointKind::Distance { length: Some(length) } = joint.kind
        && !(length > 0.0 && length.is_finite())
    {
        return number("the length", length);
    }
    for limits in joint.limits.iter().flatten() {
        if !(limits.from <= limits.to) {
            return number("the upper limit", limits.to);
        }
        let strengths = [
            ("the stiffness of the limits", limits.stiffness),
            ("the damping of the limits", limits.damping),
        ];
        refuse_negative(&joint.name, &strengths)?;
    }
    Ok(())
}

fn check_contact(contact: &Contact) -> Result<(), WorldError> {
    let Contact { name, radius, law, .. } = contact;
    refuse_negative(
        name,
        &[("the radius", *radius), ("the stiffness", law.stiffness), ("the damping", law.damping)],
    )
}

/// Points that are to stay where they coincide have no direction in which a force could hold them.
fn check_distance(joint: &Joint, frame: &JointFrame) -> Result<(), WorldError> {
    let [at, other] = frame.given;
    match joint.kind {
        JointKind::Distance { length: None } if coincide(at, other) => {
            Err(WorldError::Coincident { joint: joint.name.clone(), at })
        }
        _ => Ok(()),
    }
}

fn check_inertia(body: &Body, dimension: Dimension) -> Result<(), WorldError> {
    refuse_negative(&body.name, &[("the mass", body.mass)])?;
    for &moment in &body.inertia[..3] {
        refuse_negative(&body.name, &[("the inertia", moment)])?;
    }
    if let Some(&found) = body.inertia[3..].iter().find(|product| !product.is_finite()) {
        return Err(WorldError::Number { of: body.name.clone(), what: "the inertia", found });
    }
    let found = principal_moments(body.inertia);
    if dimension == Dimension::Space && has_negative_moment(found) {
        return Err(WorldError::Moments { body: body.name.clone(), found });
    }
    Ok(())
}

/// Bodies by name.
pub(crate) struct Index<'a>(HashMap<&'a str, usize>);

impl Index<'_> {
    /// Where a body is in the list; nothing for the ground.
    pub(crate) fn body(&self, by: &str, name: &str) -> Result<Option<usize>, WorldError> {
        if name == GROUND {
            return Ok(None);
        }
        match self.0.get(name) {
            Some(&k) => Ok(Some(k)),
            None => Err(WorldError::Unknown { by: by.into(), what: "body", name: name.into() }),
        }
    }
}
