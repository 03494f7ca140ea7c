//! Saddle matrices whose pivots are known beforehand.

#[cfg(test)]
mod tests;

use super::dense::blocks::{
    BLOCK, Column, blocks_before, blocks_for, blocks_to, columns, columns_mut, subtract, with_blocks,
};
use super::saddle::Assembly;
use super::{Blocks, SaddlePattern, Scales, ordering};
use pulp::{Arch, Simd, WithSimd};
use std::sync::Arc;

/// How far pivots may be from the entries they come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct PivotBounds {
    least: f64,
    most: f64,
}

impl PivotBounds {
    /// Of coordinates, against their entries in the matrix: a definite mass matrix makes pivots smaller, at worst by its
    /// condition; larger ones are growth.
    pub(super) const COORDINATES: Self = Self { least: 1e-4, most: 1e3 };

    /// Of multipliers, against their entries when all coordinates are eliminated: constraints that depend on each other
    /// make pivots small in every order of elimination.
    pub(super) const MULTIPLIERS: Self = Self { least: 1e-10, most: 1e3 };

    /// Of variables of a first-order system, against their entries in the matrix: where they cancel, half of the digits are
    /// left, which is more than Newton's iteration needs.
    pub(super) const VARIABLES: Self = Self { least: 1e-8, most: 1e3 };

    #[inline(always)]
    pub(super) fn permit(self, size: f64, reference: f64) -> bool {
        let has_reciprocal = size > f64::MIN_POSITIVE && size < f64::MAX;
        has_reciprocal && size >= self.least * reference && size <= self.most * reference
    }
}

/// L U of a saddle matrix with pivots on its diagonal: coordinates first, by least degree, then multipliers.
///
/// With a definite mass matrix that dominates (all but huge steps) this is the elimination of two definite matrices, which
/// needs neither search nor exchange of rows. Sizes of pivots are watched; where they shrink or grow too much,
/// [`factor`](Self::factor) says so, and another elimination has to be taken. Of symmetric matrices half is needed.
#[derive(Clone, Debug)]
pub(super) struct OrderedLu {
    size: usize,
    coordinates: usize,
    symmetric: bool,
    /// The unknown that is eliminated as the k-th.
    order: Arc<[usize]>,
    /// The later columns that the elimination of the k-th unknown changes.
    changed: Arc<[Vec<usize>]>,
    assembly: Arc<Assembly>,
    /// A, then L without its unit diagonal, columns filled up to whole blocks.
    matrix: Vec<f64>,
    /// U D^-1; empty for symmetric matrices.
    upper: Vec<f64>,
    /// For each column 1 below the diagonal, 0 elsewhere.
    below: Arc<[f64]>,
    reciprocals: Vec<f64>,
    /// Sizes by which pivots are judged.
    references: Vec<f64>,
    arch: Arch,
}

impl OrderedLu {
    /// Storage for matrices of this pattern; nothing where pivots are not known or there are too many unknowns. That a
    /// matrix is symmetric has to be promised.
    pub(super) fn new(pattern: &SaddlePattern, symmetric: bool) -> Option<Self> {
        blocks_for(pattern.size()).filter(|_| pattern.m > 0)?;
        Self::in_order(pattern, symmetric, ordering::coordinates_first(pattern))
    }

    /// The same for a known order of elimination and the entries that it fills.
    pub(super) fn in_order(
        pattern: &SaddlePattern,
        symmetric: bool,
        (order, filled): (Vec<usize>, Vec<bool>),
    ) -> Option<Self> {
        let size = pattern.size();
        let stride = BLOCK * blocks_for(size)?;
        let mut position = vec![0; size];
        order.iter().enumerate().for_each(|(k, &unknown)| position[unknown] = k);
        let later = |k: usize| (k + 1..size).filter(|&j| filled[order[k] + order[j] * size]).collect();
        let is_below = |place: usize| f64::from(u8::from(place % stride > place / stride));
        Some(Self {
            size,
            coordinates: pattern.n,
            symmetric,
            changed: (0..size).map(later).collect(),
            assembly: Arc::new(Assembly::ordered(pattern, &position, stride, symmetric)),
            order: order.into(),
            matrix: vec![0.0; stride * size],
            upper: vec![0.0; if symmetric { 0 } else { stride * size }],
            below: (0..stride * size).map(is_below).collect(),
            reciprocals: vec![0.0; size],
            references: vec![0.0; size],
            arch: Arch::new(),
        })
    }

    /// Where the factors of a symmetric matrix, found in the same order by other means, are written to: L without its unit
    /// diagonal, columns so far apart, and the reciprocals of pivots. What is zero has to be left alone.
    pub(super) fn factors_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.matrix, &mut self.reciprocals)
    }

    /// How far apart the columns are.
    pub(super) fn stride(&self) -> usize {
        self.matrix.len() / self.size.max(1)
    }

    /// Puts the matrix together and eliminates. False where the pivots are bad.
    pub(super) fn factor(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        let Self { assembly, matrix, .. } = self;
        matrix.fill(0.0);
        assembly.each(blocks, scales.factors(), |place, scale, value| matrix[place] += scale * value);
        self.arch.dispatch(Factor(self))
    }

    /// Replaces `b` by the solution of A x = b. Call after a factorisation that succeeded.
    pub(super) fn solve(&self, b: &mut [f64]) {
        self.arch.dispatch(Solve { lu: self, b });
    }
}

