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
mod inputs;
mod listed;
mod lower;
mod nonlinear;
mod operation;
mod orders;
mod pairing;
mod pairs;
mod recursion;
mod rows;
mod values;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::slice;
use std::sync::Arc;

pub use convolution::{Coefficient, HIGHEST_ORDER, Work};
use convolution::{Filed, Together};
pub use inputs::FewRoots;
use pairs::FiledPairs;
use recursion::Lists;
pub use recursion::{Level, Recursion, Roots};
use rows::Weights;
use values::Stages;

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
#[derive(Clone, Debug, Default)]
struct AtLevel<N> {
    first: Vec<Weights<N>>,
    again: Vec<Weights<N>>,
    probed: Weights<N>,
    angles: Weights<N>,
    all: Weights<N>,
    asked: Weights<N>,
    filed: Filed<N>,
    pairs: FiledPairs<N>,
}

impl Expansion<f64> {
    /// Hands the room over, and keeps none.
    pub fn take(&mut self) -> Self {
        use std::mem::take;
        Expansion {
            recursion: self.recursion.clone(),
            highest: self.highest,
            constants: take(&mut self.constants),
            levels: take(&mut self.levels),
            coefficients: take(&mut self.coefficients),
        }
    }
}

impl<N: Coefficient> Expansion<N> {
    /// Room for coefficients up to an order, at most [`HIGHEST_ORDER`], with the values of formulas of parameters.
    pub fn new(recursion: &Arc<Recursion>, highest: usize, settings: &[N]) -> Self {
        let highest = highest.min(HIGHEST_ORDER);
        let constants = recursion.constants(settings);
        let levels = Level::ALL.map(|level| {
            let lists = recursion.lists(level);
            AtLevel {
                first: lists.first.weights(&constants, recursion.width),
                again: lists.again.weights(&constants, recursion.width),
                probed: Weights::new(&lists.probed, &constants, recursion.width),
                angles: Weights::new(&lists.angles, &constants, recursion.width),
                all: Weights::new(&lists.all, &constants, recursion.width),
                asked: Weights::new(&lists.asked, &constants, recursion.width),
                filed: Filed::new(&lists.convolutions, highest),
                pairs: FiledPairs::new(&lists.pairs, highest),
            }
        });
        let mut coefficients = vec![N::zero(); recursion.width * (highest + 1) + recursion.kept];
        coefficients[recursion.kept + recursion.one as usize] = N::constant(1.0);
        Expansion { highest, constants, levels, coefficients, recursion: recursion.clone() }
    }

    /// Whether this is room for the coefficients of a recursion up to an order.
    pub fn is_room_for(&self, recursion: &Arc<Recursion>, highest: usize) -> bool {
        Arc::ptr_eq(&self.recursion, recursion) && self.highest == highest.min(HIGHEST_ORDER)
    }

    /// How many numbers it holds.
    pub fn size(&self) -> usize {
        self.coefficients.len()
    }

    /// Takes over other values of formulas of parameters. All inputs are zero again, since some may not be set: multipliers of
    /// constraints that are left out. All else is found anew wherever the expansion is placed.
    pub fn set(&mut self, settings: &[N]) {
        let [from, .., to] = self.recursion.inputs;
        for k in 0..=self.highest {
            self.row_mut(k)[from as usize..to as usize].fill(N::zero());
        }
        self.constants = self.recursion.constants(settings);
        for (at, level) in self.levels.iter_mut().zip(Level::ALL) {
            let lists = self.recursion.lists(level);
            lists.first.set(&mut at.first, &self.constants);
            lists.again.set(&mut at.again, &self.constants);
            let rows = [&lists.probed, &lists.angles, &lists.all, &lists.asked];
            let weights = [&mut at.probed, &mut at.angles, &mut at.all, &mut at.asked];
            for (weights, rows) in weights.into_iter().zip(rows) {
                weights.set(rows, &self.constants);
            }
        }
    }

    /// The highest order there is room for.
    pub fn highest(&self) -> usize {
        self.highest
    }

