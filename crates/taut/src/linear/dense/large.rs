//! Factors of matrices too large for our own loops, by faer; the storage is asked for once.

use super::entry::Entry;
use super::lu::store;
use super::{exchange, exchanges_of};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::traits::ComplexField;
use faer::{MatMut, Par, Spec, c64};
use pulp::Simd;
use std::fmt;

/// What faer needs beside the matrix.
pub struct Workspace {
    permutation: Vec<usize>,
    inverse: Vec<usize>,
    scratch: StackReq,
    memory: MemBuffer,
    /// a complex matrix as faer wants it, its parts together
    joined: Vec<c64>,
}

impl Clone for Workspace {
    /// The memory is scratch space: a copy gets fresh one.
    fn clone(&self) -> Self {
        Self {
            permutation: self.permutation.clone(),
            inverse: self.inverse.clone(),
            scratch: self.scratch,
            memory: MemBuffer::new(self.scratch),
            joined: self.joined.clone(),
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("permutation", &self.permutation).finish_non_exhaustive()
    }
}

impl Workspace {
    pub(super) fn new<T: ComplexField>(n: usize) -> Self {
        let scratch = lu_in_place_scratch::<usize, T>(n, n, Par::Seq, Spec::default());
        Self {
            permutation: vec![0; n],
            inverse: vec![0; n],
            scratch,
            memory: MemBuffer::new(scratch),
            joined: Vec::new(),
        }
    }

    /// Room for a complex matrix with its parts together.
    pub(super) fn with_joined_parts(mut self) -> Self {
        let n = self.permutation.len();
        self.joined = vec![c64::new(0.0, 0.0); n * n];
        self
    }

    /// [`factor`](Self::factor) of a complex matrix whose columns have their parts apart.
    pub(super) fn factor_parted(&mut self, matrix: &mut [f64], swaps: &mut [usize]) {
        let n = swaps.len();
        let mut joined = std::mem::take(&mut self.joined);
        for (joined, column) in joined.chunks_exact_mut(n).zip(matrix.chunks_exact(2 * n)) {
            let (re, im) = column.split_at(n);
            for ((z, &re), &im) in joined.iter_mut().zip(re).zip(im) {
                *z = c64::new(re, im);
            }
        }
        self.factor(&mut joined, swaps);
        for (joined, column) in joined.chunks_exact(n).zip(matrix.chunks_exact_mut(2 * n)) {
            let (re, im) = column.split_at_mut(n);
            for ((z, re), im) in joined.iter().zip(re).zip(im) {
                (*re, *im) = (z.re, z.im);
            }
        }
        self.joined = joined;
    }

    /// Replaces the column-major `matrix` by its factors and writes the row exchanges to `swaps`.
    ///
    /// A zero pivot is not reported: the caller looks at the diagonal.
    pub(super) fn factor<T: ComplexField>(&mut self, matrix: &mut [T], swaps: &mut [usize]) {
        let n = swaps.len();
        let matrix = MatMut::from_column_major_slice_mut(matrix, n, n);
        let stack = MemStack::new(&mut self.memory);
        lu_in_place(matrix, &mut self.permutation, &mut self.inverse, Par::Seq, stack, Spec::default());
        exchanges_of(&self.permutation, swaps);
    }
}

/// Replaces `b` by the solution of A x = b; the columns of a matrix have their parts one after the other.
#[inline(always)]
pub(super) fn substitute<E: Entry<PARTS>, S: Simd, const PARTS: usize>(
    simd: S,
    matrix: &[f64],
    swaps: &[usize],
    reciprocals: &[E],
    mut b: [&mut [f64]; PARTS],
) {
    let n = swaps.len();
    for part in &mut b {
        exchange(part, swaps);
    }
    for k in 0..n {
        let y = E::of(b.each_ref().map(|part| part[k]));
        let column = std::array::from_fn(|p| &matrix[(k * PARTS + p) * n..][k + 1..n]);
        E::subtract_long(simd, b.each_mut().map(|part| &mut part[k + 1..n]), column, y);
    }
    for k in (0..n).rev() {
        let x = E::of(b.each_ref().map(|part| part[k])) * reciprocals[k];
        store(x, &mut b, k);
        let column = std::array::from_fn(|p| &matrix[(k * PARTS + p) * n..][..k]);
        E::subtract_long(simd, b.each_mut().map(|part| &mut part[..k]), column, x);
    }
}
