//! Factors of matrices too large for our own loops, by faer; the storage is asked for once.

use super::exchanges_of;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::traits::ComplexField;
use faer::{MatMut, Par, Spec};
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
