//! Rows that need no bond: unit quaternions, relations between variables, drives, rolling.

use taut::linear::Pattern;

use crate::course::Course;
use crate::pose::{Place, TURN};
use crate::rotation::{Quaternion, product};
use crate::vector::{Vector, dot};

/// Gives the place of an entry of a pattern, which has it since it was asked for.
pub(crate) type Ask<'a> = &'a mut dyn FnMut(usize, usize) -> usize;

/// (p·p − 1)/2
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// the coordinate of the first number of p
    pub(crate) at: usize,
    pub(crate) row: usize,
    slots: [usize; 4],
    diagonal: [usize; 4],
}

impl Unit {
    pub(crate) fn new(at: usize, row: usize) -> Self {
        Unit { at, row, slots: [0; 4], diagonal: [0; 4] }
    }

    /// Asks for its places in the Jacobian.
    pub(crate) fn ask(&mut self, jacobian: Ask<'_>) {
        self.slots = std::array::from_fn(|i| jacobian(self.row, self.at + i));
    }

    /// Asks for those in the stiffness.
    pub(crate) fn ask_stiffness(&mut self, stiffness: Ask<'_>) {
        self.diagonal = std::array::from_fn(|i| stiffness(self.at + i, self.at + i));
    }

    fn numbers(&self, x: &[f64]) -> Quaternion {
        std::array::from_fn(|i| x[self.at + i])
    }

    pub(crate) fn value(&self, q: &[f64]) -> f64 {
        let p = self.numbers(q);
        // |p| − 1 without the loss of digits of a difference of squares
        let square: f64 = p.iter().map(|x| x * x).sum();
        0.5 * (square - 1.0)
    }

    pub(crate) fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        self.numbers(q).iter().zip(self.numbers(v)).map(|(p, v)| p * v).sum()
    }

    pub(crate) fn curvature(&self, v: &[f64]) -> f64 {
        self.numbers(v).iter().map(|v| v * v).sum()
    }

    pub(crate) fn jacobian(&self, q: &[f64], values: &mut [f64]) {
        for i in 0..4 {
            values[self.slots[i]] = q[self.at + i];
        }
    }

    pub(crate) fn add_stiffness(&self, lambda: &[f64], stiffness: &mut [f64]) {
        for &slot in &self.diagonal {
            stiffness[slot] -= lambda[self.row];
        }
    }
}

/// θ₁ − polynomial(θ₂) − Σ ratioₖ θₖ
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub(crate) row: usize,
    pub(crate) variables: [usize; 2],
    pub(crate) polynomial: Vec<f64>,
    further: Vec<Further>,
    slots: [usize; 2],
    diagonal: Option<usize>,
}

/// A further variable of a relation.
#[derive(Clone, Copy, Debug)]
struct Further {
    variable: usize,
    ratio: f64,
    slot: usize,
}

impl Linked {
    pub(crate) fn new(row: usize, variables: [usize; 2], polynomial: Vec<f64>) -> Self {
        Linked { row, variables, polynomial, further: Vec::new(), slots: [0; 2], diagonal: None }
    }

    /// The same with further variables and their ratios.
    pub(crate) fn with(mut self, further: impl Iterator<Item = (usize, f64)>) -> Self {
        self.further = further.map(|(variable, ratio)| Further { variable, ratio, slot: 0 }).collect();
        self
    }

    /// Σ ratioₖ xₖ
    fn further(&self, x: &[f64]) -> f64 {
        self.further.iter().map(|further| further.ratio * x[further.variable]).sum()
    }

    pub(crate) fn is_linear(&self) -> bool {
        self.polynomial.iter().skip(2).all(|&c| c == 0.0)
    }

    /// Asks for its places in the Jacobian.
    pub(crate) fn ask(&mut self, jacobian: Ask<'_>) {
        self.slots = self.variables.map(|k| jacobian(self.row, k));
        for further in &mut self.further {
            further.slot = jacobian(self.row, further.variable);
        }
    }

    /// Asks for that in the stiffness.
    pub(crate) fn ask_stiffness(&mut self, stiffness: Ask<'_>) {
        let second = self.variables[1];
        self.diagonal = (!self.is_linear()).then(|| stiffness(second, second));
    }

    /// Value, first and second derivative of the polynomial.
    fn polynomial(&self, x: f64) -> [f64; 3] {
        self.polynomial.iter().rev().fold([0.0; 3], |[value, slope, bend], &c| {
            [value * x + c, slope * x + value, bend * x + 2.0 * slope]
        })
    }

    pub(crate) fn value(&self, q: &[f64]) -> f64 {
        q[self.variables[0]] - self.polynomial(q[self.variables[1]])[0] - self.further(q)
    }

