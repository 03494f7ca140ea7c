//! The inside of a joint with variables: hinges and slides one after the other, as a product of exponentials.

use super::local::MOST_VARIABLES;
use crate::rotation::{self, IDENTITY, Quaternion};
use crate::vector::{Vector, cross, minus, plus, times};

/// One freedom of a joint, in the axes of the first body where nothing has moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LocalFreedom {
    /// whether it turns (or else slides)
    pub(crate) turns: bool,
    /// unit vector
    pub(crate) axis: Vector,
    /// a point of the axis
    pub(crate) anchor: Vector,
    /// the value of the variable where nothing has moved
    pub(crate) zero: f64,
}

/// The freedoms of a joint at some values of its variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    count: usize,
    turns: [bool; MOST_VARIABLES],
    axes: [Vector; MOST_VARIABLES],
    anchors: [Vector; MOST_VARIABLES],
    turn: Quaternion,
    shift: Vector,
}

impl Chain {
    pub(crate) fn new(freedoms: &[LocalFreedom], variables: &[usize], q: &[f64]) -> Chain {
        let mut chain = Chain {
            count: freedoms.len().min(MOST_VARIABLES),
            turns: [false; MOST_VARIABLES],
            axes: [[0.0; 3]; MOST_VARIABLES],
            anchors: [[0.0; 3]; MOST_VARIABLES],
            turn: IDENTITY,
            shift: [0.0; 3],
        };
        for (i, (freedom, &variable)) in freedoms.iter().zip(variables).take(MOST_VARIABLES).enumerate() {
            let value = q[variable] - freedom.zero;
            chain.turns[i] = freedom.turns;
            chain.axes[i] = chain.vector(freedom.axis);
            chain.anchors[i] = chain.point(freedom.anchor);
            if freedom.turns {
                let turn = rotation::about(freedom.axis, value);
                let moved = minus(freedom.anchor, rotation::rotate(turn, freedom.anchor));
                chain.shift = chain.point(moved);
                chain.turn = rotation::product(chain.turn, turn);
            } else {
                chain.shift = plus(chain.shift, times(value, chain.axes[i]));
            }
        }
        chain
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How it turns what is behind it.
    pub(crate) fn turn(&self) -> Quaternion {
        self.turn
    }

    /// The axis of variable i as far as it turns.
    pub(crate) fn turning_axis(&self, i: usize) -> Vector {
        if self.turns[i] { self.axes[i] } else { [0.0; 3] }
    }

    /// Where a vector behind the joint is, in the axes of the first body.
    pub(crate) fn vector(&self, reference: Vector) -> Vector {
        rotation::rotate(self.turn, reference)
    }

    /// Where a point behind the joint is.
    pub(crate) fn point(&self, reference: Vector) -> Vector {
        plus(self.vector(reference), self.shift)
    }

    /// The derivative of a vector by variable i.
    pub(crate) fn vector_slope(&self, i: usize, u: Vector) -> Vector {
        if self.turns[i] { cross(self.axes[i], u) } else { [0.0; 3] }
    }

    /// The derivative of a point by variable i.
    pub(crate) fn point_slope(&self, i: usize, at: Vector) -> Vector {
        if self.turns[i] { cross(self.axes[i], minus(at, self.anchors[i])) } else { self.axes[i] }
    }

    /// The second derivative of a vector: what lies behind variable i goes along with it.
    pub(crate) fn vector_second(&self, i: usize, j: usize, u: Vector) -> Vector {
        let (first, last) = (i.min(j), i.max(j));
        self.vector_slope(first, self.vector_slope(last, u))
    }

    /// The second derivative of a point.
    pub(crate) fn point_second(&self, i: usize, j: usize, at: Vector) -> Vector {
        let (first, last) = (i.min(j), i.max(j));
        self.vector_slope(first, self.point_slope(last, at))
    }

    /// The rate of a vector or point, given the slopes and the rates of the variables.
    pub(crate) fn rate(&self, rates: impl Fn(usize) -> f64, slope: impl Fn(usize) -> Vector) -> Vector {
        (0..self.count).fold([0.0; 3], |sum, i| plus(sum, times(rates(i), slope(i))))
    }

    /// Its second time derivative while the rates stay as they are.
    pub(crate) fn bend(
        &self,
        rates: impl Fn(usize) -> f64,
        second: impl Fn(usize, usize) -> Vector,
    ) -> Vector {
        let mut sum = [0.0; 3];
        for i in 0..self.count {
            for j in 0..self.count {
                sum = plus(sum, times(rates(i) * rates(j), second(i, j)));
            }
        }
        sum
    }
}
