//! Forces and torques on a body that are given in the world.

use taut::linear::Pattern;

use crate::course::Course;
use crate::pose::{Dimension, Place, TURN};
use crate::rotation::product;
use crate::vector::Vector;

/// A force at a point of a body and a torque, in the world, as functions of time.
#[derive(Clone, Debug)]
pub(crate) struct BodyLoad {
    pub(crate) place: Place,
    pub(crate) point: Vector,
    pub(crate) force: [Option<Course>; 3],
    pub(crate) torque: [Option<Course>; 3],
    /// places of the attitude's block in K, row by row
    slots: Vec<usize>,
}

fn at(courses: &[Option<Course>; 3], t: f64) -> Vector {
    std::array::from_fn(|k| courses[k].as_ref().map_or(0.0, |course| course.at(t)[0]))
}

impl BodyLoad {
    pub(crate) fn new(
        place: Place,
        point: Vector,
        force: [Option<Course>; 3],
        torque: [Option<Course>; 3],
    ) -> Self {
        BodyLoad { place, point, force, torque, slots: Vec::new() }
    }

    /// The block of the attitude.
    pub(crate) fn places(&self) -> Vec<(usize, usize)> {
        let turns: Vec<usize> = (0..4).filter_map(|i| self.place.coordinate(TURN + i)).collect();
        turns.iter().flat_map(|&i| turns.iter().map(move |&j| (i, j))).collect()
    }

    pub(crate) fn connect(&mut self, stiffness: &Pattern) {
        self.slots = self.places().into_iter().filter_map(|(i, j)| stiffness.position(i, j)).collect();
    }

    pub(crate) fn add_force(&self, t: f64, q: &[f64], force: &mut [f64]) {
        let torque = at(&self.torque, t);
        if let (Dimension::Plane, [None, None, None]) = (self.place.dimension, &self.force) {
            // A torque alone does not ask for the attitude.
            if let Some(k) = self.place.coordinate(TURN) {
                force[k] += torque[2];
            }
            return;
        }
        let (push, pose) = (at(&self.force, t), self.place.pose(q));
        let (by_push, by_torque) = (pose.gradient(self.point, push), pose.torque(torque));
        for i in 0..3 {
            if let Some(k) = self.place.coordinate(i) {
                force[k] += push[i];
            }
        }
        for i in 0..4 {
            if let Some(k) = self.place.coordinate(TURN + i) {
                force[k] += by_push[i] + by_torque[i];
            }
        }
    }

    pub(crate) fn add_stiffness(&self, t: f64, q: &[f64], stiffness: &mut [f64]) {
        let (push, torque) = (at(&self.force, t), at(&self.torque, t));
        let mut block = self.place.pose(q).second(self.point, push);
        let turns = self.place.dimension.turns();
        if turns == 4 {
            for j in 0..4 {
                let mut unit = [0.0; 4];
                unit[j] = 2.0;
                let column = product([0.0, torque[0], torque[1], torque[2]], unit);
                for i in 0..4 {
                    block[i][j] += column[i];
                }
            }
        }
        for (k, &slot) in self.slots.iter().enumerate() {
            stiffness[slot] += block[k / turns][k % turns];
        }
    }
}
