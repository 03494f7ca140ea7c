//! Bodies, joints and springs of a model as a scene.

use std::path::Path;

use taut_bodies::{
    Body, Dimension, GROUND, Joint, JointKind, Point, Quaternion, Shape, Vector, World, about,
};
use taut_report::scene::{self, Item, Number, Place, Scene, Solid};

use super::stl;
use crate::integration::poses::{OF_BODY, OF_JOINT};

/// A body without a shape and without joints is a ball of this share of the size of everything.
const SMALL: f64 = 0.02;

/// Puts bodies, joints and springs into a scene whose channels from `first` on are their poses and forces.
pub(super) fn add(world: &World, folder: &Path, first: usize, scene: &mut Scene) {
    let start = scene.items.len();
    let bodies = Bodies { world, first, start };
    let mut items: Vec<Item> = (0..world.bodies.len()).map(|k| bodies.body(k, folder)).collect();
    items.extend(
        (0..world.bodies.len()).filter(|&k| world.bodies[k].shapes.is_empty()).flat_map(|k| bodies.rods(k)),
    );
    items.extend((0..world.joints.len()).map(|k| bodies.joint(k)));
    items.extend(world.joints.iter().filter_map(|joint| bodies.rod_of(joint)));
    for spring in &world.springs {
        let end = |k: usize| bodies.place(&spring.between[k], spring.ends[k]);
        items.push(Item::Spring { name: spring.name.clone(), from: end(0), to: end(1), stress: None });
    }
    scene.items.extend(items);
}

struct Bodies<'a> {
    world: &'a World,
    /// the channel of the first number
    first: usize,
    /// the number of the first body among the items
    start: usize,
}

impl Bodies<'_> {
    fn channel(&self, body: usize, k: usize) -> Number {
        Number::Channel(self.first + OF_BODY * body + k)
    }

    fn body(&self, k: usize, folder: &Path) -> Item {
        let body = &self.world.bodies[k];
        let mut solids: Vec<Solid> = body.shapes.iter().filter_map(|shape| solid(shape, folder)).collect();
        if body.shapes.is_empty() && self.held(k).is_empty() {
            solids.push(scene::Shape::Sphere { radius: SMALL * self.size() }.into());
        }
        Item::Body {
            name: body.name.clone(),
            solids,
            colour: None,
            position: std::array::from_fn(|i| self.channel(k, i)),
            rotation: std::array::from_fn(|i| self.channel(k, 3 + i)),
        }
    }

    /// How far apart bodies are at the start.
    fn size(&self) -> f64 {
        let away = |body: &Body| body.position.iter().map(|x| x * x).sum::<f64>().sqrt();
        let farthest = self.world.bodies.iter().map(away).fold(0.0, f64::max);
        if farthest > 0.0 { farthest } else { 1.0 }
    }

    fn number_of(&self, name: &str) -> Option<usize> {
        self.world.bodies.iter().position(|body| body.name == name)
    }

    /// A place in the axes of a body, or of the ground.
    fn place(&self, body: &str, at: Vector) -> Place {
        match self.number_of(body) {
            Some(k) => Place::On { body: self.start + k, at },
            None => Place::World(at.map(Number::Fixed)),
        }
    }

    /// Where a joint is on one of its bodies: in body axes, or in the world.
    fn point_of(&self, joint: &Joint, side: usize) -> Option<Vector> {
        let name = &joint.between[side];
        let body = self.number_of(name);
        if let Some(points) = &joint.points {
            return match &points[side] {
                Point::At(at) => Some(*at),
                Point::Named(point) => self.world.bodies.get(body?)?.place_of(point),
            };
        }
        let at = joint.at?;
        Some(body.map_or(at, |body| {
            let body = &self.world.bodies[body];
            turned_back(self.turn_of(body), std::array::from_fn(|k| at[k] - body.position[k]))
        }))
    }

    /// The rotation of a body at the start; in the plane it is an angle.
    fn turn_of(&self, body: &Body) -> Quaternion {
        match self.world.dimension {
            Dimension::Space => body.rotation,
            Dimension::Plane => about([0.0, 0.0, 1.0], body.angle),
        }
    }

    /// What keeps two points at a distance.
    fn rod_of(&self, joint: &Joint) -> Option<Item> {
        if !matches!(joint.kind, JointKind::Distance { .. }) {
            return None;
        }
        let end = |side: usize| Some(self.place(&joint.between[side], self.point_of(joint, side)?));
        Some(Item::Line { name: joint.name.clone(), corners: vec![end(0)?, end(1)?], stress: None })
    }

    fn joint(&self, k: usize) -> Item {
        let joint = &self.world.joints[k];
        let side = if joint.between[1] == GROUND { 0 } else { 1 };
        let name = &joint.between[side];
        let at = self.place(name, self.point_of(joint, side).unwrap_or_default());
        let axis = joint.axis.unwrap_or([0.0, 0.0, 1.0]);
        let body = self.number_of(name).map(|body| &self.world.bodies[body]);
        let axis = body.map_or(axis, |body| turned_back(self.turn_of(body), axis));
        let force = self.first + OF_BODY * self.world.bodies.len() + OF_JOINT * k;
        Item::Joint {
            name: joint.name.clone(),
            kind: kind(&joint.kind),
            at,
            axis,
            reaction: Some(std::array::from_fn(|i| Number::Channel(force + i))),
            stress: None,
        }
    }

    /// Where a body is held: its joints and the ends of springs, in its axes.
    fn held(&self, body: usize) -> Vec<Vector> {
        let name = &self.world.bodies[body].name;
        let joints = self.world.joints.iter().flat_map(|joint| {
            let sides = (0..2).filter(|&side| joint.between[side] == *name);
            sides.filter_map(|side| self.point_of(joint, side)).collect::<Vec<_>>()
        });
        let springs = self.world.springs.iter().flat_map(|spring| {
            let sides = (0..2).filter(|&side| spring.between[side] == *name);
            sides.map(|side| spring.ends[side]).collect::<Vec<_>>()
        });
        joints.chain(springs).collect()
    }

    /// A body without a shape: rods from its middle to where it is held.
    fn rods(&self, body: usize) -> Vec<Item> {
        let on = |at: Vector| Place::On { body: self.start + body, at };
        let far = |at: &Vector| at.iter().any(|x| *x != 0.0);
        let rod = |at: Vector| Item::Line {
            name: String::new(),
            corners: vec![on([0.0; 3]), on(at)],
            stress: None,
        };
        self.held(body).into_iter().filter(far).map(rod).collect()
    }
}

