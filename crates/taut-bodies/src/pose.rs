//! Where a body is and how it moves: point, vector and spin, from the coordinates of the plane (x, y, angle) or of space (x, y,
//! z and a quaternion). Nothing else knows which coordinates a body has.

use crate::rotation::{self, Quaternion};
use crate::vector::{Vector, plus};

/// In which space a mechanism moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The plane: bodies have x, y and an angle.
    Plane,
    /// Space: bodies have x, y, z and a unit quaternion.
    Space,
}

impl Dimension {
    /// Numbers of a position.
    pub fn positions(self) -> usize {
        match self {
            Dimension::Plane => 2,
            Dimension::Space => 3,
        }
    }

    /// Numbers of an attitude.
    pub fn turns(self) -> usize {
        match self {
            Dimension::Plane => 1,
            Dimension::Space => 4,
        }
    }

    /// Coordinates of a body.
    pub fn coordinates(self) -> usize {
        self.positions() + self.turns()
    }
}

/// Which coordinates belong to a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) dimension: Dimension,
    /// where they begin; the ground has none
    pub(crate) at: Option<usize>,
}

/// The numbers of a local block: three of the position and four of the attitude.
pub(crate) const LOCAL: usize = 7;
/// Where the attitude begins in a local block.
pub(crate) const TURN: usize = 3;

impl Place {
    /// The coordinate behind a number of the local block.
    #[inline]
    pub(crate) fn coordinate(self, local: usize) -> Option<usize> {
        let at = self.at?;
        let (positions, turns) = (self.dimension.positions(), self.dimension.turns());
        match local.checked_sub(TURN) {
            None => (local < positions).then_some(at + local),
            Some(turn) => (turn < turns).then_some(at + positions + turn),
        }
    }

    #[inline]
    pub(crate) fn pose(self, q: &[f64]) -> Pose {
        let dimension = self.dimension;
        match (self.at, dimension) {
            (Some(k), Dimension::Space) => Pose {
                dimension,
                x: [q[k], q[k + 1], q[k + 2]],
                turn: [q[k + 3], q[k + 4], q[k + 5], q[k + 6]],
            },
            (Some(k), Dimension::Plane) => {
                let (sin, cos) = q[k + 2].sin_cos();
                Pose { dimension, x: [q[k], q[k + 1], 0.0], turn: [q[k + 2], cos, sin, 0.0] }
            }
            (None, Dimension::Space) => Pose { dimension, x: [0.0; 3], turn: rotation::IDENTITY },
            (None, Dimension::Plane) => Pose { dimension, x: [0.0; 3], turn: [0.0, 1.0, 0.0, 0.0] },
        }
    }

    /// The quaternion of a body in space.
    #[inline]
    pub(crate) fn quaternion(self, q: &[f64]) -> Quaternion {
        match self.at {
            Some(k) => std::array::from_fn(|i| q[k + TURN + i]),
            None => rotation::IDENTITY,
        }
    }

    #[inline]
    pub(crate) fn rate(self, v: &[f64]) -> Rate {
        match (self.at, self.dimension) {
            (Some(k), Dimension::Space) => {
                Rate { x: [v[k], v[k + 1], v[k + 2]], turn: [v[k + 3], v[k + 4], v[k + 5], v[k + 6]] }
            }
            (Some(k), Dimension::Plane) => Rate { x: [v[k], v[k + 1], 0.0], turn: [v[k + 2], 0.0, 0.0, 0.0] },
            (None, _) => Rate { x: [0.0; 3], turn: [0.0; 4] },
        }
    }
}

/// How the coordinates of a body change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) x: Vector,
    pub(crate) turn: [f64; 4],
}

/// Where a body is: its centre of mass, and its quaternion or (angle, cosine, sine).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    dimension: Dimension,
    pub(crate) x: Vector,
    turn: [f64; 4],
}