    /// Whether a root that is followed is a position, velocity, acceleration or multiplier itself.
    pub fn has_bare_roots(&self) -> bool {
        self.recursion.has_bare_roots
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

    /// The values of all formulas of a level, from those of the inputs. Higher orders of accelerations begin with
    /// [`begin_again`](Self::begin_again), since accelerations are found first.
    pub fn begin(&mut self, level: Level) {
        self.values(level, |lists| &lists.first, |at| &mut at.first);
        if level != Level::Acceleration {
            self.place(level);
        }
    }

    /// The values of formulas of a level that later orders need, after inputs have changed.
    pub fn begin_again(&mut self, level: Level) {
        self.values(level, |lists| &lists.again, |at| &mut at.again);
        self.place(level);
    }

    fn values(
        &mut self,
        level: Level,
        stages: impl Fn(&Lists) -> &Stages,
        weights: impl Fn(&mut AtLevel<N>) -> &mut [Weights<N>],
    ) {
        let recursion = &*self.recursion;
        let (kept, values) = self.coefficients.split_at_mut(recursion.kept);
        let weights = weights(&mut self.levels[level as usize]);
        let values = &mut values[..recursion.width];
        stages(recursion.lists(level)).evaluate(
            &recursion.operations,
            weights,
            &self.constants,
            (values, kept),
        );
    }

    /// Finds the factors of all rows of a level that are evaluated in each order.
    fn place(&mut self, level: Level) {
        let recursion = &*self.recursion;
        let lists = recursion.lists(level);
        let AtLevel { probed, angles, all, pairs, .. } = &mut self.levels[level as usize];
        for (weights, rows) in [(probed, &lists.probed), (angles, &lists.angles), (all, &lists.all)] {
            weights.place(rows, &self.constants, &self.coefficients, recursion.zero);
        }
        pairs.place(&lists.pairs, &mut self.coefficients[recursion.kept..]);
    }

    /// Coefficients of order k ≥ 1 of what is asked for, while unknowns of that order are zero; before it the sums of products
    /// of lower coefficients, which [`pass`](Self::pass) needs as well.
    pub fn probe(&mut self, level: Level, k: usize) {
        N::compute(Probe { expansion: self, level, k });
    }

    /// The same for those who are at work on coefficients already.
    #[inline(always)]
    pub fn probe_by(&mut self, level: Level, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let row = self.row(k);
        let Expansion { recursion, levels, coefficients, .. } = self;
        let (row, lists, at) = (&mut coefficients[row], recursion.lists(level), &mut levels[level as usize]);
        if lists.convolutions.count() + lists.pairs.count() > 0 {
            let together = Together {
                convolutions: &lists.convolutions,
                filed: &at.filed,
                lists: slice::from_ref(lists),
                levels: slice::from_ref(at),
            };
            together.convolve(k, row, multiply_add);
        }
        at.probed.evaluate(&lists.probed, row, false, multiply_add);
    }

    /// Coefficients of order k ≥ 1 of all formulas of a level, which are filed away for higher orders.
    pub fn pass(&mut self, level: Level, k: usize) {
        N::compute(Pass { expansion: self, level, k });
    }

    /// The same for those who are at work on coefficients already.
    #[inline(always)]
    pub fn pass_by(&mut self, level: Level, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let row = self.row(k);
        let Expansion { recursion, levels, coefficients, .. } = self;
        let (row, lists, at) = (&mut coefficients[row], recursion.lists(level), &mut levels[level as usize]);
        at.follow(lists, k, row, multiply_add);
        at.filed.keep(&lists.convolutions, k, row);
    }

    /// Coefficients of order k ≥ 1 of what is asked for at the level of positions, after all others.
    pub fn answer(&mut self, k: usize) {
        N::compute(Answer { expansion: self, k });
    }
}

struct Probe<'a, N> {
    expansion: &'a mut Expansion<N>,
    level: Level,
    k: usize,
}

impl<N: Coefficient> Work<N> for Probe<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        self.expansion.probe_by(self.level, self.k, multiply_add);
    }
}

struct Pass<'a, N> {
    expansion: &'a mut Expansion<N>,
    level: Level,
    k: usize,
}

impl<N: Coefficient> Work<N> for Pass<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        self.expansion.pass_by(self.level, self.k, multiply_add);
    }
}

struct Answer<'a, N> {
    expansion: &'a mut Expansion<N>,
    k: usize,
}

impl<N: Coefficient> Work<N> for Answer<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let row = self.expansion.row(self.k);
        let Expansion { recursion, levels, constants, coefficients, .. } = self.expansion;
        let rows = &recursion.lists(Level::Position).asked;
        let asked = &mut levels[Level::Position as usize].asked;
        asked.place(rows, constants, coefficients, recursion.zero);
        asked.evaluate(rows, &mut coefficients[row], true, multiply_add);
    }
}
