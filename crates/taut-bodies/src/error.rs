//! What can be wrong with a description.

use std::fmt;

use crate::moments::listed;

/// A description that is not one of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldError {
    /// a name is given twice
    Twice {
        /// the name
        name: String,
    },
    /// there is no such body, joint or point
    Unknown {
        /// who asks
        by: String,
        /// what is asked for: "body", "joint", "point"
        what: &'static str,
        /// its name
        name: String,
    },
    /// a joint needs something that it does not have: a place, an axis, a radius
    Missing {
        /// the joint
        joint: String,
        /// what it needs
        what: &'static str,
    },
    /// a joint joins a body with itself
    SameBody {
        /// the joint
        joint: String,
        /// the body
        body: String,
    },
    /// a number that cannot be
    Number {
        /// of whom
        of: String,
        /// which one
        what: &'static str,
        /// the number
        found: f64,
    },
    /// a list of a wrong length
    Count {
        /// the joint
        joint: String,
        /// which list
        what: &'static str,
        /// its length
        found: usize,
        /// the number of coordinates
        expected: usize,
    },
    /// an inertia with a negative principal moment
    Moments {
        /// the body
        body: String,
        /// its principal moments, in ascending order
        found: [f64; 3],
    },
    /// the points of a distance joint coincide, and no other distance is asked for
    Coincident {
        /// the joint
        joint: String,
        /// where both points are
        at: [f64; 3],
    },
    /// something that there is in space or in the plane only, or not for such joints
    NotHere {
        /// the joint
        joint: String,
        /// why
        why: &'static str,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::Twice { name } => write!(f, "the name '{name}' is given twice"),
            WorldError::Unknown { by, what, name } => write!(f, "'{by}': there is no {what} '{name}'"),
            WorldError::Missing { joint, what } => write!(f, "'{joint}' has no {what}"),
            WorldError::SameBody { joint, body } => write!(f, "'{joint}' joins '{body}' with itself"),
            WorldError::Number { of, what, found } => write!(f, "{what} of '{of}' cannot be {found}"),
            WorldError::Count { joint, what, found, expected } => {
                write!(f, "{what} of '{joint}' has {found} numbers, {expected} are expected")
            }
            WorldError::Moments { body, found } => write!(
                f,
                "the inertia of '{body}' cannot be: its principal moments are {}, and none is negative",
                listed(*found)
            ),
            WorldError::Coincident { joint, at } => write!(
                f,
                "the points of '{joint}' are both at ({}): a distance of 0 has no direction in which a force could hold it; take \
                 'spherical' (in the plane 'revolute') to hold two points together",
                listed(*at)
            ),
            WorldError::NotHere { joint, why } => write!(f, "'{joint}': {why}"),
        }
    }
}

impl std::error::Error for WorldError {}
