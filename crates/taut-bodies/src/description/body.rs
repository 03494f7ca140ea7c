//! Bodies.

use crate::rotation::{self, IDENTITY, Quaternion};
use crate::vector::Vector;

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// its name
    pub name: String,
    /// its mass
    pub mass: f64,
    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass in body axes; in the plane Izz alone counts
    pub inertia: [f64; 6],
    /// the centre of mass at the start, in the world
    pub position: Vector,
    /// its rotation at the start
    pub rotation: Quaternion,
    /// more turns than a quaternion can tell, for a body in the plane: its angle
    pub angle: f64,
    /// the velocity of the centre of mass at the start
    pub velocity: Vector,
    /// the angular velocity at the start, in the world
    pub spin: Vector,
    /// names for places in body axes, from the centre of mass
    pub points: Vec<(String, Vector)>,
    /// what is drawn
    pub shapes: Vec<Shape>,
}

/// What is drawn of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// three edges
    Box(Vector),
    /// radius and length, along the third axis
    Cylinder(f64, f64),
    /// radius
    Sphere(f64),
    /// radius and length without the caps, along the third axis
    Capsule(f64, f64),
    /// a file
    Mesh(String),
}

impl Body {
    /// A body of mass 1 with the inertia of a ball of radius 1, at the origin.
    pub fn new(name: impl Into<String>) -> Self {
        Body {
            name: name.into(),
            mass: 1.0,
            inertia: [0.4, 0.4, 0.4, 0.0, 0.0, 0.0],
            position: [0.0; 3],
            rotation: IDENTITY,
            angle: 0.0,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            points: Vec::new(),
            shapes: Vec::new(),
        }
    }

    /// Its mass.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = mass;
        self
    }

    /// Ixx, Iyy, Izz about the centre of mass, in body axes.
    pub fn inertia(mut self, [xx, yy, zz]: Vector) -> Self {
        self.inertia = [xx, yy, zz, 0.0, 0.0, 0.0];
        self
    }

    /// Where the centre of mass is at the start.
    pub fn at(mut self, position: Vector) -> Self {
        self.position = position;
        self
    }

    /// How it is turned at the start: by an angle about an axis.
    pub fn rotated(mut self, axis: Vector, angle: f64) -> Self {
        self.rotation = rotation::about(axis, angle);
        self.angle = angle * axis[2].signum();
        self
    }

    /// The velocity of the centre of mass at the start.
    pub fn velocity(mut self, velocity: Vector) -> Self {
        self.velocity = velocity;
        self
    }

    /// The angular velocity at the start, in the world.
    pub fn spin(mut self, spin: Vector) -> Self {
        self.spin = spin;
        self
    }

    /// A name for a place in body axes, from the centre of mass.
    pub fn point(mut self, name: impl Into<String>, place: Vector) -> Self {
        self.points.push((name.into(), place));
        self
    }

    /// The place of a named point.
    pub fn place_of(&self, name: &str) -> Option<Vector> {
        self.points.iter().find(|(known, _)| known == name).map(|(_, place)| *place)
    }
}
