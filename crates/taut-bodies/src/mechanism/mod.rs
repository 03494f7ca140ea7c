//! A mechanism as a solver sees it: rows and forces by element, on fixed patterns.

mod ball_force;
mod balls;
mod bond;
mod build;
mod chain;
mod distance;
mod elements;
mod gap;
mod inertia;
mod link;
mod load;
mod local;
mod pins;
mod row;
mod rows_of_joint;
mod state;
mod system;
mod variable;

use taut::system::Structure;

use crate::pose::Dimension;
use crate::vector::Vector;
use ball_force::BallForce;
use balls::Balls;
use bond::BondRows;
pub(crate) use chain::{Chain, LocalFreedom};
use gap::Gap;
use inertia::Inertia;
use load::BodyLoad;
use pins::Pins;
use row::{Drive, Linked, Rolling, Unit};
pub use state::{BodyState, JointState};
use variable::VariableForce;

/// Bodies, joints, springs and loads as a [`MechanicalSystem`](taut::system::MechanicalSystem).
///
/// A body has the coordinates of its centre of mass and a unit quaternion (in the plane x, y and an angle); joints with a drive,
/// a motor, armature, springs, friction or limits have their coordinates as variables of their own.
#[derive(Clone, Debug)]
pub struct Mechanism {
    dimension: Dimension,
    gravity: Vector,
    structure: Structure,
    names: Vec<String>,
    bodies: Vec<Inertia>,
    units: Vec<Unit>,
    bonds: Vec<BondRows>,
    pins: Pins,
    balls: Balls,
    joints: Vec<JointRows>,
    linked: Vec<Linked>,
    drives: Vec<Drive>,
    rolling: Vec<Rolling>,
    variables: Vec<VariableForce>,
    ball_forces: Vec<BallForce>,
    gaps: Vec<Gap>,
    loads: Vec<BodyLoad>,
    /// the values of the mass matrix where it is the same all along, in the plane; they are finite
    staying_mass: Vec<f64>,
    start: Vec<f64>,
}

/// What is known of a joint.
#[derive(Clone, Debug)]
struct JointRows {
    name: String,
    /// its number among the bonds
    bond: usize,
    /// its variables among the coordinates
    variables: Vec<usize>,
    /// their names, also where they are no variables
    names: Vec<String>,
    /// how coordinates are measured where they are no variables
    measures: Vec<Measured>,
}

/// A coordinate of a joint that is no variable.
#[derive(Clone, Copy, Debug)]
enum Measured {
    /// the turn about an axis of the first body, from a relative rotation
    Turn { axis: Vector, relative: crate::rotation::Quaternion },
    /// the angle between two bodies of the plane, from one at the start
    PlaneTurn { offset: f64 },
    /// the way along an axis of the first body
    Slide { axis: Vector },
}

impl Mechanism {
    /// Positions and velocities at the start, one after the other, as they follow from the description.
    pub fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    /// In the plane or in space.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The names of the bodies.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The names of the joints.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(|joint| joint.name.as_str())
    }

    /// The names of the coordinates of a joint, of those that are variables and of those that are not.
    pub fn joint_coordinates(&self, joint: usize) -> &[String] {
        &self.joints[joint].names
    }

    /// The mass of a body.
    pub fn mass_of(&self, body: usize) -> f64 {
        self.bodies[body].mass
    }

    /// Where the coordinates of a body begin.
    pub fn coordinates_of(&self, body: usize) -> usize {
        self.bodies[body].place.at.unwrap_or(0)
    }
}
