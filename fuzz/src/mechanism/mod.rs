//! Random mechanisms: points in the plane, held by rods, stiff springs, soft springs and dampers, to each other, to the
//! ground, or to places that move. What they are is data; [text] writes it as a model file, [formulas] are its mechanics
//! written down a second time, and [judge] compares.

pub mod formulas;
pub mod judge;
mod making;
pub mod text;

pub use making::make;

use serde::{Deserialize, Serialize};

/// A point with a mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// its mass
    pub mass: f64,
    /// where it begins
    pub place: [f64; 2],
    /// how it begins to move
    pub velocity: [f64; 2],
}

/// Where a link begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// at a point
    Point(usize),
    /// at a place
    Ground([f64; 2]),
    /// at a place that swings: place + amplitude sin(frequency t)
    Driven {
        /// in the middle
        place: [f64; 2],
        /// by so much
        amplitude: [f64; 2],
        /// so fast
        frequency: f64,
    },
}

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    /// a rod: distance − length = 0
    Rod,
    /// the same rod, written as (distance² − length²)/2 = 0
    SquaredRod,
    /// a stiff spring: a rod with a compliance, and a relaxation time that may be 0
    Stiff {
        /// 1/stiffness
        compliance: f64,
        /// damping/stiffness
        relaxation: f64,
    },
    /// a soft spring, by its potential
    Spring {
        /// its stiffness
        stiffness: f64,
    },
    /// a damper: a force against the velocity of its ends relative to each other
    Damper {
        /// force by velocity
        strength: f64,
    },
}

/// A link between an end and a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// from here
    pub from: End,
    /// to this point
    pub to: usize,
    /// what it is
    pub kind: Kind,
    /// as long as this at rest
    pub length: f64,
}

/// A mechanism.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mechanism {
    /// its points
    pub points: Vec<Point>,
    /// what holds them
    pub links: Vec<Link>,
    /// downwards
    pub gravity: f64,
    /// how long it is followed
    pub end: f64,
}

impl Link {
    /// Whether it is a constraint of the model, with a multiplier.
    pub fn is_constraint(&self) -> bool {
        matches!(self.kind, Kind::Rod | Kind::SquaredRod | Kind::Stiff { .. })
    }

    /// Whether it is rigid.
    pub fn is_rigid(&self) -> bool {
        matches!(self.kind, Kind::Rod | Kind::SquaredRod)
    }
}

impl Mechanism {
    /// Whether nothing takes energy out or puts it in, and no spring is so stiff that its vibrations may be damped.
    pub fn is_conservative(&self) -> bool {
        self.links.iter().all(|link| {
            let moves = matches!(link.from, End::Driven { .. });
            !moves && !matches!(link.kind, Kind::Damper { .. } | Kind::Stiff { .. })
        })
    }

    /// Whether nothing puts energy in.
    pub fn is_passive(&self) -> bool {
        self.links.iter().all(|link| !matches!(link.from, End::Driven { .. }))
    }

    /// The stiffness of all soft springs.
    pub fn stiffness(&self) -> f64 {
        let stiffnesses = self.links.iter().map(|link| match link.kind {
            Kind::Spring { stiffness } => stiffness,
            _ => 0.0,
        });
        stiffnesses.sum()
    }

    /// The energy by which springs that store so much differ when lengths are rounded, with positions of this size.
    pub fn energy_of_rounding(&self, reach: f64, stored: f64) -> f64 {
        let stiffnesses = self.links.iter().map(|link| match link.kind {
            Kind::Spring { stiffness } => stiffness,
            Kind::Stiff { compliance, .. } => 1.0 / compliance,
            _ => 0.0,
        });
        let (stiffness, rounded) = (stiffnesses.sum::<f64>(), 4.0 * f64::EPSILON * reach);
        stiffness * rounded.powi(2) + (2.0 * stored * stiffness).sqrt() * rounded
    }

    /// The energy that springs with dampers store when they are longer by this share.
    pub fn energy_of_strain(&self, strain: f64) -> f64 {
        let energies = self.links.iter().map(|link| match link.kind {
            Kind::Stiff { compliance, relaxation } if relaxation > 0.0 => {
                0.5 * (strain * link.length).powi(2) / compliance
            }
            _ => 0.0,
        });
        energies.sum()
    }
}
