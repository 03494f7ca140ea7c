//! Where joints are in their bodies, and where bodies are once `start` and `rate` of joints are taken into account.

use crate::description::{Freedom, Joint, JointKind, Point};
use crate::error::WorldError;
use crate::mechanism::{Chain, LocalFreedom};
use crate::pose::Dimension;
use crate::rotation::{self, Quaternion};
use crate::vector::{Vector, beside, cross, direction, dot, minus, plus, times};
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

    fn into_body(self, point: Vector) -> Vector {
        rotation::rotate(rotation::conjugate(self.p), minus(point, self.x))
    }

    fn vector_into_body(self, vector: Vector) -> Vector {
        rotation::rotate(rotation::conjugate(self.p), vector)
    }
}

fn as_given(world: &World) -> Vec<Placed> {
    let placed = world.bodies.iter().map(|body| {
        let (p, angle) = match world.dimension {
            Dimension::Space => (rotation::normalised(body.rotation), 0.0),
            Dimension::Plane => (rotation::about([0.0, 0.0, 1.0], body.angle), body.angle),
        };
        Placed { x: body.position, p, angle, velocity: body.velocity, spin: body.spin }
    });
    placed.collect()
}

fn of(placed: &[Placed], body: Option<usize>) -> Placed {
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
    for (what, list) in [("start", &joint.start), ("rate", &joint.rate)] {
        if !list.is_empty() && list.len() != expected {
            let joint = joint.name.clone();
            return Err(WorldError::Count { joint, what, found: list.len(), expected });
        }
    }
    Ok(())
}

/// The values of the coordinates of a joint at the start, where they place its bodies.
pub(crate) fn starts(joint: &Joint, frame: &JointFrame) -> Vec<f64> {
    let zero: Vec<f64> = frame.freedoms.iter().map(|freedom| freedom.zero).collect();
    match (&joint.kind, joint.start.as_slice()) {
        (_, []) => zero,
        (JointKind::Screw { pitch }, &[turn]) => vec![turn, turn * pitch / std::f64::consts::TAU],
        (_, start) => start.to_vec(),
    }
}

/// The rates of the coordinates at the start, when they are given.
pub(crate) fn rates(joint: &Joint) -> Option<Vec<f64>> {
    match (&joint.kind, joint.rate.as_slice()) {
        (_, []) => None,
        (JointKind::Screw { pitch }, &[turn]) => Some(vec![turn, turn * pitch / std::f64::consts::TAU]),
        (_, rate) => Some(rate.to_vec()),
    }
}

/// Goes from the ground outwards: each joint places and moves everything behind it.
pub(crate) fn place(world: &World, frames: &[JointFrame]) -> Vec<Placed> {
    let mut placed = as_given(world);
    let tree = Tree::new(world, frames);
    for &(k, reversed) in &tree.order {
        let (joint, frame) = (&world.joints[k], &frames[k]);
        if !joint.start.is_empty() {
            let [near, _] = ends(frame, reversed);
            move_behind(joint, frame, of(&placed, near), reversed, &tree.behind[k], &mut placed);
        }
    }
    for &(k, reversed) in &tree.order {
        let (joint, frame) = (&world.joints[k], &frames[k]);
        if let Some(rate) = rates(joint) {
            let one = of(&placed, frame.bodies[0]);
            let sign = if reversed { -1.0 } else { 1.0 };
            let (spin, through) = twist(joint, frame, one, &rate);
            for &body in &tree.behind[k] {
                let body = &mut placed[body];
                body.spin = plus(body.spin, times(sign, spin));
                body.velocity = plus(body.velocity, times(sign, plus(through, cross(spin, body.x))));
            }
        }
    }
    placed
}

fn ends(frame: &JointFrame, reversed: bool) -> [Option<usize>; 2] {
    let [first, second] = frame.bodies;
    if reversed { [second, first] } else { [first, second] }
}

