//! Orders of elimination that keep a sparse factorisation sparse.

use super::Pattern;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// Approximate minimum degree on A + A^T, and the multiplications of an LU factorisation in that order with its
/// pivots on the diagonal. `order[k]` is the column eliminated as the k-th.
pub(super) fn minimum_degree(matrix: &Pattern) -> (Vec<usize>, f64) {
    let n = matrix.cols();
    let mut order = vec![0; n];
    let mut inverse = vec![0; n];
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, matrix.nnz()));
    let symbolic =
        SymbolicSparseColMatRef::new_checked(n, n, matrix.column_starts(), None, matrix.row_indices());
    let stack = MemStack::new(&mut memory);
    match amd::order(&mut order, &mut inverse, symbolic, amd::Control::default(), stack) {
        Ok(count) => (order, count.n_mult_subs_lu),
        // Only an overflow of the index type can fail; such a matrix is eliminated as it stands.
        Err(_) => ((0..n).collect(), f64::INFINITY),
    }
}