impl Pose {
    /// A vector of the body in the world.
    #[inline]
    pub(crate) fn vector(&self, s: Vector) -> Vector {
        match self.dimension {
            Dimension::Space => rotation::rotate(self.turn, s),
            Dimension::Plane => {
                let [_, cos, sin, _] = self.turn;
                [cos * s[0] - sin * s[1], sin * s[0] + cos * s[1], s[2]]
            }
        }
    }

    /// A point of the body in the world.
    #[inline]
    pub(crate) fn point(&self, s: Vector) -> Vector {
        plus(self.x, self.vector(s))
    }

    /// The rate of a vector of the body.
    #[inline]
    pub(crate) fn vector_rate(&self, rate: &Rate, s: Vector) -> Vector {
        match self.dimension {
            Dimension::Space => rotation::rotate_along(self.turn, rate.turn, s),
            Dimension::Plane => self.quarter_turn(s, rate.turn[0]),
        }
    }

    /// The rate of a point of the body.
    #[inline]
    pub(crate) fn point_rate(&self, rate: &Rate, s: Vector) -> Vector {
        plus(rate.x, self.vector_rate(rate, s))
    }

    /// The second time derivative of a vector (and of a point) while the rates stay as they are.
    pub(crate) fn bend(&self, rate: &Rate, s: Vector) -> Vector {
        match self.dimension {
            Dimension::Space => rotation::rotate(rate.turn, s).map(|x| 2.0 * x),
            Dimension::Plane => {
                let square = rate.turn[0] * rate.turn[0];
                let [x, y, _] = self.vector(s);
                [-square * x, -square * y, 0.0]
            }
        }
    }

    /// The gradient of f·(vector s) by the numbers of the attitude.
    #[inline]
    pub(crate) fn gradient(&self, s: Vector, f: Vector) -> [f64; 4] {
        match self.dimension {
            Dimension::Space => rotation::gradient(self.turn, s, f),
            Dimension::Plane => {
                let d = self.quarter_turn(s, 1.0);
                [f[0] * d[0] + f[1] * d[1], 0.0, 0.0, 0.0]
            }
        }
    }

    /// The derivatives of the three numbers of a vector by those of the attitude.
    #[inline]
    pub(crate) fn gradients(&self, s: Vector) -> [[f64; 4]; 3] {
        crate::vector::AXES.map(|axis| self.gradient(s, axis))
    }

    /// The second derivatives of f·(vector s).
    pub(crate) fn second(&self, s: Vector, f: Vector) -> [[f64; 4]; 4] {
        match self.dimension {
            Dimension::Space => rotation::form(s, f),
            Dimension::Plane => {
                let [x, y, _] = self.vector(s);
                let mut second = [[0.0; 4]; 4];
                second[0][0] = -(f[0] * x + f[1] * y);
                second
            }
        }
    }

    /// The force on the numbers of the attitude that a torque in the world is.
    pub(crate) fn torque(&self, torque: Vector) -> [f64; 4] {
        match self.dimension {
            Dimension::Space => {
                let p = self.turn;
                rotation::product([0.0, torque[0], torque[1], torque[2]], p).map(|x| 2.0 * x)
            }
            Dimension::Plane => [torque[2], 0.0, 0.0, 0.0],
        }
    }

    /// The angular velocity in the world.
    pub(crate) fn spin(&self, rate: &Rate) -> Vector {
        match self.dimension {
            Dimension::Space => rotation::spin(self.turn, rate.turn),
            Dimension::Plane => [0.0, 0.0, rate.turn[0]],
        }
    }

    /// The angle of a body in the plane, the quaternion of one in space.
    #[inline]
    pub(crate) fn turn(&self) -> [f64; 4] {
        self.turn
    }

    /// The rotation as a quaternion, in the plane as well.
    #[inline]
    pub(crate) fn quaternion(&self) -> Quaternion {
        match self.dimension {
            Dimension::Space => self.turn,
            Dimension::Plane => rotation::about([0.0, 0.0, 1.0], self.turn[0]),
        }
    }

    fn quarter_turn(&self, s: Vector, rate: f64) -> Vector {
        let [x, y, _] = self.vector(s);
        [-rate * y, rate * x, 0.0]
    }
}
