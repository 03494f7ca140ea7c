//! Joints.

use super::force::{Friction, Limits};
use crate::course::Course;
use crate::vector::Vector;

/// What a joint leaves free.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKind {
    /// nothing
    Fixed,
    /// turning about an axis
    Revolute,
    /// sliding along an axis
    Prismatic,
    /// sliding and turning
    Cylindrical,
    /// turning about two axes, the first fixed in the first body and the second in the second
    Universal {
        /// the second axis
        second: Vector,
    },
    /// turning about a point
    Spherical,
    /// moving in the plane across the axis, and turning about it
    Planar,
    /// everything but the distance of two points
    Distance {
        /// the distance; that of the start when there is none
        length: Option<f64>,
    },
    /// turning and sliding together
    Screw {
        /// how far it slides in a turn
        pitch: f64,
    },
    /// moving along a line of the first body, and turning about the point
    PointOnLine,
    /// a ball (in the plane a wheel) that rolls on a plane (a line) of the first body; the axis is the normal, in the plane the
    /// direction of the line
    Rolling {
        /// its radius
        radius: f64,
    },
    /// several hinges and slides one after the other
    Serial(Vec<Freedom>),
}

/// One hinge or slide of a joint, in the world at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    /// its name; that of the joint when there is one only
    pub name: String,
    /// whether it turns, or else slides
    pub turns: bool,
    /// its axis
    pub axis: Vector,
    /// a point of the axis
    pub at: Vector,
    /// the value of the variable where the bodies are given
    pub zero: f64,
}

/// A point of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Point {
    /// one that has a name
    Named(String),
    /// a place in body axes, from the centre of mass; of the ground a place in the world
    At(Vector),
}

impl From<&str> for Point {
    fn from(name: &str) -> Self {
        Point::Named(name.into())
    }
}

impl From<Vector> for Point {
    fn from(place: Vector) -> Self {
        Point::At(place)
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug)]
pub struct Joint {
    /// its name
    pub name: String,
    /// what it leaves free
    pub kind: JointKind,
    /// the bodies, or the ground
    pub between: [String; 2],
    /// where it is at the start, in the world
    pub at: Option<Vector>,
    /// points, one of each body, instead of `at`
    pub points: Option<[Point; 2]>,
    /// its axis at the start, in the world
    pub axis: Option<Vector>,
    /// c of g + d g' = c λ for every row
    pub compliance: f64,
    /// c of the rows that hold the rotation, where it is another one
    pub turn_compliance: Option<f64>,
    /// d
    pub relaxation: f64,
    /// its coordinates at the start
    pub start: Vec<f64>,
    /// their rates at the start
    pub rate: Vec<f64>,
    /// the coordinates are variables of their own, as for drives, armature, springs, friction, limits
    pub variables: bool,
    /// by coordinate: prescribed
    pub drive: Option<Course>,
    /// c and d of the drive: a servo with the gains k and b has 1/k and b/k
    pub drive_compliance: [f64; 2],
    /// rotor inertia or mass that goes along with a coordinate; of a ball joint one number, with the spin of one body in the other
    pub armature: Vec<f64>,
    /// stiffness of a spring on a coordinate; of a ball joint one number, on the angle of the rotation between its bodies
    pub stiffness: Vec<f64>,
    /// where these springs are at rest; of a ball joint three numbers, as in `start`
    pub rest: Vec<f64>,
    /// strength of a damper on a coordinate; of a ball joint one number
    pub damping: Vec<f64>,
    /// dry friction
    pub friction: Option<Friction>,
    /// one-sided springs, by coordinate
    pub limits: Vec<Option<Limits>>,
    /// a torque or force on a coordinate, by coordinate
    pub motors: Vec<Option<Course>>,
}

/// coordinate₁ = offset + ratio · coordinate₂ (+ further powers) + Σ ratioₖ · coordinateₖ: gears, racks, mimics, and tendons that
/// add joints up.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// its name
    pub name: String,
    /// the two joints, each with a variable of its own
    pub joints: [String; 2],
    /// coefficients of 1, x, x², ... of the second coordinate
    pub polynomial: Vec<f64>,
    /// further joints and their ratios
    pub further: Vec<(String, f64)>,
    /// c of g + d g' = c λ
    pub compliance: f64,
    /// d
    pub relaxation: f64,
}

impl Relation {
    /// coordinate₁ = ratio · coordinate₂
    pub fn gear(
        name: impl Into<String>,
        first: impl Into<String>,
        second: impl Into<String>,
        ratio: f64,
    ) -> Self {
        Relation {
            name: name.into(),
            joints: [first.into(), second.into()],
            polynomial: vec![0.0, ratio],
            further: Vec::new(),
            compliance: 0.0,
            relaxation: 0.0,
        }
    }

    /// The names of all joints that it relates.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.joints.iter().chain(self.further.iter().map(|(name, _)| name))
    }
}

