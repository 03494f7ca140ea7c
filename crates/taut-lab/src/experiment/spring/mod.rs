//! The pendulum on a stiff spring, Lubich 1992, eq. (1.1) and (8.4), in extended precision:
//!
//! y'' = -y lambda - (0, 1),  eps^2 lambda = 1 - 1/|y|,  or without roots  y.y (1 - eps^2 lambda)^2 = 1.

pub(crate) mod expansion;
pub(crate) mod iteration;
pub(crate) mod jet;
pub(crate) mod one_stage;
pub(crate) mod runge_kutta;
pub(crate) mod vibration;

use taut_tableau::number::DoubleDouble;

/// Positions or velocities in the plane.
pub(crate) type Plane = [DoubleDouble; 2];

/// A position with a velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    pub y: Plane,
    pub v: Plane,
}

/// The start of the experiments, tangent to the circle: y = (0.6, -0.8), y' = (0.4, 0.3).
pub(crate) fn tangent_start() -> State {
    let tenths = |x: i64| DoubleDouble::ratio(x, 10);
    State { y: [tenths(6), tenths(-8)], v: [tenths(4), tenths(3)] }
}

impl State {
    /// The state in double precision, (q, v).
    pub fn rounded(&self) -> [f64; 4] {
        [self.y[0].to_f64(), self.y[1].to_f64(), self.v[0].to_f64(), self.v[1].to_f64()]
    }

    /// This state minus another one.
    pub fn minus(&self, other: &State) -> State {
        let difference = |a: Plane, b: Plane| [a[0] - b[0], a[1] - b[1]];
        State { y: difference(self.y, other.y), v: difference(self.v, other.v) }
    }

    /// |y| and |v|.
    pub fn sizes(&self) -> [f64; 2] {
        [self.y, self.v].map(|x| dot(x, x).sqrt().to_f64())
    }
}

/// The inner product.
pub(crate) fn dot(a: Plane, b: Plane) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1]
}

/// a + factor b
pub(crate) fn plus(a: Plane, factor: DoubleDouble, b: Plane) -> Plane {
    [a[0] + factor * b[0], a[1] + factor * b[1]]
}

#[cfg(test)]
mod tests;
