//! Factors of matrices too large for our own loops, by faer; the storage is asked for once.

use super::kernel::{Parts, subtract_column, subtract_complex_column};
use super::{exchange, exchanges_of};
use crate::linear::Complex;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::traits::ComplexField;
use faer::{MatMut, Par, Spec};
use pulp::Simd;
use std::fmt;

/// What faer needs beside the matrix.
pub(super) struct Workspace {
    permutation: Vec<usize>,
    inverse: Vec<usize>,
    scratch: StackReq,
    memory: MemBuffer,
}

impl Clone for Workspace {
    /// The memory is scratch space: a copy gets fresh one.
    fn clone(&self) -> Self {
        Self {
            permutation: self.permutation.clone(),
            inverse: self.inverse.clone(),
            scratch: self.scratch,
            memory: MemBuffer::new(self.scratch),
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
        Self { permutation: vec![0; n], inverse: vec![0; n], scratch, memory: MemBuffer::new(scratch) }
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

/// Replaces `b` by the solution of A x = b.
#[inline(always)]
pub(super) fn substitute<S: Simd>(
    simd: S,
    matrix: &[f64],
    swaps: &[usize],
    reciprocals: &[f64],
    b: &mut [f64],
) {
    let n = swaps.len();
    exchange(b, swaps);
    for k in 0..n {
        let (done, below) = b.split_at_mut(k + 1);
        subtract_column(simd, below, &matrix[k * n + k + 1..], done[k]);
    }
    for k in (0..n).rev() {
        let x = b[k] * reciprocals[k];
        b[k] = x;
        subtract_column(simd, &mut b[..k], &matrix[k * n..], x);
    }
}

/// [`substitute`] for complex numbers.
#[inline(always)]
pub(super) fn substitute_complex<S: Simd>(
    simd: S,
    matrix: Parts<'_>,
    swaps: &[usize],
    reciprocals: &[Complex],
    (re, im): (&mut [f64], &mut [f64]),
) {
    let n = swaps.len();
    exchange(re, swaps);
    exchange(im, swaps);
    for k in 0..n {
        let (done_re, below_re) = re.split_at_mut(k + 1);
        let (done_im, below_im) = im.split_at_mut(k + 1);
        let column = (&matrix.0[k * n + k + 1..], &matrix.1[k * n + k + 1..]);
        subtract_complex_column(simd, (below_re, below_im), column, (done_re[k], done_im[k]));
    }
    for k in (0..n).rev() {
        let x = Complex::new(re[k], im[k]) * reciprocals[k];
        (re[k], im[k]) = (x.re, x.im);
        let column = (&matrix.0[k * n..], &matrix.1[k * n..]);
        subtract_complex_column(simd, (&mut re[..k], &mut im[..k]), column, (x.re, x.im));
    }
}
