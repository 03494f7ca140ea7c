//! Springs, loads, friction, limits, contacts.

use crate::course::Course;
use crate::vector::Vector;

/// A spring with a damper between two points: stiffness (length − rest) + damping length'.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// its name
    pub name: String,
    /// the bodies, or the ground
    pub between: [String; 2],
    /// its ends, in the axes of each body
    pub ends: [Vector; 2],
    /// its length at rest; that of the start when there is none
    pub length: Option<f64>,
    /// k
    pub stiffness: f64,
    /// c
    pub damping: f64,
}

/// A force at a point of a body and a torque, in the world.
#[derive(Clone, Debug)]
pub struct Load {
    /// its name
    pub name: String,
    /// the body
    pub on: String,
    /// where the force acts, in body axes
    pub at: Vector,
    /// the force
    pub force: [Option<Course>; 3],
    /// the torque
    pub torque: [Option<Course>; 3],
}

/// Friction −coulomb tanh(rate/at) − viscous rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// what dry friction resists with
    pub coulomb: f64,
    /// viscous friction by rate
    pub viscous: f64,
    /// the rate at which dry friction has three quarters of its strength
    pub at: f64,
}

/// One-sided springs with dampers that never pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// the least value
    pub from: f64,
    /// the largest value
    pub to: f64,
    /// k
    pub stiffness: f64,
    /// c
    pub damping: f64,
}

/// Hertz' law with the damping of Hunt and Crossley: k d^(3/2) (1 + c d') at depth d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hertz {
    /// k
    pub stiffness: f64,
    /// c
    pub damping: f64,
}

/// What a ball touches.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// a plane of a body (or the ground): a point and the normal, in its axes
    Plane {
        /// a point of the plane
        point: Vector,
        /// the normal, towards the ball
        normal: Vector,
    },
    /// another ball: its centre in body axes and its radius
    Ball {
        /// the centre
        centre: Vector,
        /// the radius
        radius: f64,
    },
}

/// A ball of the second body that touches a surface of the first, without friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// its name
    pub name: String,
    /// the body with the surface and the one with the ball
    pub between: [String; 2],
    /// the surface
    pub surface: Surface,
    /// the centre of the ball, in the axes of the second body
    pub centre: Vector,
    /// its radius
    pub radius: f64,
    /// its law
    pub law: Hertz,
}
