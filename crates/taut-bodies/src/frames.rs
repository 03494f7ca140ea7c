//! Where joints are in their bodies, as the bodies are given.

use crate::description::{Freedom, Joint, JointKind, Point};
use crate::error::WorldError;
use crate::mechanism::LocalFreedom;
use crate::pose::Dimension;
use crate::rotation::{self, Quaternion};
use crate::vector::{Vector, beside, direction, dot, minus, plus};
use crate::world::{Index, World};

/// A joint in the axes of its bodies, as the bodies are given.
#[derive(Clone, Debug)]
pub(crate) struct JointFrame {
    /// the bodies; nothing for the ground
    pub(crate) bodies: [Option<usize>; 2],
    /// the point of the joint in either body
    pub(crate) points: [Vector; 2],
    /// unit vector in the world as it is given
    pub(crate) axis: Vector,
    /// its freedoms, in the axes of the first body
    pub(crate) freedoms: Vec<LocalFreedom>,
    /// their names
    pub(crate) names: Vec<String>,
    /// the rotations of the bodies as they are given
    pub(crate) rotations: [Quaternion; 2],
    /// their angles in the plane
    angles: [f64; 2],
    /// the point of the joint on either body, in the world
    pub(crate) given: [Vector; 2],
}

impl JointFrame {
    /// The angle from the first body to the second, in the plane.
    pub(crate) fn plane_angle(&self) -> f64 {
        self.angles[1] - self.angles[0]
    }
}

/// A body where it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) x: Vector,
    pub(crate) p: Quaternion,
    /// in the plane
    pub(crate) angle: f64,
    pub(crate) velocity: Vector,
    pub(crate) spin: Vector,
}

impl Placed {
    const GROUND: Placed =
        Placed { x: [0.0; 3], p: rotation::IDENTITY, angle: 0.0, velocity: [0.0; 3], spin: [0.0; 3] };

    pub(crate) fn into_body(self, point: Vector) -> Vector {
        rotation::rotate(rotation::conjugate(self.p), minus(point, self.x))
    }

    fn vector_into_body(self, vector: Vector) -> Vector {
        rotation::rotate(rotation::conjugate(self.p), vector)
    }
}

pub(crate) fn as_given(world: &World) -> Vec<Placed> {
    let placed = world.bodies.iter().map(|body| {
        let (p, angle) = match world.dimension {
            Dimension::Space => (rotation::normalised(body.rotation), 0.0),
            Dimension::Plane => (rotation::about([0.0, 0.0, 1.0], body.angle), body.angle),
        };
        Placed { x: body.position, p, angle, velocity: body.velocity, spin: body.spin }
    });
    placed.collect()
}

pub(crate) fn of(placed: &[Placed], body: Option<usize>) -> Placed {
    body.map_or(Placed::GROUND, |k| placed[k])
}

impl World {
    /// All joints in the axes of their bodies.
    pub(crate) fn joint_frames(&self) -> Result<Vec<JointFrame>, WorldError> {
        let given = as_given(self);
        let index = self.index();
        self.joints.iter().map(|joint| self.joint_frame(joint, &given, &index)).collect()
    }

    fn joint_frame(
        &self,
        joint: &Joint,
        given: &[Placed],
        index: &Index<'_>,
    ) -> Result<JointFrame, WorldError> {
        let [first, second] = &joint.between;
        let bodies = [index.body(&joint.name, first)?, index.body(&joint.name, second)?];
        if first == second {
            return Err(WorldError::SameBody { joint: joint.name.clone(), body: first.clone() });
        }
        let [one, two] = bodies.map(|body| of(given, body));
        let points = self.joint_points(joint, bodies, [one, two])?;
        let axis = self.joint_axis(joint)?;
        let at = plus(one.x, rotation::rotate(one.p, points[0]));
        let freedoms = self.freedoms(joint, axis, at)?;
        check_counts(joint, freedoms.len())?;
        let local = |freedom: &Freedom| LocalFreedom {
            turns: freedom.turns,
            axis: one.vector_into_body(direction(freedom.axis).unwrap_or([0.0; 3])),
            anchor: one.into_body(freedom.at),
            zero: freedom.zero,
        };
        Ok(JointFrame {
            bodies,
            points,
            axis,
            names: freedoms.iter().map(|freedom| freedom.name.clone()).collect(),
            freedoms: freedoms.iter().map(local).collect(),
            rotations: [one.p, two.p],
            angles: [one.angle, two.angle],
            given: [at, plus(two.x, rotation::rotate(two.p, points[1]))],
        })
    }

    fn joint_points(
        &self,
        joint: &Joint,
        bodies: [Option<usize>; 2],
        [one, two]: [Placed; 2],
    ) -> Result<[Vector; 2], WorldError> {
        if let Some([first, second]) = &joint.points {
            let second = self.point_of(joint, bodies[1], second)?;
            // A name says nothing on the ground: there it is where the other one is.
            let first = match (bodies[0], first) {
                (None, Point::Named(_)) => plus(two.x, rotation::rotate(two.p, second)),
                (body, point) => self.point_of(joint, body, point)?,
            };
            return Ok([first, second]);
        }
        let anywhere = matches!(
            joint.kind,
            JointKind::Fixed
                | JointKind::Prismatic
                | JointKind::Planar
                | JointKind::Rolling { .. }
                | JointKind::Serial(_)
        );
        let at = match joint.at {
            Some(at) => at,
            None if anywhere && bodies[1].is_some() => two.x,
            None => {
                return Err(WorldError::Missing {
                    joint: joint.name.clone(),
                    what: "place ('at' or 'points')",
                });
            }
        };
        Ok([one.into_body(at), two.into_body(at)])
    }

