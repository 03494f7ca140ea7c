//! Orders in which formulas of all levels are followed together.
//!
//! Positions are known two orders ahead of accelerations. Where constraints ask for them, formulas of positions are followed that
//! far; where nothing does, they wait for the others: all convolutions of an order are as long then, and are one list.

use super::convolution::{Coefficient, Together, Work};
use super::recursion::Lists;
use super::{AtLevel, Expansion};

impl<N: Coefficient> Expansion<N> {
    /// Coefficients of order k ≥ 1 of formulas of positions and velocities, and of what is asked for, while accelerations and
    /// multipliers of that order are zero.
    pub fn ask(&mut self, k: usize) {
        N::compute(Ask { expansion: self, k });
    }

    /// The same for those who are at work on coefficients already.
    #[inline(always)]
    pub fn ask_by(&mut self, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let row = self.row(k);
        let Expansion { recursion, levels, coefficients, .. } = self;
        let row = &mut coefficients[row];
        let [positions, velocities, accelerations] = &recursion.lists;
        let [of_positions, of_velocities, of_accelerations] = levels;
        let together = Together {
            convolutions: &accelerations.convolutions,
            filed: &of_accelerations.filed,
            pairs: &positions.pairs,
            filed_pairs: &of_positions.pairs,
        };
        together.convolve(k, row, multiply_add);
        for (lists, at) in [(velocities, &*of_velocities), (accelerations, &*of_accelerations)] {
            if lists.pairs.count() > 0 {
                at.pairs.products(&lists.pairs, k - 1, row, multiply_add);
            }
        }
        of_positions.follow(positions, k, row, multiply_add);
        of_velocities.follow(velocities, k, row, multiply_add);
        of_accelerations.probed.evaluate(&accelerations.probed, row, false, multiply_add);
    }

    /// Coefficients of order k ≥ 1 of all other formulas, which are filed away for higher orders.
    pub fn follow(&mut self, k: usize) {
        N::compute(Follow { expansion: self, k });
    }

    /// The same for those who are at work on coefficients already.
    #[inline(always)]
    pub fn follow_by(&mut self, k: usize, multiply_add: impl Fn(N, N, N) -> N + Copy) {
        let row = self.row(k);
        let Expansion { recursion, levels, coefficients, .. } = self;
        let row = &mut coefficients[row];
        let ([.., lists], [.., at]) = (&recursion.lists, levels);
        at.follow(lists, k, row, multiply_add);
        at.filed.keep(&lists.convolutions, k, row);
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
