//! Which rows a joint is made of.

use super::bond::Bond;
use super::distance::Distance;
use super::link::Link;
use super::local::Touched;
use crate::description::{Joint, JointKind};
use crate::frames::JointFrame;
use crate::pose::{Dimension, Place};
use crate::rotation::{conjugate, rotate};
use crate::vector::{Vector, beside, minus, norm};

/// The rows of a joint between two bodies; `variables` are its coordinates among those of the system.
pub(crate) fn bond(
    joint: &Joint,
    frame: &JointFrame,
    places: [Place; 2],
    variables: &[usize],
    given: [Vector; 2],
) -> Bond {
    let touched = Touched { bodies: places, variables: variables.to_vec() };
    if let JointKind::Distance { length } = joint.kind {
        let apart = norm(minus(given[1], given[0]));
        return Bond::Distance(Distance { touched, points: frame.points, length: length.unwrap_or(apart) });
    }
    let dimension = places[0].dimension;
    let link = Link {
        freedoms: if variables.is_empty() { Vec::new() } else { frame.freedoms.clone() },
        touched,
        points: frame.points,
        together: false,
        planes: Vec::new(),
        perpendicular: Vec::new(),
        angle: None,
    };
    let rows = Rows { frame, link };
    Bond::Link(match dimension {
        Dimension::Plane => rows.in_plane(joint),
        Dimension::Space if !variables.is_empty() => rows.with_variables(),
        Dimension::Space => rows.in_space(joint),
    })
}

struct Rows<'a> {
    frame: &'a JointFrame,
    link: Link,
}

impl Rows<'_> {
    fn seen_from(&self, body: usize, vector: Vector) -> Vector {
        rotate(conjugate(self.frame.rotations[body]), vector)
    }

    /// A direction of the world, at the start, that a vector of each body has.
    fn perpendicular(&mut self, first: Vector, second: Vector) {
        let pair = [self.seen_from(0, first), self.seen_from(1, second)];
        self.link.perpendicular.push(pair);
    }

    /// The second body keeps its rotation, but for the freedoms of the joint.
    fn same_rotation(&mut self) {
        let [b, c] = beside(self.frame.axis);
        for (first, second) in [(b, c), (c, self.frame.axis), (self.frame.axis, b)] {
            self.perpendicular(first, second);
        }
    }

    fn planes(&mut self, directions: &[Vector]) {
        let directions: Vec<Vector> = directions.iter().map(|&d| self.seen_from(0, d)).collect();
        self.link.planes.extend(directions);
    }

    fn with_variables(mut self) -> Link {
        self.link.together = true;
        self.same_rotation();
        self.link
    }

    fn in_space(mut self, joint: &Joint) -> Link {
        let axis = self.frame.axis;
        let [b, c] = beside(axis);
        match &joint.kind {
            JointKind::Spherical => self.link.together = true,
            JointKind::Revolute => {
                self.link.together = true;
                self.perpendicular(axis, b);
                self.perpendicular(axis, c);
            }
            JointKind::Universal { second } => {
                self.link.together = true;
                self.perpendicular(axis, *second);
            }
            JointKind::Prismatic => {
                self.planes(&[b, c]);
                self.same_rotation();
            }
            JointKind::Cylindrical => {
                self.planes(&[b, c]);
                self.perpendicular(axis, b);
                self.perpendicular(axis, c);
            }
            JointKind::Planar => {
                self.planes(&[axis]);
                self.perpendicular(axis, b);
                self.perpendicular(axis, c);
            }
            JointKind::PointOnLine => self.planes(&[b, c]),
            JointKind::Rolling { .. } => self.planes(&[axis]),
            JointKind::Fixed
            | JointKind::Screw { .. }
            | JointKind::Distance { .. }
            | JointKind::Serial(_) => {
                self.link.together = true;
                self.same_rotation();
            }
        }
        self.link
    }

    fn in_plane(mut self, joint: &Joint) -> Link {
        let offset = self.frame.plane_angle();
        let axis = self.frame.axis;
        let normal = [-axis[1], axis[0], 0.0];
        let variables = !self.link.freedoms.is_empty();
        match &joint.kind {
            JointKind::Revolute | JointKind::Spherical => {
                self.link.together = true;
                self.link.angle = variables.then_some(offset);
            }
            JointKind::Prismatic if !variables => {
                self.planes(&[normal]);
                self.link.angle = Some(offset);
            }
            JointKind::PointOnLine if !variables => self.planes(&[normal]),
            _ => {
                self.link.together = true;
                self.link.angle = Some(offset);
            }
        }
        self.link
    }
}
