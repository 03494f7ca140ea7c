//! Which stiff springs go along in smooth motion, and which vibrations are followed.

pub(crate) mod averaged;
pub(crate) mod dependent;
pub(crate) mod fastest;
mod modes;
pub(crate) mod neglected;
pub(crate) mod smooth_motion;
mod third_derivative;
mod treated;
mod turning;
pub(crate) mod vibrations;

pub(crate) use fastest::{FastestSpring, fastest_spring};
pub(crate) use treated::TreatedSprings;