impl Joint {
    /// One more spring with its damper on the first coordinate: two springs are one, which rests where they balance.
    pub fn add_spring(&mut self, stiffness: f64, damping: f64, rest: f64) {
        for list in [&mut self.stiffness, &mut self.damping, &mut self.rest] {
            if list.is_empty() {
                list.push(0.0);
            }
        }
        let both = self.stiffness[0] + stiffness;
        if both != 0.0 {
            self.rest[0] = (self.stiffness[0] * self.rest[0] + stiffness * rest) / both;
        }
        self.stiffness[0] = both;
        self.damping[0] += damping;
    }

    /// A joint of some kind between two bodies.
    pub fn new(
        name: impl Into<String>,
        kind: JointKind,
        first: impl Into<String>,
        second: impl Into<String>,
    ) -> Self {
        Joint {
            name: name.into(),
            kind,
            between: [first.into(), second.into()],
            at: None,
            points: None,
            axis: None,
            compliance: 0.0,
            turn_compliance: None,
            relaxation: 0.0,
            start: Vec::new(),
            rate: Vec::new(),
            variables: false,
            drive: None,
            drive_compliance: [0.0; 2],
            armature: Vec::new(),
            stiffness: Vec::new(),
            rest: Vec::new(),
            damping: Vec::new(),
            friction: None,
            limits: Vec::new(),
            motors: Vec::new(),
        }
    }

    /// Turning about an axis.
    pub fn revolute(name: impl Into<String>, first: impl Into<String>, second: impl Into<String>) -> Self {
        Joint::new(name, JointKind::Revolute, first, second)
    }

    /// Sliding along an axis.
    pub fn prismatic(name: impl Into<String>, first: impl Into<String>, second: impl Into<String>) -> Self {
        Joint::new(name, JointKind::Prismatic, first, second)
    }

    /// Turning about a point.
    pub fn spherical(name: impl Into<String>, first: impl Into<String>, second: impl Into<String>) -> Self {
        Joint::new(name, JointKind::Spherical, first, second)
    }

    /// Nothing free.
    pub fn fixed(name: impl Into<String>, first: impl Into<String>, second: impl Into<String>) -> Self {
        Joint::new(name, JointKind::Fixed, first, second)
    }

    /// Where it is at the start, in the world.
    pub fn at(mut self, place: Vector) -> Self {
        self.at = Some(place);
        self
    }

    /// Its points, one of each body: names, or places in body axes.
    pub fn points(mut self, first: impl Into<Point>, second: impl Into<Point>) -> Self {
        self.points = Some([first.into(), second.into()]);
        self
    }

    /// Its axis at the start, in the world.
    pub fn axis(mut self, axis: Vector) -> Self {
        self.axis = Some(axis);
        self
    }

    /// Its coordinate at the start, which places the bodies behind it.
    pub fn start(mut self, start: f64) -> Self {
        self.start = vec![start];
        self
    }

    /// The rate of its coordinate at the start, which moves the bodies behind it.
    pub fn rate(mut self, rate: f64) -> Self {
        self.rate = vec![rate];
        self
    }

    /// Its coordinate is prescribed.
    pub fn drive(mut self, course: Course) -> Self {
        self.drive = Some(course);
        self
    }

    /// A servo holds its coordinate near a course: stiffness and damping are its gains.
    pub fn servo(mut self, course: Course, stiffness: f64, damping: f64) -> Self {
        self.drive = Some(course);
        self.drive_compliance = [1.0 / stiffness, damping / stiffness];
        self
    }

    /// Every row is a spring g + d g' = c λ.
    pub fn compliance(mut self, compliance: f64, relaxation: f64) -> Self {
        (self.compliance, self.relaxation) = (compliance, relaxation);
        self
    }

    /// Its coordinates become variables of their own, which count whole turns.
    pub fn with_variables(mut self) -> Self {
        self.variables = true;
        self
    }

    /// Whether this is the joint, or the name of one of its freedoms.
    pub(crate) fn has_coordinate(&self, name: &str) -> bool {
        let of_freedom = match &self.kind {
            JointKind::Serial(freedoms) => freedoms.iter().any(|freedom| freedom.name == name),
            _ => false,
        };
        self.name == name || of_freedom
    }

    /// Whether it has armature, a spring or a damper.
    pub(crate) fn is_acted_on(&self) -> bool {
        let lists = [&self.armature, &self.stiffness, &self.damping];
        lists.iter().any(|list| list.iter().any(|&x| x != 0.0))
    }

    /// Whether its coordinates are variables of their own.
    pub fn has_variables(&self) -> bool {
        let moved = self.drive.is_some() || self.friction.is_some() || self.variables;
        // Those of a ball joint act on the rotation between its bodies.
        let acted = self.is_acted_on() && self.kind != JointKind::Spherical;
        let limited = self.limits.iter().any(Option::is_some) || self.motors.iter().any(Option::is_some);
        let always = matches!(self.kind, JointKind::Screw { .. } | JointKind::Serial(_));
        moved || acted || limited || always
    }
}
