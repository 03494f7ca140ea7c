//! Rigid bodies, joints, springs and loads: mechanisms as engineers describe them.
//!
//! A [`World`] is a description: bodies, joints, springs, loads. [`World::build`] makes a [`Mechanism`] of it, which is a
//! [`MechanicalSystem`](taut::system::MechanicalSystem) with all derivatives written by hand.
//!
//! ```
//! use taut::Solver;
//! use taut_bodies::{Body, Joint, World};
//!
//! let rod = Body::new("rod").mass(2.0).inertia([0.0, 0.0, 1.0 / 6.0]).at([0.5, 0.0, 0.0]);
//! let pendulum = World::plane()
//!     .gravity([0.0, -9.81, 0.0])
//!     .body(rod)
//!     .joint(Joint::revolute("pin", "ground", "rod").at([0.0, 0.0, 0.0]))
//!     .build()?;
//! let motion = Solver::mechanical(&pendulum).tolerance(1e-9).run(0.0, 1.0, &pendulum.start())?;
//! let joint = pendulum.joint_state(0, motion.q(), motion.v(), motion.lambda());
//! assert!(joint.coordinates[0] < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod course;
mod description;
mod doubts;
mod error;
mod frames;
mod import;
mod joined;
mod mechanism;
mod moments;
mod placing;
mod pose;
mod rotation;
mod vector;
mod world;

pub use course::Course;
pub use description::{
    Body, Contact, Freedom, Friction, GROUND, Hertz, Joint, JointKind, Limits, Load, Point, Relation, Shape,
    Spring, Surface,
};
pub use error::WorldError;
pub use import::{Ignore, ImportError, Imported, import, write_model};
pub use joined::Joined;
pub use mechanism::{BodyState, JointState, Mechanism};
pub use pose::Dimension;
pub use rotation::{IDENTITY, Quaternion, about, compose, euler};
pub use vector::Vector;
pub use world::World;
