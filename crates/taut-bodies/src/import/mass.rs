//! Mass, centre and inertia, and how they add up.

use roxmltree::Node;

use super::ImportError;
use super::xml::wrong;
use crate::error::WorldError;
use crate::moments::{has_negative_moment, principal_moments};
use crate::rotation::{Quaternion, rotate};
use crate::vector::{AXES, Vector, dot, minus, plus, times};

/// A symmetric matrix by rows.
pub(super) type Matrix = [Vector; 3];

/// A rigid mass in some frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mass {
    pub(super) mass: f64,
    pub(super) centre: Vector,
    /// about the centre, in the axes of the frame
    pub(super) inertia: Matrix,
}

impl Mass {
    pub(super) fn diagonal(mass: f64, [x, y, z]: Vector) -> Self {
        Mass { mass, centre: [0.0; 3], inertia: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]] }
    }

    /// The same body of another density.
    pub(super) fn times(self, factor: f64) -> Self {
        let inertia = self.inertia.map(|row| times(factor, row));
        Mass { mass: factor * self.mass, centre: self.centre, inertia }
    }

    /// The same mass seen from a frame in which this one is moved by `shift` and turned.
    pub(super) fn moved(self, shift: Vector, turn: Quaternion) -> Self {
        let columns = AXES.map(|axis| rotate(turn, axis));
        // R J Rᵀ
        let entry = |i: usize, j: usize| {
            let mut sum = 0.0;
            for (k, row) in self.inertia.iter().enumerate() {
                for (l, x) in row.iter().enumerate() {
                    sum += columns[k][i] * x * columns[l][j];
                }
            }
            sum
        };
        let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
        Mass { mass: self.mass, centre: plus(shift, rotate(turn, self.centre)), inertia }
    }

    /// The two together.
    pub(super) fn with(self, other: Mass) -> Mass {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            let mut sum = self;
            add(&mut sum.inertia, other.inertia);
            return sum;
        }
        let weighted = plus(times(self.mass, self.centre), times(other.mass, other.centre));
        let centre = times(1.0 / mass, weighted);
        let mut inertia = [[0.0; 3]; 3];
        for part in [self, other] {
            let arm = minus(part.centre, centre);
            add(&mut inertia, part.inertia);
            for i in 0..3 {
                for j in 0..3 {
                    let straight = if i == j { dot(arm, arm) } else { 0.0 };
                    inertia[i][j] += part.mass * (straight - arm[i] * arm[j]);
                }
            }
        }
        Mass { mass, centre, inertia }
    }

    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz
    pub(super) fn six(self) -> [f64; 6] {
        let j = self.inertia;
        [j[0][0], j[1][1], j[2][2], j[0][1], j[0][2], j[1][2]]
    }
}

/// Refuses a negative mass or moment of one link: in a body with others it would pass unseen.
pub(super) fn check_mass(node: Node<'_, '_>, link: &str, mass: &Mass) -> Result<(), ImportError> {
    if mass.mass < 0.0 {
        return Err(wrong(node, format!("the mass of '{link}' cannot be {}", mass.mass)));
    }
    let moments = principal_moments(mass.six());
    if has_negative_moment(moments) {
        let found = WorldError::Moments { body: link.to_owned(), found: moments };
        return Err(wrong(node, found.to_string()));
    }
    Ok(())
}

fn add(sum: &mut Matrix, other: Matrix) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum = plus(*sum, other);
    }
}