struct Factor<'a>(&'a mut OrderedLu);

impl WithSimd for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        with_blocks!(self.0.size, B => self.0.eliminate::<S, B>(simd))
    }
}

impl OrderedLu {
    #[inline(always)]
    fn eliminate<S: Simd, const B: usize>(&mut self, simd: S) -> bool {
        let Self { matrix, upper, below, changed, reciprocals, references, .. } = self;
        let (matrix, upper, below) = (columns_mut::<B>(matrix), columns_mut::<B>(upper), columns::<B>(below));
        let (size, coordinates) = (self.size, self.coordinates);
        let parts =
            [(0..coordinates, PivotBounds::COORDINATES), (coordinates..size, PivotBounds::MULTIPLIERS)];
        for (part, bounds) in parts {
            for j in part.clone() {
                references[j] = matrix[j].as_flattened()[j].abs();
            }
            for k in part {
                let Some((column, later)) = matrix[k..].split_first_mut() else { break };
                let entries = *column;
                let pivot = entries.as_flattened()[k];
                if !bounds.permit(pivot.abs(), references[k]) {
                    return false;
                }
                let reciprocal = 1.0 / pivot;
                reciprocals[k] = reciprocal;
                scale(simd, column, &entries, &below[k], reciprocal);
                if let Some(upper) = upper.get_mut(k) {
                    scale_and_subtract(simd, upper, &entries, column, reciprocal);
                }
                for &j in &changed[k] {
                    let target = &mut later[j - k - 1];
                    let (u, first) = match self.symmetric {
                        true => (entries.as_flattened()[j], blocks_before::<B>(j)),
                        false => (target.as_flattened()[k], blocks_before::<B>(k)),
                    };
                    subtract(simd, &mut target[first..], &column[first..], u);
                }
            }
        }
        true
    }
}

/// column = factor entries in the rows below the diagonal, 0 in the others.
#[inline(always)]
fn scale<S: Simd, const B: usize>(
    simd: S,
    column: &mut Column<B>,
    entries: &Column<B>,
    below: &Column<B>,
    factor: f64,
) {
    let factor = simd.splat_f64s(factor);
    let column = S::as_mut_simd_f64s(column.as_flattened_mut()).0;
    let entries = S::as_simd_f64s(entries.as_flattened()).0;
    let below = S::as_simd_f64s(below.as_flattened()).0;
    for ((y, &x), &mask) in column.iter_mut().zip(entries).zip(below) {
        *y = simd.mul_f64s(x, simd.mul_f64s(factor, mask));
    }
}

/// upper = factor entries − lower
#[inline(always)]
fn scale_and_subtract<S: Simd, const B: usize>(
    simd: S,
    upper: &mut Column<B>,
    entries: &Column<B>,
    lower: &Column<B>,
    factor: f64,
) {
    let factor = simd.splat_f64s(factor);
    let upper = S::as_mut_simd_f64s(upper.as_flattened_mut()).0;
    let entries = S::as_simd_f64s(entries.as_flattened()).0;
    let lower = S::as_simd_f64s(lower.as_flattened()).0;
    for ((y, &x), &l) in upper.iter_mut().zip(entries).zip(lower) {
        *y = simd.sub_f64s(simd.mul_f64s(x, factor), l);
    }
}

struct Solve<'a> {
    lu: &'a OrderedLu,
    b: &'a mut [f64],
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { lu, b } = self;
        with_blocks!(lu.size, B => lu.substitute::<S, B>(simd, b))
    }
}

impl OrderedLu {
    /// L y = b, then U x = y.
    #[inline(always)]
    fn substitute<S: Simd, const B: usize>(&self, simd: S, b: &mut [f64]) {
        let (lower, upper) = (columns::<B>(&self.matrix), columns::<B>(&self.upper));
        let (order, b) = (&self.order[..self.size], &mut b[..self.size]);
        let mut x: Column<B> = [[0.0; BLOCK]; B];
        for (x, &unknown) in x.as_flattened_mut().iter_mut().zip(order) {
            *x = b[unknown];
        }
        for (k, lower) in lower.iter().enumerate() {
            let (y, first) = (x.as_flattened()[k], blocks_before::<B>(k));
            subtract(simd, &mut x[first..], &lower[first..], y);
        }
        let pivots = self.reciprocals.iter().zip(order).enumerate().rev();
        for (k, (reciprocal, &unknown)) in pivots {
            let y = x.as_flattened()[k];
            let solved = match upper.get(k) {
                Some(upper) => {
                    let above = blocks_to::<B>(k);
                    subtract(simd, &mut x[..above], &upper[..above], y);
                    y * reciprocal
                }
                None => {
                    let first = blocks_before::<B>(k);
                    y * reciprocal - product(simd, &x[first..], &lower[k][first..])
                }
            };
            x.as_flattened_mut()[k] = solved;
            b[unknown] = solved;
        }
    }
}

/// The scalar product.
#[inline(always)]
fn product<S: Simd>(simd: S, x: &[[f64; BLOCK]], l: &[[f64; BLOCK]]) -> f64 {
    let mut sum = simd.splat_f64s(0.0);
    let (x, l) = (S::as_simd_f64s(x.as_flattened()).0, S::as_simd_f64s(l.as_flattened()).0);
    for (&x, &l) in x.iter().zip(l) {
        sum = simd.mul_add_e_f64s(x, l, sum);
    }
    simd.reduce_sum_f64s(sum)
}
