//! Coefficients of inputs, which are set, and of roots, which are read.

use super::Expansion;
use super::convolution::{Coefficient, LANES, Lanes};
use super::rows::FEW;

/// Numbers of roots and the coefficients of one order, where formulas are few.
pub type FewRoots<'a, N> = (&'a [u8], &'a [N; FEW]);

impl<N: Coefficient> Expansion<N> {
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

    /// The coefficients of order k of accelerations and multipliers, to be set.
    #[inline]
    pub fn unknowns_mut(&mut self, k: usize) -> &mut [N] {
        let [_, _, _, from, _, to] = self.recursion.inputs;
        &mut self.row_mut(k)[from as usize..to as usize]
    }

    /// Sets accelerations of order k, and velocities and positions of the orders k + 1 and k + 2 that follow from them.
    #[inline(always)]
    pub fn set_accelerations(&mut self, k: usize, a: &[N]) {
        let recursion = &*self.recursion;
        let [_, positions, velocities, accelerations, multipliers, _] =
            recursion.inputs.map(|place| place as usize);
        let from = recursion.kept + k * recursion.width;
        let (of_order, later) = self.coefficients[from..].split_at_mut(recursion.width);
        let (next, last) = later.split_at_mut(recursion.width);
        of_order[accelerations..multipliers].copy_from_slice(a);
        let one = N::constant(1.0);
        let (first, second) = (one / (k + 1) as f64, one / (k + 2) as f64);
        let (rates, places) = (&mut next[velocities..accelerations], &mut last[positions..velocities]);
        for ((v, q), a) in rates.iter_mut().zip(places).zip(a) {
            *v = *a * first;
            *q = *v * second;
        }
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

    /// The coefficients of order k of roots, from one on, multiplied by a factor.
    #[inline(always)]
    pub fn read_roots(&self, first: usize, k: usize, factor: N, into: &mut [N]) {
        let row = &self.coefficients[self.row(k)];
        if let Ok(row) = <&[N; FEW]>::try_from(row) {
            for (into, &slot) in into.iter_mut().zip(&self.recursion.few_roots[first..]) {
                *into = row[usize::from(slot)] * factor;
            }
            return;
        }
        for (into, &slot) in into.iter_mut().zip(&self.recursion.roots[first..]) {
            *into = row[slot as usize] * factor;
        }
    }

    /// The roots and the coefficients of order k, where formulas are few.
    #[inline(always)]
    pub fn few_roots(&self, k: usize) -> Option<FewRoots<'_, N>> {
        let row = <&[N; FEW]>::try_from(&self.coefficients[self.row(k)]).ok()?;
        Some((&self.recursion.few_roots, row))
    }

    /// Whether [`set_unknowns`](Self::set_unknowns) may be asked: what is written beyond the end of some inputs has to be found anew
    /// later.
    pub fn takes_blocks(&self) -> bool {
        let [_, positions, velocities, ..] = self.recursion.inputs;
        let n = (velocities - positions) as usize;
        n.next_multiple_of(LANES) <= 2 * n && self.recursion.width == FEW
    }

    /// Sets accelerations and multipliers of order k, one after the other in blocks, and velocities and positions of the orders
    /// k + 1 and k + 2 that follow from them.
    #[inline(always)]
    pub fn set_unknowns<const P: usize>(&mut self, k: usize, unknowns: &[Lanes<N>; P]) {
        let recursion = &*self.recursion;
        let [_, positions, velocities, accelerations, ..] = recursion.inputs.map(|place| place as usize);
        let from = recursion.kept + k * recursion.width;
        let (of_order, later) = self.coefficients[from..].split_at_mut(recursion.width);
        let (next, last) = later.split_at_mut(recursion.width);
        let blocks = of_order[accelerations..].as_chunks_mut().0.iter_mut();
        for (block, unknowns) in blocks.zip(unknowns) {
            *block = *unknowns;
        }
        let one = N::constant(1.0);
        let (first, second) = (one / (k + 1) as f64, one / (k + 2) as f64);
        let rates = next[velocities..].as_chunks_mut().0.iter_mut();
        let places = last[positions..].as_chunks_mut().0.iter_mut();
        let count = (velocities - positions).div_ceil(LANES);
        for ((a, v), q) in unknowns.iter().zip(rates).zip(places).take(count) {
            let rates: Lanes<N> = a.map(|a| a * first);
            *v = rates;
            *q = rates.map(|v| v * second);
        }
    }
}
