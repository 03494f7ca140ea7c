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
mod compile;
mod convolution;
mod lower;
mod nonlinear;
mod operation;
mod recursion;
mod rows;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use convolution::Filed;
pub use convolution::{Coefficient, Work};
use operation::Known;
use recursion::Lists;
pub use recursion::{Level, Recursion, Roots};
use rows::Weights;

/// Formulas of a recursion at the point of expansion.
#[derive(Clone, Debug)]
pub struct Expansion<N> {
    recursion: Arc<Recursion>,
    /// the highest order there is room for
    highest: usize,
    /// factors and summands that are known once the parameters are
    constants: Vec<N>,
    levels: [AtLevel<N>; 3],
    /// order by order: formulas and convolutions; before all what else is found at the point of expansion and used in all orders
    coefficients: Vec<N>,
}

/// What is known at one level beside the coefficients.
#[derive(Clone, Debug)]
struct AtLevel<N> {
    probed: Weights<N>,
    all: Weights<N>,
    asked: Weights<N>,
    filed: Filed<N>,
}

impl<N: Coefficient> Expansion<N> {
    /// Room for coefficients up to an order, with the values of formulas of parameters.
    pub fn new(recursion: &Arc<Recursion>, highest: usize, settings: &[N]) -> Self {
        let constants = recursion.constants(settings);
        let levels = Level::ALL.map(|level| {
            let lists = recursion.lists(level);
            AtLevel {
                probed: Weights::new(&lists.probed, &constants),
                all: Weights::new(&lists.all, &constants),
                asked: Weights::new(&lists.asked, &constants),
                filed: Filed::new(&lists.convolutions, highest + 1),
            }
        });
        let mut coefficients = vec![N::zero(); recursion.width * (highest + 1) + recursion.kept];
        coefficients[recursion.kept + recursion.one as usize] = N::constant(1.0);
        Expansion { highest, constants, levels, coefficients, recursion: recursion.clone() }
    }

    /// The highest order there is room for.
    pub fn highest(&self) -> usize {
        self.highest
    }

    /// Places the expansion at a time; formulas have no values yet.
    pub fn set_time(&mut self, t: N) {
        let [time, ..] = self.recursion.inputs;
        self.row_mut(0)[time as usize] = t;
        if self.highest > 0 {
            self.row_mut(1)[time as usize] = N::constant(1.0);
        }
    }

    /// The coefficients of order k of positions, to be set; others likewise.
    #[inline]
    pub fn positions_mut(&mut self, k: usize) -> &mut [N] {
        let [_, from, to, ..] = self.recursion.inputs;
        &mut self.row_mut(k)[from as usize..to as usize]
    }

    /// The coefficients of order k of velocities.
    #[inline]
    pub fn velocities_mut(&mut self, k: usize) -> &mut [N] {
        let [_, _, from, to, ..] = self.recursion.inputs;
        &mut self.row_mut(k)[from as usize..to as usize]
    }

    /// The coefficients of order k of accelerations.
    #[inline]
    pub fn accelerations_mut(&mut self, k: usize) -> &mut [N] {
        let [_, _, _, from, to, _] = self.recursion.inputs;
        &mut self.row_mut(k)[from as usize..to as usize]
    }

    /// The coefficients of order k of multipliers.
    #[inline]
    pub fn multipliers_mut(&mut self, k: usize) -> &mut [N] {
        let [.., from, to] = self.recursion.inputs;
        &mut self.row_mut(k)[from as usize..to as usize]
    }

    /// The coefficients of order k of positions.
    #[inline]
    pub fn positions(&self, k: usize) -> &[N] {
        let [_, from, to, ..] = self.recursion.inputs;
        &self.coefficients[self.row(k)][from as usize..to as usize]
    }

    /// The coefficients of order k of multipliers.
    #[inline]
    pub fn multipliers(&self, k: usize) -> &[N] {
        let [.., from, to] = self.recursion.inputs;
        &self.coefficients[self.row(k)][from as usize..to as usize]
    }

    /// The coefficient of order k of a root.
    #[inline]
    pub fn coefficient(&self, number: usize, k: usize) -> N {
        self.coefficients[self.row(k)][self.recursion.roots[number] as usize]
    }

