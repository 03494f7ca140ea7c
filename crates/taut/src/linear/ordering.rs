//! Orders of elimination that keep a sparse factorisation sparse.

use super::{Pattern, SaddlePattern};
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

/// The order of elimination by least degree, coordinates before multipliers, and the entries of the factors with pivots
/// on the diagonal, at i + j N.
pub(super) fn coordinates_first(pattern: &SaddlePattern) -> (Vec<usize>, Vec<bool>) {
    let size = pattern.size();
    let mut filled = vec![false; size * size];
    for (i, j) in pattern.matrix().entries() {
        filled[i + j * size] = true;
        filled[j + i * size] = true;
    }
    let mut order = Vec::with_capacity(size);
    for unknowns in [0..pattern.n, pattern.n..size] {
        let mut waiting: Vec<usize> = unknowns.collect();
        let mut gone = vec![false; size];
        order.iter().for_each(|&k: &usize| gone[k] = true);
        while !waiting.is_empty() {
            let neighbours =
                |i: usize| (0..size).filter(|&j| j != i && !gone[j] && filled[i + j * size]).count();
            let (at, _) = waiting.iter().enumerate().min_by_key(|(_, i)| neighbours(**i)).unwrap_or((0, &0));
            let next = waiting.remove(at);
            gone[next] = true;
            order.push(next);
            let left: Vec<usize> = (0..size).filter(|&j| !gone[j] && filled[next + j * size]).collect();
            for &i in &left {
                left.iter().for_each(|&j| filled[i + j * size] = true);
            }
        }
    }
    (order, filled)
}
