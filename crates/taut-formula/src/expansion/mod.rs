//! Taylor coefficients of formulas along a motion, found order by order.
//!
//! Where positions, velocities, accelerations and multipliers are Taylor series in time, every formula is one. A
//! [`Recursion`] is the formulas as sums and a few nonlinear operations; an [`Expansion`] holds the coefficients of all of
//! them. The coefficient of order k of a nonlinear operation is a sum of products of lower coefficients (a convolution), which
//! is known before any coefficient of order k is, and a rest that is linear in the coefficients of order k (Hairer, Nørsett
//! and Wanner, Solving Ordinary Differential Equations I, section I.8). Unknown coefficients of highest order thus enter
//! linearly: whoever solves for them evaluates with zeros in their places first.
//!
//! Formulas are of three [`Level`]s, since positions are known two orders ahead of accelerations, and velocities one.

mod choice;
mod convolution;
mod lower;
mod operation;
mod recursion;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use convolution::Coefficient;
use operation::Operation;
pub use recursion::{Level, Recursion, Roots};

use crate::settings::Setting;

/// Formulas of a recursion at the point of expansion.
#[derive(Clone, Debug)]
pub struct Expansion<N> {
    recursion: Arc<Recursion>,
    /// the highest order there is room for
    highest: usize,
    /// from one formula to the next
    stride: usize,
    /// the operations, with places in the coefficients instead of numbers of formulas
    operations: Vec<Operation>,
    /// factors and summands that are known once the parameters are
    constants: Vec<N>,
    coefficients: Vec<N>,
    /// coefficients from order 1 on, the last one first, with zeros behind
    reversed: Vec<N>,
    reversed_stride: usize,
    /// convolutions of the order in hand
    inner: Vec<N>,
    /// what is found at the point of expansion and used in all orders
    kept: Vec<N>,
}

/// Convolutions are taken in pieces of this length.
pub(crate) const PIECE: usize = 4;

impl<N: Coefficient> Expansion<N> {
    /// Room for coefficients up to an order, with parameters set.
    pub fn new(recursion: &Arc<Recursion>, highest: usize, constant: impl Fn(Setting) -> N) -> Self {
        let stride = (highest + 1 + PIECE).next_multiple_of(PIECE);
        let reversed_stride = (highest + PIECE).next_multiple_of(PIECE) + PIECE;
        let zero = N::zero();
        Expansion {
            highest,
            stride,
            operations: recursion
                .operations
                .iter()
                .map(|operation| operation.placed(stride as u32))
                .collect(),
            constants: recursion.constants.iter().map(|&setting| constant(setting)).collect(),
            coefficients: vec![zero; stride * recursion.slots],
            reversed: vec![zero; reversed_stride * recursion.reversed],
            reversed_stride,
            inner: vec![zero; recursion.inner],
            kept: vec![zero; recursion.kept],
            recursion: recursion.clone(),
        }
    }

    /// The highest order there is room for.
    pub fn highest(&self) -> usize {
        self.highest
    }

    /// Places the expansion at a time; formulas have no values yet.
    pub fn set_time(&mut self, t: N) {
        let place = self.recursion.time as usize * self.stride;
        self.coefficients[place] = t;
        self.coefficients[place + 1] = N::constant(1.0);
    }

    /// Sets the coefficient of order k of a position; others likewise.
    pub fn set_position(&mut self, number: usize, k: usize, value: N) {
        self.set(self.recursion.positions, number, k, value);
    }

    /// Sets the coefficient of order k of a velocity.
    pub fn set_velocity(&mut self, number: usize, k: usize, value: N) {
        self.set(self.recursion.velocities, number, k, value);
    }

    /// Sets the coefficient of order k of an acceleration.
    pub fn set_acceleration(&mut self, number: usize, k: usize, value: N) {
        self.set(self.recursion.accelerations, number, k, value);
    }

    /// Sets the coefficient of order k of a multiplier.
    pub fn set_multiplier(&mut self, number: usize, k: usize, value: N) {
        self.set(self.recursion.multipliers, number, k, value);
    }

    fn set(&mut self, first: u32, number: usize, k: usize, value: N) {
        self.coefficients[(first as usize + number) * self.stride + k] = value;
    }