fn solid(shape: &Shape, folder: &Path) -> Option<Solid> {
    let shape = match shape {
        Shape::Box(edges) => scene::Shape::Box(*edges),
        Shape::Cylinder(radius, length) => scene::Shape::Cylinder { radius: *radius, length: *length },
        Shape::Sphere(radius) => scene::Shape::Sphere { radius: *radius },
        Shape::Capsule(radius, length) => scene::Shape::Capsule { radius: *radius, length: *length },
        Shape::Mesh(file) => stl::read(&folder.join(file))?,
    };
    Some(shape.into())
}

fn kind(kind: &JointKind) -> scene::Joint {
    match kind {
        JointKind::Fixed => scene::Joint::Fixed,
        JointKind::Revolute | JointKind::Screw { .. } => scene::Joint::Revolute,
        JointKind::Prismatic => scene::Joint::Prismatic,
        JointKind::Cylindrical => scene::Joint::Cylindrical,
        JointKind::Spherical | JointKind::Universal { .. } => scene::Joint::Spherical,
        _ => scene::Joint::Other,
    }
}

/// A vector of the world in the axes that a quaternion w, x, y, z turns into.
fn turned_back([w, x, y, z]: [f64; 4], v: Vector) -> Vector {
    let cross = |a: Vector, b: Vector| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [-x, -y, -z];
    let twice = cross(axis, v).map(|part| 2.0 * part);
    let again = cross(axis, twice);
    std::array::from_fn(|k| v[k] + w * twice[k] + again[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_turn_back() {
        let quarter = std::f64::consts::FRAC_1_SQRT_2;
        let back = turned_back([quarter, 0.0, 0.0, quarter], [0.0, 1.0, 0.0]);
        assert!(back.iter().zip([1.0, 0.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{back:?}");
    }

    #[test]
    fn joints_are_where_turned_bodies_have_them() {
        let angle = std::f64::consts::FRAC_PI_2;
        let mut rod = Body::new("rod").at([0.0, 1.0, 0.0]);
        rod.angle = angle;
        let pin = Joint::revolute("pin", "ground", "rod").at([0.0; 3]);
        let world = World::plane().body(rod).joint(pin);
        let bodies = Bodies { world: &world, first: 0, start: 0 };
        let at = bodies.point_of(&world.joints[0], 1).unwrap_or_default();
        assert!(at.iter().zip([-1.0, 0.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{at:?}");
    }

    #[test]
    fn distances_are_drawn_as_rods() {
        let mut joint = Joint::new("rod", JointKind::Distance { length: None }, "ground", "ball");
        joint.points = Some([Point::At([0.0; 3]), Point::At([0.0, 0.1, 0.0])]);
        let world = World::new().body(Body::new("ball").at([1.0, 0.0, 0.0])).joint(joint);
        let bodies = Bodies { world: &world, first: 0, start: 2 };
        let rod = bodies.rod_of(&world.joints[0]);
        let far = Place::On { body: 2, at: [0.0, 0.1, 0.0] };
        assert!(matches!(&rod, Some(Item::Line { corners, .. }) if corners[1] == far), "{rod:?}");
    }
}
