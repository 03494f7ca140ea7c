//! What mechanisms are made of beside bodies and joints: relations, drives, rolling, springs, contacts, loads.

use taut::system::Constraint;

use super::JointRows;
use super::ball_force::BallForce;
use super::build::Builder;
use super::distance::Distance;
use super::gap::{Gap, Law, Measure};
use super::inertia::Inertia;
use super::link::Link;
use super::load::BodyLoad;
use super::local::{Scatter, Touched};
use super::row::{Drive, Linked, Rolling};
use crate::description::{Contact, Joint, JointKind, Relation, Spring, Surface};
use crate::error::WorldError;
use crate::frames::JointFrame;
use crate::pose::Dimension;
use crate::rotation::{about, conjugate, product};
use crate::vector::{beside, direction, minus, norm, times};

/// The variable of a joint that a relation names.
fn variable_of(relation: &Relation, name: &String, joints: &[JointRows]) -> Result<usize, WorldError> {
    let known = |rows: &&JointRows| &rows.name == name || rows.names.contains(name);
    let found = joints.iter().find(known).and_then(|rows| {
        let k = rows.names.iter().position(|variable| variable == name).unwrap_or(0);
        rows.variables.get(k)
    });
    found.copied().ok_or_else(|| WorldError::Unknown {
        by: relation.name.clone(),
        what: "joint with a coordinate",
        name: name.clone(),
    })
}