    pub(crate) fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        let second = self.polynomial(q[self.variables[1]])[1] * v[self.variables[1]];
        v[self.variables[0]] - second - self.further(v)
    }

    pub(crate) fn curvature(&self, q: &[f64], v: &[f64]) -> f64 {
        -self.polynomial(q[self.variables[1]])[2] * v[self.variables[1]].powi(2)
    }

    pub(crate) fn jacobian(&self, q: &[f64], values: &mut [f64]) {
        values[self.slots[0]] = 1.0;
        values[self.slots[1]] = -self.polynomial(q[self.variables[1]])[1];
        for further in &self.further {
            values[further.slot] = -further.ratio;
        }
    }

    pub(crate) fn add_stiffness(&self, q: &[f64], lambda: &[f64], stiffness: &mut [f64]) {
        if let Some(slot) = self.diagonal {
            stiffness[slot] += lambda[self.row] * self.polynomial(q[self.variables[1]])[2];
        }
    }
}

/// θ − course(t)
#[derive(Clone, Debug)]
pub(crate) struct Drive {
    pub(crate) row: usize,
    pub(crate) variable: usize,
    pub(crate) course: Course,
    slot: usize,
}

impl Drive {
    pub(crate) fn new(row: usize, variable: usize, course: Course) -> Self {
        Drive { row, variable, course, slot: 0 }
    }

    /// Asks for its place in the Jacobian.
    pub(crate) fn ask(&mut self, jacobian: Ask<'_>) {
        self.slot = jacobian(self.row, self.variable);
    }

    pub(crate) fn jacobian(&self, values: &mut [f64]) {
        values[self.slot] = 1.0;
    }
}

/// A ball that rolls on a plane of the ground: e·(x' + ω × ρ) = 0 for two directions of the plane, ρ from the centre to the
/// point that touches.
#[derive(Clone, Debug)]
pub(crate) struct Rolling {
    pub(crate) place: Place,
    /// its two rows begin here
    pub(crate) row: usize,
    pub(crate) directions: [Vector; 2],
    pub(crate) to_contact: Vector,
    /// places in the Jacobian by row: three of the position, four of the attitude
    slots: [Vec<(usize, usize)>; 2],
    /// places of the attitude's block in K, row by row
    block: Vec<usize>,
}

impl Rolling {
    pub(crate) fn new(place: Place, row: usize, directions: [Vector; 2], to_contact: Vector) -> Self {
        Rolling { place, row, directions, to_contact, slots: [Vec::new(), Vec::new()], block: Vec::new() }
    }

    fn locals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..crate::pose::LOCAL).filter_map(|local| Some((local, self.place.coordinate(local)?)))
    }

    pub(crate) fn places(&self) -> Vec<(usize, usize)> {
        (0..2).flat_map(|k| self.locals().map(move |(_, j)| (self.row + k, j))).collect()
    }

    pub(crate) fn stiffness_places(&self) -> Vec<(usize, usize)> {
        let turns: Vec<usize> = self.locals().filter(|(local, _)| *local >= TURN).map(|(_, j)| j).collect();
        turns.iter().flat_map(|&i| turns.iter().map(move |&j| (i, j))).collect()
    }

    pub(crate) fn connect(&mut self, jacobian: &Pattern, stiffness: &Pattern) {
        for k in 0..2 {
            let slot = |(local, j)| Some((local, jacobian.position(self.row + k, j)?));
            self.slots[k] = self.locals().filter_map(slot).collect();
        }
        self.block =
            self.stiffness_places().into_iter().filter_map(|(i, j)| stiffness.position(i, j)).collect();
    }

    /// ρ × e: e·(ω × ρ) = ω·(ρ × e)
    fn arm(&self, k: usize) -> Vector {
        crate::vector::cross(self.to_contact, self.directions[k])
    }

    pub(crate) fn rate(&self, q: &[f64], v: &[f64], rate: &mut [f64]) {
        let (pose, motion) = (self.place.pose(q), self.place.rate(v));
        let spin = pose.spin(&motion);
        for k in 0..2 {
            rate[self.row + k] = dot(self.directions[k], motion.x) + dot(self.arm(k), spin);
        }
    }

    pub(crate) fn jacobian(&self, q: &[f64], values: &mut [f64]) {
        let pose = self.place.pose(q);
        for k in 0..2 {
            let turn = pose.torque(self.arm(k));
            for &(local, slot) in &self.slots[k] {
                values[slot] = if local < TURN { self.directions[k][local] } else { turn[local - TURN] };
            }
        }
    }

    pub(crate) fn add_stiffness(&self, lambda: &[f64], stiffness: &mut [f64]) {
        for k in 0..2 {
            let arm = self.arm(k);
            for j in 0..4 {
                let mut unit = [0.0; 4];
                unit[j] = -2.0 * lambda[self.row + k];
                let column = product([0.0, arm[0], arm[1], arm[2]], unit);
                for i in 0..4 {
                    if let Some(&slot) = self.block.get(4 * i + j) {
                        stiffness[slot] += column[i];
                    }
                }
            }
        }
    }
}
