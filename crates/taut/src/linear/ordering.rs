//! Orders of elimination that keep a sparse factorisation sparse.

use std::ops::Range;

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

/// An order from both ends of each chain to its middle, where a symmetric matrix couples unknowns in chains alone: nothing is
/// filled, as in any order from an end on, and every other step of the elimination need not wait for the one before. Nothing where
/// unknowns are coupled otherwise.
pub(super) fn from_both_ends(matrix: &Pattern) -> Option<Vec<usize>> {
    let n = matrix.cols();
    let neighbours = |i: usize| matrix.column(i).iter().copied().filter(move |&j| j != i);
    let mut seen = vec![false; n];
    let mut order = Vec::with_capacity(n);
    for end in 0..n {
        if neighbours(end).count() > 2 {
            return None;
        }
        if seen[end] || neighbours(end).count() == 2 {
            continue;
        }
        let first = order.len();
        let mut next = Some(end);
        while let Some(unknown) = next {
            seen[unknown] = true;
            order.push(unknown);
            next = neighbours(unknown).find(|&j| !seen[j]);
        }
        let chain = order.split_off(first);
        let (early, late) = chain.split_at(chain.len().div_ceil(2));
        let mut late = late.iter().rev();
        for &unknown in early {
            order.push(unknown);
            order.extend(late.next());
        }
    }
    // What is left are rings.
    (order.len() == n).then_some(order)
}

/// An order of elimination that has pivots on the diagonal: multipliers come behind their coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    /// the columns
    pub(crate) order: Vec<usize>,
    /// the row in which the pivot of each column is looked for first; nothing where it is that of the same number
    pub(crate) partners: Vec<usize>,
    /// which of the unknowns are multipliers
    pub(crate) multipliers: Range<usize>,
}

/// A constraint of so many coordinates is not looked at as one clique of them.
const MOST_TOGETHER: usize = 100;

/// An order in which multipliers come right behind the last of their coordinates: coordinates by minimum degree, those of a constraint taken as coupled. Nothing where there are no constraints, or where one
/// has very many coordinates.
pub(crate) fn behind_coordinates(pattern: &SaddlePattern) -> Option<Behind> {
    let SaddlePattern { n, m, mass, damping, stiffness, jacobian } = pattern;
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); *m];
    for (row, column) in jacobian.entries() {
        held[row].push(column);
    }
    if held.is_empty() || held.iter().any(|columns| columns.len() > MOST_TOGETHER) {
        return None;
    }
    let blocks = [mass, damping, stiffness].map(Pattern::entries).into_iter().flatten();
    let pairs = |columns: &Vec<usize>| {
        let columns = columns.clone();
        let all = columns.clone();
        columns.into_iter().flat_map(move |i| all.clone().into_iter().map(move |j| (i, j)))
    };
    let coupled = blocks.chain(held.iter().flat_map(pairs)).chain((0..*n).map(|i| (i, i)));
    let (coordinates, _) = minimum_degree(&Pattern::from_entries(*n, *n, coupled));
    let mut position = vec![0; *n];
    coordinates.iter().enumerate().for_each(|(k, &coordinate)| position[coordinate] = k);
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); *n];
    let mut order = Vec::with_capacity(n + m);
    for (row, columns) in held.iter().enumerate() {
        match columns.iter().map(|&column| position[column]).max() {
            Some(last) => behind[last].push(n + row),
            None => order.push(n + row),
        }
    }
    for (coordinate, multipliers) in coordinates.into_iter().zip(behind) {
        order.push(coordinate);
        order.extend(multipliers);
    }
    Some(Behind { order, partners: Vec::new(), multipliers: *n..n + m })
}

/// The order of elimination by least degree, coordinates before multipliers, and the entries of the factors with pivots
/// on the diagonal, at i + j N. For up to 64 unknowns: those that an unknown is coupled with are the bits of a word.
pub(super) fn coordinates_first(pattern: &SaddlePattern) -> (Vec<usize>, Vec<bool>) {
    let size = pattern.size();
    debug_assert!(size <= u64::BITS as usize, "too many unknowns");
    let mut coupled = vec![0_u64; size];
    for (i, j) in pattern.entries() {
        coupled[i] |= 1 << j;
        coupled[j] |= 1 << i;
    }
    let mut left = u64::MAX;
    let mut order = Vec::with_capacity(size);
    for unknowns in [0..pattern.n, pattern.n..size] {
        for _ in unknowns.clone() {
            let neighbours = |i: usize| coupled[i] & left & !(1 << i);
            let waiting = unknowns.clone().filter(|i| left >> i & 1 == 1);
            let next = waiting.min_by_key(|&i| neighbours(i).count_ones()).unwrap_or(0);
            let neighbours = neighbours(next);
            for (i, coupled) in coupled.iter_mut().enumerate().filter(|(i, _)| neighbours >> i & 1 == 1) {
                *coupled |= neighbours | 1 << i;
            }
            left &= !(1 << next);
            order.push(next);
        }
    }
    let filled = (0..size).flat_map(|j| coupled.iter().map(move |coupled| coupled >> j & 1 == 1)).collect();
    (order, filled)
}