/// Moves the bodies behind a joint by the motion that its start is.
fn move_behind(
    joint: &Joint,
    frame: &JointFrame,
    near: Placed,
    reversed: bool,
    behind: &[usize],
    placed: &mut [Placed],
) {
    let start = starts(joint, frame);
    // motion of the second body in the axes of the first
    let (mut turn, mut shift, turned) = match joint.kind {
        JointKind::Spherical => {
            let angle = crate::vector::norm([start[0], start[1], start[2]]);
            let turn = rotation::about([start[0], start[1], start[2]], angle);
            (turn, minus(frame.points[0], rotation::rotate(turn, frame.points[0])), 0.0)
        }
        _ => {
            let variables: Vec<usize> = (0..start.len()).collect();
            let chain = Chain::new(&frame.freedoms, &variables, &start);
            let turned = frame.freedoms.iter().zip(&start);
            let turned = turned.map(|(f, x)| if f.turns { f.axis[2] * (x - f.zero) } else { 0.0 }).sum();
            (chain.turn(), chain.point([0.0; 3]), turned)
        }
    };
    let mut sign = 1.0;
    if reversed {
        // The first body moves instead, against the motion; its axes are where the second one sees them.
        turn = rotation::conjugate(turn);
        shift = times(-1.0, rotation::rotate(turn, shift));
        sign = -1.0;
    }
    let origin = if reversed { of(placed, frame.bodies[0]) } else { near };
    for &k in behind {
        let body = &mut placed[k];
        let local = origin.into_body(body.x);
        body.x = plus(origin.x, rotation::rotate(origin.p, plus(rotation::rotate(turn, local), shift)));
        let inner = rotation::product(rotation::conjugate(origin.p), body.p);
        body.p = rotation::normalised(rotation::product(origin.p, rotation::product(turn, inner)));
        body.angle += sign * turned;
    }
}

/// Angular velocity, and velocity of what is at the origin of the world, of the motion that rates are.
fn twist(joint: &Joint, frame: &JointFrame, one: Placed, rates: &[f64]) -> (Vector, Vector) {
    if joint.kind == JointKind::Spherical {
        let spin = [rates[0], rates[1], rates[2]];
        let at = plus(one.x, rotation::rotate(one.p, frame.points[0]));
        return (spin, cross(at, spin));
    }
    let start = starts(joint, frame);
    let variables: Vec<usize> = (0..start.len()).collect();
    let chain = Chain::new(&frame.freedoms, &variables, &start);
    let (mut spin, mut through) = ([0.0; 3], [0.0; 3]);
    let origin = one.into_body([0.0; 3]);
    for (i, &rate) in rates.iter().enumerate() {
        let axis = rotation::rotate(one.p, chain.turning_axis(i));
        spin = plus(spin, times(rate, axis));
        through = plus(through, times(rate, rotation::rotate(one.p, chain.point_slope(i, origin))));
    }
    (spin, through)
}

/// Which joints place bodies, from the ground outwards.
struct Tree {
    /// joints, and whether their first body is the one that they place
    order: Vec<(usize, bool)>,
    /// by joint that has a start or a rate: the bodies that go along
    behind: Vec<Vec<usize>>,
}

impl Tree {
    fn new(world: &World, frames: &[JointFrame]) -> Tree {
        let count = world.bodies.len();
        // joints by body, those of the ground last
        let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for (k, frame) in frames.iter().enumerate().filter(|(k, _)| places(&world.joints[*k].kind)) {
            for body in frame.bodies {
                joints_of[body.unwrap_or(count)].push(k);
            }
        }
        let mut reached = vec![false; count];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut order = Vec::new();
        // Bodies that hang on nothing begin trees of their own.
        for root in std::iter::once(None).chain((0..count).map(Some)) {
            match root {
                Some(body) if reached[body] => continue,
                Some(body) => reached[body] = true,
                None => {}
            }
            let mut front = vec![root];
            let mut at = 0;
            while let Some(&near) = front.get(at) {
                at += 1;
                for &k in &joints_of[near.unwrap_or(count)] {
                    let reversed = frames[k].bodies[0] != near;
                    let [_, far] = ends(&frames[k], reversed);
                    if let Some(body) = far.filter(|&body| !reached[body]) {
                        reached[body] = true;
                        near.into_iter().for_each(|near| children[near].push(body));
                        order.push((k, reversed));
                        front.push(far);
                    }
                }
            }
        }
        let mut behind = vec![Vec::new(); frames.len()];
        for &(k, reversed) in &order {
            if !world.joints[k].start.is_empty() || !world.joints[k].rate.is_empty() {
                let [_, far] = ends(&frames[k], reversed);
                behind[k] = far.map_or_else(Vec::new, |body| with_descendants(body, &children));
            }
        }
        Tree { order, behind }
    }
}

fn with_descendants(body: usize, children: &[Vec<usize>]) -> Vec<usize> {
    let mut all = vec![body];
    let mut at = 0;
    while let Some(&body) = all.get(at) {
        all.extend(&children[body]);
        at += 1;
    }
    all
}

/// Whether a joint of this kind places what is behind it.
fn places(kind: &JointKind) -> bool {
    !matches!(kind, JointKind::Distance { .. } | JointKind::PointOnLine)
}