impl Builder<'_> {
    pub(super) fn relations(
        &mut self,
        joints: &[JointRows],
    ) -> Result<(Vec<Linked>, Vec<Drive>), WorldError> {
        let (mut linked, mut drives) = (Vec::new(), Vec::new());
        for (joint, rows) in self.world.joints.iter().zip(joints) {
            let pair = match (joint.kind.clone(), rows.variables.as_slice()) {
                // slid = pitch/2π turned
                (JointKind::Screw { pitch }, &[turn, slide]) => {
                    Some(([slide, turn], pitch / std::f64::consts::TAU))
                }
                // what rolls to the right turns against the third axis
                (JointKind::Rolling { radius }, &[slide, turn]) => Some(([slide, turn], -radius)),
                _ => None,
            };
            if let Some((variables, ratio)) = pair {
                linked.push(Linked::new(self.constraints.len(), variables, vec![0.0, ratio]));
                let name = format!("{}.together", joint.name);
                self.constraints.push(Constraint::damped_spring(name, joint.compliance, joint.relaxation));
            }
        }
        for relation in &self.world.relations {
            let found = relation.names().map(|name| variable_of(relation, name, joints));
            let found: Vec<usize> = found.collect::<Result<_, _>>()?;
            let (pair, further) = ([found[0], found[1]], &found[2..]);
            let ratios = relation.further.iter().map(|(_, ratio)| *ratio);
            let row = Linked::new(self.constraints.len(), pair, relation.polynomial.clone());
            linked.push(row.with(further.iter().copied().zip(ratios)));
            let row = Constraint::damped_spring(&relation.name, relation.compliance, relation.relaxation);
            self.constraints.push(row);
        }
        for (joint, rows) in self.world.joints.iter().zip(joints) {
            if let (Some(course), Some(&variable)) = (&joint.drive, rows.variables.first()) {
                drives.push(Drive::new(self.constraints.len(), variable, course.clone()));
                let [compliance, relaxation] = joint.drive_compliance;
                let name = format!("{}.drive", joint.name);
                self.constraints.push(Constraint::damped_spring(name, compliance, relaxation));
            }
        }
        Ok((linked, drives))
    }

    /// Balls that roll on planes of the ground; these rows come last.
    pub(super) fn rolling(
        &mut self,
        frames: &[JointFrame],
        bodies: &[Inertia],
    ) -> Result<Vec<Rolling>, WorldError> {
        let mut all = Vec::new();
        if self.world.dimension == Dimension::Plane {
            return Ok(all);
        }
        for (joint, frame) in self.world.joints.iter().zip(frames) {
            let JointKind::Rolling { radius } = joint.kind else { continue };
            let ([None, Some(body)], true) = (frame.bodies, radius > 0.0) else {
                let why = "a ball rolls on the ground, and has a radius";
                return Err(WorldError::NotHere { joint: joint.name.clone(), why });
            };
            let row = self.constraints.len();
            for name in ["roll1", "roll2"] {
                self.constraints.push(Constraint::nonholonomic(format!("{}.{name}", joint.name)));
            }
            let to_contact = times(-radius, frame.axis);
            all.push(Rolling::new(bodies[body].place, row, beside(frame.axis), to_contact));
        }
        Ok(all)
    }

    fn touched(&self, by: &str, between: &[String; 2]) -> Result<Touched, WorldError> {
        let bodies = [self.index.body(by, &between[0])?, self.index.body(by, &between[1])?];
        Ok(Touched { bodies: bodies.map(|body| self.place(body)), variables: Vec::new() })
    }

    /// Springs, dampers and armature of ball joints.
    pub(super) fn ball_forces(&self, frames: &[JointFrame]) -> Result<Vec<BallForce>, WorldError> {
        let joints = self.world.joints.iter().zip(frames).enumerate();
        let acted =
            joints.filter(|(_, (joint, _))| joint.kind == JointKind::Spherical && joint.is_acted_on());
        acted.map(|(k, (joint, frame))| self.ball_force(k, joint, frame)).collect()
    }

    fn ball_force(&self, number: usize, joint: &Joint, frame: &JointFrame) -> Result<BallForce, WorldError> {
        if self.world.dimension == Dimension::Plane {
            let why = "in the plane a joint that springs and dampers act on is 'revolute'";
            return Err(WorldError::NotHere { joint: joint.name.clone(), why });
        }
        let first = |list: &[f64]| list.first().copied().unwrap_or(0.0);
        let from_given = joint.rest.as_slice().try_into().unwrap_or([0.0; 3]);
        let [one, two] = frame.rotations;
        let given = product(conjugate(one), two);
        Ok(BallForce {
            joint: number,
            touched: Touched { bodies: frame.bodies.map(|body| self.place(body)), variables: Vec::new() },
            rest: product(about(from_given, norm(from_given)), given),
            stiffness: first(&joint.stiffness),
            damping: first(&joint.damping),
            armature: first(&joint.armature),
            to_mass: Scatter::default(),
            to_stiffness: Scatter::default(),
            to_damping: Scatter::default(),
        })
    }

    pub(super) fn gaps(&self, generic: &[f64]) -> Result<Vec<Gap>, WorldError> {
        let springs = self.world.springs.iter().map(|spring| self.spring(spring, generic));
        let contacts = self.world.contacts.iter().map(|contact| self.contact(contact, generic));
        springs.chain(contacts).collect()
    }

    fn spring(&self, spring: &Spring, generic: &[f64]) -> Result<Gap, WorldError> {
        let touched = self.touched(&spring.name, &spring.between)?;
        let ends = [0, 1].map(|k| touched.bodies[k].pose(&self.q).point(spring.ends[k]));
        let length = spring.length.unwrap_or_else(|| norm(minus(ends[1], ends[0])));
        let measure = Measure::Distance(Distance { touched, points: spring.ends, length });
        let law = Law::Spring { stiffness: spring.stiffness, damping: spring.damping };
        Ok(Gap::new(measure, law, generic))
    }

    fn contact(&self, contact: &Contact, generic: &[f64]) -> Result<Gap, WorldError> {
        let touched = self.touched(&contact.name, &contact.between)?;
        let (measure, radius) = match &contact.surface {
            Surface::Ball { centre, radius } => {
                let points = [*centre, contact.centre];
                (Measure::Distance(Distance { touched, points, length: 0.0 }), contact.radius + radius)
            }
            Surface::Plane { point, normal } => {
                let missing = WorldError::Missing { joint: contact.name.clone(), what: "normal" };
                let link = Link {
                    touched,
                    freedoms: Vec::new(),
                    points: [*point, contact.centre],
                    together: false,
                    planes: vec![direction(*normal).ok_or(missing)?],
                    perpendicular: Vec::new(),
                    angle: None,
                };
                (Measure::Height(link), contact.radius)
            }
        };
        Ok(Gap::new(measure, Law::Hertz { contact: contact.law, radius }, generic))
    }

    pub(super) fn loads(&self) -> Result<Vec<BodyLoad>, WorldError> {
        let load = |load: &crate::description::Load| {
            let place = self.place(self.index.body(&load.name, &load.on)?);
            Ok(BodyLoad::new(place, load.at, load.force.clone(), load.torque.clone()))
        };
        self.world.loads.iter().map(load).collect()
    }
}