    fn point_of(&self, joint: &Joint, body: Option<usize>, point: &Point) -> Result<Vector, WorldError> {
        let name = match point {
            Point::At(place) => return Ok(*place),
            Point::Named(name) => name,
        };
        let known = body.and_then(|k| self.bodies[k].place_of(name));
        known.ok_or_else(|| WorldError::Unknown { by: joint.name.clone(), what: "point", name: name.clone() })
    }

    fn joint_axis(&self, joint: &Joint) -> Result<Vector, WorldError> {
        let plane = self.dimension == Dimension::Plane;
        let needed = match joint.kind {
            JointKind::Fixed | JointKind::Spherical | JointKind::Distance { .. } | JointKind::Serial(_) => {
                false
            }
            JointKind::Revolute => !plane,
            _ => true,
        };
        match joint.axis.and_then(direction) {
            Some(axis) => Ok(axis),
            None if needed => Err(WorldError::Missing { joint: joint.name.clone(), what: "axis" }),
            None => Ok([0.0, 0.0, 1.0]),
        }
    }

    /// The freedoms of a joint, in the world.
    fn freedoms(&self, joint: &Joint, axis: Vector, at: Vector) -> Result<Vec<Freedom>, WorldError> {
        let not_here = |why| Err(WorldError::NotHere { joint: joint.name.clone(), why });
        let plane = self.dimension == Dimension::Plane;
        let turn = |axis| Freedom { name: String::new(), turns: true, axis, at, zero: 0.0 };
        let slide = |axis| Freedom { turns: false, ..turn(axis) };
        let mut freedoms = match &joint.kind {
            JointKind::Fixed | JointKind::Spherical | JointKind::Distance { .. } => Vec::new(),
            JointKind::Revolute => vec![turn(if plane { [0.0, 0.0, 1.0] } else { axis })],
            JointKind::Prismatic => vec![slide(axis)],
            JointKind::PointOnLine if plane => vec![slide(axis), turn([0.0, 0.0, 1.0])],
            JointKind::PointOnLine => Vec::new(),
            JointKind::Rolling { .. } if plane => vec![slide(axis), turn([0.0, 0.0, 1.0])],
            JointKind::Rolling { .. } => Vec::new(),
            _ if plane && !matches!(joint.kind, JointKind::Serial(_)) => {
                return not_here("there are no joints of this kind in the plane");
            }
            JointKind::Cylindrical | JointKind::Screw { .. } => vec![turn(axis), slide(axis)],
            JointKind::Universal { second } => match direction(*second) {
                Some(second) if dot(second, axis).abs() < 1e-9 => vec![turn(axis), turn(second)],
                _ => return not_here("the axes of a universal joint are at right angles"),
            },
            JointKind::Planar => {
                let [x, y] = beside(axis);
                vec![slide(x), slide(y), turn(axis)]
            }
            JointKind::Serial(freedoms) => freedoms.clone(),
        };
        if freedoms.iter().any(|freedom| direction(freedom.axis).is_none()) {
            return Err(WorldError::Missing {
                joint: joint.name.clone(),
                what: "axis for one of its freedoms",
            });
        }
        let several = freedoms.len() > 1;
        for (k, freedom) in freedoms.iter_mut().enumerate().filter(|(_, freedom)| freedom.name.is_empty()) {
            freedom.name = if several { format!("{}[{}]", joint.name, k + 1) } else { joint.name.clone() };
        }
        Ok(freedoms)
    }
}

fn check_counts(joint: &Joint, freedoms: usize) -> Result<(), WorldError> {
    let expected = match joint.kind {
        JointKind::Spherical => 3,
        JointKind::Screw { .. } => 1,
        _ => freedoms,
    };
    let wrong = |what, list: &[f64], expected| WorldError::Count {
        joint: joint.name.clone(),
        what,
        found: list.len(),
        expected,
    };
    for (what, list) in [("start", &joint.start), ("rate", &joint.rate)] {
        if !list.is_empty() && list.len() != expected {
            return Err(wrong(what, list, expected));
        }
    }
    // A ball joint has one strength for all directions, and springs rest at a rotation.
    let ball = joint.kind == JointKind::Spherical;
    let strengths = if ball { 1 } else { freedoms };
    for (what, list) in
        [("armature", &joint.armature), ("stiffness", &joint.stiffness), ("damping", &joint.damping)]
    {
        if strengths > 0 && list.len() > strengths {
            return Err(wrong(what, list, strengths));
        }
    }
    let rest = &joint.rest;
    match ball {
        true if !rest.is_empty() && rest.len() != 3 => Err(wrong("rest", rest, 3)),
        false if rest.len() > freedoms => Err(wrong("rest", rest, freedoms)),
        _ => Ok(()),
    }
}
