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
mod nonlinear;
mod operation;
mod recursion;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use convolution::Coefficient;
use operation::{Known, Operation, Order};
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
    levels: [Operations; 3],
    /// factors and summands that are known once the parameters are
    constants: Vec<N>,
    /// factor and place of each term of a sum
    terms: Vec<(N, u32)>,
    coefficients: Vec<N>,
    /// coefficients from order 1 on, the last one first, with zeros behind
    reversed: Vec<N>,
    reversed_stride: usize,
    /// convolutions of the order in hand
    inner: Vec<N>,
    /// what is found at the point of expansion and used in all orders
    kept: Vec<N>,
}

/// The operations of one level, with places in the coefficients instead of numbers of formulas.
#[derive(Clone, Debug)]
struct Operations {
    first: Vec<Operation>,
    all: Vec<Operation>,
    probed: Vec<Operation>,
    repeated: Vec<Operation>,
}

/// Convolutions are taken in pieces of this length.
pub(crate) const PIECE: usize = 4;

impl<N: Coefficient> Expansion<N> {
    /// Room for coefficients up to an order, with parameters set.
    pub fn new(recursion: &Arc<Recursion>, highest: usize, constant: impl Fn(Setting) -> N) -> Self {
        let stride = (highest + 1 + PIECE).next_multiple_of(PIECE);
        let reversed_stride = (highest + PIECE).next_multiple_of(PIECE) + PIECE;
        let zero = N::zero();
        let placed = |list: &[u32]| {
            list.iter().map(|&number| recursion.operations[number as usize].placed(stride as u32)).collect()
        };
        let levels = Level::ALL.map(|level| {
            let lists = recursion.lists(level);
            Operations {
                first: placed(&lists.first),
                all: placed(&lists.all),
                probed: placed(&lists.probed),
                repeated: placed(&lists.repeated),
            }
        });
        let constants: Vec<N> = recursion.constants.iter().map(|&setting| constant(setting)).collect();
        let term = |&(factor, slot): &(u32, u32)| (constants[factor as usize], slot * stride as u32);
        Expansion {
            highest,
            stride,
            levels,
            terms: recursion.terms.iter().map(term).collect(),
            constants,
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
        self.values(|operations| &operations[level as usize].first);
    }

    fn values(&mut self, list: impl Fn(&[Operations; 3]) -> &[Operation]) {
        let known = Known { constants: &self.constants, terms: &self.terms };
        for operation in list(&self.levels) {
            operation.begin(&known, &mut self.coefficients, &mut self.kept);
        }
    }

    /// Sums of products of lower coefficients for order k ≥ 1.
    pub fn convolve(&mut self, level: Level, k: usize) {
        let convolutions = &self.recursion.lists(level).convolutions;
        let (forward, reversed) =
            ((&*self.coefficients, self.stride), (&*self.reversed, self.reversed_stride));
        N::convolve(convolutions, k, forward, reversed, &mut self.inner);
    }

    /// Coefficients of order k ≥ 1 of the formulas that the rows to be solved for ask for, while unknowns are zero.
    pub fn probe(&mut self, level: Level, k: usize) {
        self.run(k, false, |operations| &operations[level as usize].probed);
    }

    /// Coefficients of order k ≥ 1 of all formulas of a level.
    pub fn pass(&mut self, level: Level, k: usize) {
        self.run(k, true, |operations| &operations[level as usize].all);
    }

    /// Coefficients of order k of the formulas that later orders need again, after unknowns were found.
    pub fn repeat(&mut self, level: Level, k: usize) {
        if k > 0 {
            self.run(k, true, |operations| &operations[level as usize].repeated);
        } else {
            self.values(|operations| &operations[level as usize].repeated);
        }
    }

    fn run(&mut self, k: usize, is_final: bool, list: impl Fn(&[Operations; 3]) -> &[Operation]) {
        let known = Known { constants: &self.constants, terms: &self.terms };
        let inverse = N::constant(1.0) / k.max(1) as f64;
        let order = Order { k, inverse, known, inner: &self.inner, is_final };
        for operation in list(&self.levels) {
            operation.follow(&order, &mut self.coefficients, &mut self.kept);
        }
    }

    /// Files the coefficients of order k ≥ 1 of a level away for convolutions of higher orders.
    pub fn keep(&mut self, level: Level, k: usize) {
        let lists = self.recursion.lists(level);
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
