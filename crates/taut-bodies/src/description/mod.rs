//! What a person says of a mechanism: bodies, joints, springs, loads.

mod body;
mod force;
mod joint;

pub use body::{Body, Shape};
pub use force::{Contact, Friction, Hertz, Limits, Load, Spring, Surface};
pub use joint::{Freedom, Joint, JointKind, Point, Relation};

/// The name of what does not move.
pub const GROUND: &str = "ground";
