//! What is to be seen of a mechanism: where bodies are, what joints do.

use super::{Measured, Mechanism};
use crate::description::{Joint, JointKind};
use crate::frames::JointFrame;
use crate::pose::Dimension;
use crate::rotation::{Quaternion, conjugate, product, rotate, vector_part};
use crate::vector::{Vector, cross, dot, minus, plus};

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// the centre of mass
    pub position: Vector,
    /// its rotation
    pub rotation: Quaternion,
    /// its angle in the plane, with all turns
    pub angle: f64,
    /// the velocity of the centre of mass
    pub velocity: Vector,
    /// the angular velocity, in the world
    pub spin: Vector,
}

/// Where a joint is and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct JointState {
    /// its coordinates; empty when they are not known
    pub coordinates: Vec<f64>,
    /// their rates
    pub rates: Vec<f64>,
    /// where it is in the world
    pub at: Vector,
    /// its force on the second body, in the world, at the joint
    pub force: Vector,
    /// its torque on the second body, in the world; of a ball joint that of spring and damper, without what armature takes
    pub torque: Vector,
}

impl Mechanism {
    /// Where a body is and how it moves.
    pub fn body_state(&self, body: usize, q: &[f64], v: &[f64]) -> BodyState {
        let place = self.bodies[body].place;
        let (pose, rate) = (place.pose(q), place.rate(v));
        let angle = if self.bodies[body].is_spatial() { 0.0 } else { pose.turn()[0] };
        BodyState {
            position: pose.x,
            rotation: pose.quaternion(),
            angle,
            velocity: rate.x,
            spin: pose.spin(&rate),
        }
    }

    /// Where a joint is and what it does, with the multipliers of that state.
    pub fn joint_state(&self, joint: usize, q: &[f64], v: &[f64], lambda: &[f64]) -> JointState {
        let rows = &self.joints[joint];
        let bond = &self.bonds[rows.bond];
        let [mut force, mut torque] = bond.bond.reaction(q, &lambda[bond.range()]);
        if let Some(rolling) = self.rolling.iter().find(|rolling| self.rolls(rolling.row, &rows.name)) {
            for k in 0..2 {
                let push = lambda[rolling.row + k];
                force = minus(force, rolling.directions[k].map(|x| push * x));
            }
        }
        if let Some(ball) = self.ball_forces.iter().find(|ball| ball.joint == joint) {
            torque = plus(torque, ball.torque(q, v));
        }
        let (coordinates, rates) = if rows.variables.is_empty() {
            rows.measures.iter().map(|&measure| self.measured(joint, measure, q, v)).unzip()
        } else {
            rows.variables.iter().map(|&k| (q[k], v[k])).unzip()
        };
        JointState { coordinates, rates, at: bond.bond.place(q), force, torque }
    }

    fn rolls(&self, row: usize, joint: &str) -> bool {
        let name = &self.structure.constraints[row].name;
        name.strip_prefix(joint).is_some_and(|rest| rest == ".roll1")
    }

    fn measured(&self, joint: usize, measure: Measured, q: &[f64], v: &[f64]) -> (f64, f64) {
        let bond = &self.bonds[self.joints[joint].bond].bond;
        let [first, second] = bond.touched().bodies;
        let (one, two) = (first.pose(q), second.pose(q));
        let (rate_one, rate_two) = (first.rate(v), second.rate(v));
        let relative_spin = minus(two.spin(&rate_two), one.spin(&rate_one));
        match measure {
            Measured::PlaneTurn { offset } => (two.turn()[0] - one.turn()[0] - offset, relative_spin[2]),
            Measured::Turn { axis, relative } => {
                let now =
                    product(product(conjugate(one.quaternion()), two.quaternion()), conjugate(relative));
                let half = dot(vector_part(now), axis).atan2(now[0]);
                let angle = (2.0 * half + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU);
                (angle - std::f64::consts::PI, dot(one.vector(axis), relative_spin))
            }
            Measured::Slide { axis } => {
                let along = one.vector(axis);
                let gap = minus(bond.place(q), one.x);
                let start = dot(axis, bond.first_point());
                let apart = minus(self.rate_of_place(joint, q, v), rate_one.x);
                let turning = cross(one.spin(&rate_one), along);
                (dot(along, gap) - start, dot(along, apart) + dot(turning, gap))
            }
        }
    }

    /// The velocity of the point of a joint on its second body.
    fn rate_of_place(&self, joint: usize, q: &[f64], v: &[f64]) -> Vector {
        let bond = &self.bonds[self.joints[joint].bond].bond;
        let second = bond.touched().bodies[1];
        let (pose, rate) = (second.pose(q), second.rate(v));
        plus(rate.x, cross(pose.spin(&rate), minus(bond.place(q), pose.x)))
    }
}

/// How the coordinates of a joint are measured that are no variables.
pub(super) fn measures(joint: &Joint, frame: &JointFrame, dimension: Dimension) -> Vec<Measured> {
    let axis: Vector = rotate(conjugate(frame.rotations[0]), frame.axis);
    let turn = match dimension {
        Dimension::Plane => Measured::PlaneTurn { offset: frame.plane_angle() },
        Dimension::Space => {
            Measured::Turn { axis, relative: product(conjugate(frame.rotations[0]), frame.rotations[1]) }
        }
    };
    match joint.kind {
        JointKind::Revolute => vec![turn],
        JointKind::Prismatic => vec![Measured::Slide { axis }],
        JointKind::Cylindrical => vec![turn, Measured::Slide { axis }],
        _ => Vec::new(),
    }
}
