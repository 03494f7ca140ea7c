//! Orders of a mechanism: formulas of all levels.
//!
//! Positions are known two orders ahead of accelerations, velocities one. Where constraints ask for formulas of a level they are
//! followed that far; where nothing does they wait for accelerations: all convolutions of such levels are as long then, and are
//! one list.

use super::convolution::{Coefficient, Together, Work};
use super::recursion::Lists;
use super::{AtLevel, Expansion, Level};

/// How many orders each level is ahead of accelerations.
const AHEAD: [(Level, usize); 2] = [(Level::Position, 2), (Level::Velocity, 1)];

impl<N: Coefficient> Expansion<N> {
    /// What is asked for in the order k of accelerations, while unknowns are zero, and what it needs; in order 0 what is ahead.
    pub fn ask(&mut self, k: usize) {
        N::compute(Ask { expansion: self, k });
    }

    /// The same for those who are at work on coefficients already.
    #[inline(always)]
    pub fn ask_by(&mut self, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        for &(level, ahead) in &AHEAD[..self.recursion.waits as usize] {
            self.probe_by(level, k + ahead, multiply_add);
        }
        if k > 0 {
            self.ask_together(k, multiply_add);
        }
    }

    #[inline(always)]
    fn ask_together(&mut self, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let row = self.row(k);
        let Expansion { recursion, levels, coefficients, .. } = self;
        let (row, first) = (&mut coefficients[row], recursion.waits as usize);
        let ([.., lists], [.., at]) = (&recursion.lists, &*levels);
        let together = Together {
            convolutions: &lists.convolutions,
            filed: &at.filed,
            lists: &recursion.lists[first..],
            levels: &levels[first..],
        };
        together.convolve(k, row, multiply_add);
        let [others @ .., at] = levels;
        for (at, lists) in others[first..].iter_mut().zip(&recursion.lists[first..]) {
            at.follow(lists, k, row, multiply_add);
        }
        at.probed.evaluate(&lists.probed, row, false, multiply_add);
    }

    /// All other formulas of the order k of accelerations, which are filed away for higher orders; in order 0 what is ahead.
    pub fn follow(&mut self, k: usize) {
        N::compute(Follow { expansion: self, k });
    }

    /// The same for those who are at work on coefficients already.
    #[inline(always)]
    pub fn follow_by(&mut self, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        for &(level, ahead) in &AHEAD[..self.recursion.waits as usize] {
            self.pass_by(level, k + ahead, multiply_add);
        }
        if k > 0 {
            self.pass_by(Level::Acceleration, k, multiply_add);
        }
    }

    /// What positions have to order 1, where formulas of positions are ahead.
    pub fn begin_ahead(&mut self) {
        if self.recursion.waits > Level::Position {
            self.probe(Level::Position, 1);
            self.pass(Level::Position, 1);
        }
    }
}

impl<N: Coefficient> AtLevel<N> {
    /// Coefficients of order k of all formulas of the level, from sums of products and from inputs.
    #[inline(always)]
    pub(super) fn follow(
        &mut self,
        lists: &Lists,
        k: usize,
        row: &mut [N],
        multiply_add: impl Fn(N, N, N) -> N + Copy,
    ) {
        if lists.pairs.count() > 0 {
            self.angles.evaluate(&lists.angles, row, true, multiply_add);
            self.pairs.pass(&lists.pairs, k, row, multiply_add);
        }
        self.all.evaluate(&lists.all, row, true, multiply_add);
    }
}

struct Ask<'a, N> {
    expansion: &'a mut Expansion<N>,
    k: usize,
}

impl<N: Coefficient> Work<N> for Ask<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        self.expansion.ask_by(self.k, multiply_add);
    }
}

struct Follow<'a, N> {
    expansion: &'a mut Expansion<N>,
    k: usize,
}

impl<N: Coefficient> Work<N> for Follow<'_, N> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        self.expansion.follow_by(self.k, multiply_add);
    }
}