    /// The coefficients of a position, from order 0 on.
    pub fn position(&self, number: usize) -> &[N] {
        self.row(self.recursion.positions as usize + number)
    }

    /// The coefficients of a multiplier, from order 0 on.
    pub fn multiplier(&self, number: usize) -> &[N] {
        self.row(self.recursion.multipliers as usize + number)
    }

    /// The coefficients of a root, from order 0 on.
    pub fn root(&self, number: usize) -> &[N] {
        self.row(self.recursion.roots[number] as usize)
    }

    /// The coefficient of order k of a root.
    #[inline]
    pub fn coefficient(&self, number: usize, k: usize) -> N {
        self.coefficients[self.recursion.roots[number] as usize * self.stride + k]
    }

    fn row(&self, slot: usize) -> &[N] {
        &self.coefficients[slot * self.stride..][..=self.highest]
    }

    /// The values of all formulas of a level, from those of the inputs.
    pub fn begin(&mut self, level: Level) {
        let recursion = self.recursion.clone();
        for &number in &recursion.lists(level).first {
            let operation = self.operations[number as usize];
            operation.begin(
                self.stride as u32,
                &mut self.coefficients,
                &self.constants,
                &mut self.kept,
                &recursion.terms,
            );
        }
    }

    /// Sums of products of lower coefficients for order k ≥ 1.
    pub fn convolve(&mut self, level: Level, k: usize) {
        let convolutions = &self.recursion.lists(level).convolutions;
        let (forward, reversed) =
            ((&*self.coefficients, self.stride), (&*self.reversed, self.reversed_stride));
        N::convolve(convolutions, k, forward, reversed, &mut self.inner);
    }

    /// Coefficients of order k ≥ 1 of the formulas that the rows to be solved for ask for.
    pub fn probe(&mut self, level: Level, k: usize) {
        let recursion = self.recursion.clone();
        self.run(&recursion.lists(level).probed, k, false);
    }

    /// Coefficients of order k ≥ 1 of all formulas of a level.
    pub fn pass(&mut self, level: Level, k: usize) {
        let recursion = self.recursion.clone();
        self.run(&recursion.lists(level).all, k, true);
    }

    /// Coefficients of order k of the formulas that later orders need again, after unknowns were found.
    pub fn repeat(&mut self, level: Level, k: usize) {
        let recursion = self.recursion.clone();
        if k > 0 {
            self.run(&recursion.lists(level).repeated, k, true);
        } else {
            for &number in &recursion.lists(level).repeated {
                let operation = self.operations[number as usize];
                operation.begin(
                    self.stride as u32,
                    &mut self.coefficients,
                    &self.constants,
                    &mut self.kept,
                    &recursion.terms,
                );
            }
        }
    }

    fn run(&mut self, list: &[u32], k: usize, is_final: bool) {
        let recursion = self.recursion.clone();
        let order = operation::Order {
            k,
            inverse: N::constant(1.0) / k.max(1) as f64,
            constants: &self.constants,
            inner: &self.inner,
            terms: &recursion.terms,
            stride: self.stride as u32,
            is_final,
        };
        for &number in list {
            self.operations[number as usize].follow(&order, &mut self.coefficients, &mut self.kept);
        }
    }

    /// Files the coefficients of order k ≥ 1 of a level away for convolutions of higher orders.
    pub fn keep(&mut self, level: Level, k: usize) {
        let recursion = self.recursion.clone();
        let lists = recursion.lists(level);
        for &(slot, rate) in &lists.rates {
            let value = self.coefficients[slot as usize * self.stride + k] * k as f64;
            self.coefficients[rate as usize * self.stride + k] = value;
        }
        let top = self.reversed_stride - PIECE - 1;
        for &(slot, reversed) in &lists.reversed {
            self.reversed[reversed as usize * self.reversed_stride + top - k] =
                self.coefficients[slot as usize * self.stride + k];
        }
    }

    /// Whether the coefficients of order k of all roots that are followed are finite.
    pub fn is_finite(&self, k: usize) -> bool {
        let roots = &self.recursion.roots[..self.recursion.followed];
        roots.iter().all(|&slot| self.coefficients[slot as usize * self.stride + k].value().is_finite())
    }
}