    /// The coefficients of order k of the first roots.
    #[inline]
    pub fn first_roots(&self, k: usize) -> impl Iterator<Item = N> {
        let row = &self.coefficients[self.row(k)];
        self.recursion.roots.iter().map(|&slot| row[slot as usize])
    }

    /// Where the coefficients of order k are.
    #[inline]
    fn row(&self, k: usize) -> Range<usize> {
        let from = self.recursion.kept + k * self.recursion.width;
        from..from + self.recursion.width
    }

    #[inline]
    fn row_mut(&mut self, k: usize) -> &mut [N] {
        let row = self.row(k);
        &mut self.coefficients[row]
    }

    /// The values of all formulas of a level, from those of the inputs.
    pub fn begin(&mut self, level: Level) {
        self.values(|recursion| &recursion.lists(level).first);
        self.place(level);
    }

    /// The values of formulas of a level that later orders need, after inputs have changed.
    pub fn begin_again(&mut self, level: Level) {
        self.values(|recursion| &recursion.lists(level).again);
        self.place(level);
    }

    fn values(&mut self, list: impl Fn(&Recursion) -> &[u32]) {
        let recursion = &*self.recursion;
        let known = Known { constants: &self.constants, terms: &recursion.terms };
        let (others, values) = self.coefficients.split_at_mut(recursion.kept);
        for &number in list(recursion) {
            recursion.operations[number as usize].begin(&known, values, others);
        }
    }

    /// Finds the factors of all rows of a level.
    fn place(&mut self, level: Level) {
        let recursion = &*self.recursion;
        let lists = recursion.lists(level);
        let AtLevel { probed, all, asked, .. } = &mut self.levels[level as usize];
        for (weights, rows) in [(probed, &lists.probed), (all, &lists.all), (asked, &lists.asked)] {
            weights.place(rows, &self.constants, &self.coefficients, recursion.zero);
        }
    }

    /// Coefficients of order k ≥ 1 of what is asked for, while unknowns of that order are zero; before it the sums of products
    /// of lower coefficients, which [`pass`](Self::pass) needs as well.
    pub fn probe(&mut self, level: Level, k: usize) {
        let row = self.row(k);
        let row = &mut self.coefficients[row];
        N::compute(Probe {
            lists: self.recursion.lists(level),
            at: &mut self.levels[level as usize],
            k,
            row,
        });
    }

    /// Coefficients of order k ≥ 1 of all formulas of a level, which are filed away for higher orders.
    pub fn pass(&mut self, level: Level, k: usize) {
        let row = self.row(k);
        let row = &mut self.coefficients[row];
        N::compute(Pass { lists: self.recursion.lists(level), at: &mut self.levels[level as usize], k, row });
    }

    /// Coefficients of order k ≥ 1 of what is asked for at the level of positions, after all others.
    pub fn answer(&mut self, k: usize) {
        let row = self.row(k);
        let row = &mut self.coefficients[row];
        let lists = self.recursion.lists(Level::Position);
        N::compute(Answer { lists, at: &mut self.levels[Level::Position as usize], row });
    }
}

struct Probe<'a, N> {
    lists: &'a Lists,
    at: &'a mut AtLevel<N>,
    k: usize,
    row: &'a mut [N],
}

impl<N: Coefficient> Work<N> for Probe<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let Probe { lists, at, k, row } = self;
        at.filed.convolve(&lists.convolutions, k, row, multiply_add);
        at.probed.evaluate(&lists.probed, row, false, multiply_add);
    }
}

struct Pass<'a, N> {
    lists: &'a Lists,
    at: &'a mut AtLevel<N>,
    k: usize,
    row: &'a mut [N],
}

impl<N: Coefficient> Work<N> for Pass<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let Pass { lists, at, k, row } = self;
        at.all.evaluate(&lists.all, row, true, multiply_add);
        at.filed.keep(&lists.convolutions, k, row);
    }
}

struct Answer<'a, N> {
    lists: &'a Lists,
    at: &'a mut AtLevel<N>,
    row: &'a mut [N],
}

impl<N: Coefficient> Work<N> for Answer<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let Answer { lists, at, row } = self;
        at.asked.evaluate(&lists.asked, row, true, multiply_add);
    }
}
