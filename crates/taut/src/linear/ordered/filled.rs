//! Columns with entries in few of their blocks: the others are zero from the beginning on, and are neither cleared nor looked at.

use super::{OrderedLu, scale, scale_and_subtract};
use crate::linear::dense::blocks::{BLOCK, Column, FEW_BLOCKS, columns, subtract};
use pulp::Simd;
use std::ops::Range;
use std::sync::Arc;

/// Blocks of a column with entries: up to that of the diagonal, and from it on.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    above: Vec<usize>,
    below: Vec<usize>,
}

/// The blocks with entries, where these are less than half of all and there are more than a column of few has.
pub(super) fn filled_blocks(
    size: usize,
    in_column: usize,
    is_filled: impl Fn(usize, usize) -> bool,
) -> Option<Arc<[Filled]>> {
    let has_entries = |block: usize, column: usize| {
        let first = BLOCK * block;
        (first..size.min(first + BLOCK)).any(|row| row == column || is_filled(row, column))
    };
    let of_column = |column: usize| {
        let of = |blocks: Range<usize>| blocks.filter(|&block| has_entries(block, column)).collect();
        Filled { above: of(0..column / BLOCK + 1), below: of(column / BLOCK..in_column) }
    };
    let filled: Arc<[Filled]> = (0..size).map(of_column).collect();
    let count: usize = filled.iter().map(|column| column.above.len() + column.below.len()).sum();
    (in_column > FEW_BLOCKS && 2 * count < in_column * size).then_some(filled)
}

impl OrderedLu {
    /// Clears what the last elimination has changed.
    pub(super) fn clear(&mut self) {
        let Some(filled) = &self.filled else { return self.matrix.fill(0.0) };
        let in_column = self.stride() / BLOCK;
        let (blocks, _) = self.matrix.as_chunks_mut::<BLOCK>();
        for (Filled { above, below }, column) in filled.iter().zip(blocks.chunks_exact_mut(in_column)) {
            above.iter().chain(below).for_each(|&block| column[block] = [0.0; BLOCK]);
        }
    }

    /// [`Self::substitute`] where columns have entries in few of their blocks.
    #[inline(always)]
    pub(super) fn substitute_filled<S: Simd, const B: usize>(
        &self,
        simd: S,
        filled: &[Filled],
        b: &mut [f64],
    ) {
        let (lower, upper) = (columns::<B>(&self.matrix), columns::<B>(&self.upper));
        let (order, b) = (&self.order[..self.size], &mut b[..self.size]);
        let mut x: Column<B> = [[0.0; BLOCK]; B];
        for (x, &unknown) in x.as_flattened_mut().iter_mut().zip(order) {
            *x = b[unknown];
        }
        for (k, (lower, filled)) in lower.iter().zip(filled).enumerate() {
            let y = x.as_flattened()[k];
            for &block in &filled.below {
                subtract(simd, &mut x[block..block + 1], &lower[block..block + 1], y);
            }
        }
        let pivots = self.reciprocals.iter().zip(order).zip(filled).enumerate().rev();
        for (k, ((reciprocal, &unknown), filled)) in pivots {
            let y = x.as_flattened()[k];
            if let Some(upper) = upper.get(k) {
                for &block in &filled.above {
                    subtract(simd, &mut x[block..block + 1], &upper[block..block + 1], y);
                }
            }
            let mut solved = y * reciprocal;
            if upper.is_empty() {
                let mut sum = [[0.0; BLOCK]];
                for &block in &filled.below {
                    add_products(simd, &mut sum, &x[block..block + 1], &lower[k][block..block + 1]);
                }
                solved -= sum_of(simd, &sum);
            }
            x.as_flattened_mut()[k] = solved;
            b[unknown] = solved;
        }
    }
}

/// sum += x l, entry by entry.
#[inline(always)]
fn add_products<S: Simd>(simd: S, sum: &mut [[f64; BLOCK]], x: &[[f64; BLOCK]], l: &[[f64; BLOCK]]) {
    let sum = S::as_mut_simd_f64s(sum.as_flattened_mut()).0;
    let (x, l) = (S::as_simd_f64s(x.as_flattened()).0, S::as_simd_f64s(l.as_flattened()).0);
    for (sum, (&x, &l)) in sum.iter_mut().zip(x.iter().zip(l)) {
        *sum = simd.mul_add_e_f64s(x, l, *sum);
    }
}

/// The sum of the entries.
#[inline(always)]
fn sum_of<S: Simd>(simd: S, x: &[[f64; BLOCK]]) -> f64 {
    let mut sum = simd.splat_f64s(0.0);
    for &x in S::as_simd_f64s(x.as_flattened()).0 {
        sum = simd.add_f64s(sum, x);
    }
    simd.reduce_sum_f64s(sum)
}

/// [`scale`] and [`scale_and_subtract`] where there are entries.
#[inline(always)]
pub(super) fn scale_filled<S: Simd>(
    simd: S,
    (column, upper): (&mut [[f64; BLOCK]], &mut [[f64; BLOCK]]),
    entries: &[[f64; BLOCK]],
    (mask, Filled { above, below }): (&[[f64; BLOCK]], &Filled),
    factor: f64,
) {
    // The block of the diagonal is among both: what is written there twice is the same.
    for &block in above.iter().chain(below) {
        let here = block..block + 1;
        scale(simd, &mut column[here.clone()], &entries[here.clone()], &mask[here.clone()], factor);
        if let Some(upper) = upper.get_mut(here.clone()) {
            scale_and_subtract(simd, upper, &entries[here.clone()], &column[here], factor);
        }
    }
}

/// Takes multiples of the k-th column from later ones where it has entries.
#[inline(always)]
pub(super) fn subtract_filled<S: Simd, const B: usize>(
    simd: S,
    later: &mut [Column<B>],
    (column, entries): (&Column<B>, &Column<B>),
    (k, changed, filled): (usize, &[usize], &Filled),
    symmetric: bool,
) {
    for &j in changed {
        let target = &mut later[j - k - 1];
        let (u, first) = match symmetric {
            true => (entries.as_flattened()[j], j / BLOCK),
            false => (target.as_flattened()[k], 0),
        };
        for &block in &filled.below {
            if block >= first {
                subtract(simd, &mut target[block..block + 1], &column[block..block + 1], u);
            }
        }
    }
}
