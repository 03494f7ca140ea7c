//! Sparse definite matrices: no pivots have to be chosen.

mod nodes;
#[cfg(test)]
mod tests;

use super::Pattern;
use super::ordered::PivotBounds;
use nodes::Nodes;

/// L D Lᵀ of sparse symmetric matrices that are positive definite, in a fixed order of elimination.
///
/// Places of factors are found once. Sizes of pivots are watched: where one is not positive, or small against its entry of
/// the matrix, [`factor`](Self::factor) says so, and another elimination has to be taken.
#[derive(Clone, Debug)]
pub(super) struct DefiniteLdl {
    /// The unknown that is eliminated as the k-th.
    order: Vec<usize>,
    /// When each unknown is eliminated.
    position: Vec<usize>,
    /// Where the entries below each pivot begin, in the order of elimination; one more at the end.
    starts: Vec<usize>,
    /// The unknowns that the entries below the pivots belong to: the later one, and that of the pivot.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The entry that each pair of entries below a pivot changes.
    targets: Vec<usize>,
    /// The matrix below its diagonal, then L.
    lower: Vec<f64>,
    /// The diagonal of the matrix, then of D.
    diagonal: Vec<f64>,
    reciprocals: Vec<f64>,
    /// Sizes by which pivots are judged.
    references: Vec<f64>,
    /// Every unknown but the last two is coupled with one later one, that after the next: a chain from both ends.
    is_chain: bool,
    /// Many columns have the same entries below.
    nodes: Option<Nodes>,
}

impl DefiniteLdl {
    /// Storage for matrices of this symmetric pattern, eliminated in this order.
    pub(super) fn new(pattern: &Pattern, order: Vec<usize>) -> Self {
        let size = order.len();
        let mut position = vec![0; size];
        order.iter().enumerate().for_each(|(k, &unknown)| position[unknown] = k);
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); size];
        for (i, j) in pattern.entries().filter(|&(i, j)| position[i] > position[j]) {
            below[position[j]].push(position[i]);
        }
        let (mut starts, mut rows, mut columns) = (vec![0], Vec::new(), Vec::new());
        for k in 0..size {
            below[k].sort_unstable();
            below[k].dedup();
            let column = std::mem::take(&mut below[k]);
            if let Some((&next, others)) = column.split_first() {
                below[next].extend_from_slice(others);
            }
            columns.extend(std::iter::repeat_n(order[k], column.len()));
            rows.extend(column.iter().map(|&i| order[i]));
            starts.push(rows.len());
            below[k] = column;
        }
        let target = |i: usize, j: usize| starts[j] + below[j].binary_search(&i).unwrap_or_default();
        let pairs = below.iter().flat_map(|column| {
            let later = move |p: usize| column[p + 1..].iter().map(move |&i| (i, column[p]));
            (0..column.len()).flat_map(later)
        });
        let is_chain = size > 2
            && rows.len() == size - 1
            && starts[..size].iter().copied().eq(0..size)
            && rows[..size - 2] == order[2..];
        Self {
            is_chain,
            nodes: Nodes::new(&order, &starts, &rows),
            targets: pairs.map(|(i, j)| target(i, j)).collect(),
            lower: vec![0.0; rows.len()],
            diagonal: vec![0.0; size],
            reciprocals: vec![0.0; size],
            references: vec![0.0; size],
            order,
            position,
            starts,
            rows,
            columns,
        }
    }

    /// The place of entry (i, j), or (j, i), in the lower part, if there is one.
    pub(super) fn place(&self, i: usize, j: usize) -> Option<usize> {
        let (early, late) = if self.position[i] < self.position[j] { (i, j) } else { (j, i) };
        let start = self.starts[self.position[early]];
        let column = &self.rows[start..self.starts[self.position[early] + 1]];
        let found = column.binary_search_by_key(&self.position[late], |&row| self.position[row]);
        found.ok().map(|k| start + k)
    }

    /// The diagonal and the lower part, to be written before a factorisation.
    pub(super) fn values_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.diagonal, &mut self.lower)
    }

    /// Eliminates; false where the matrix is not definite, or nearly so.
    pub(super) fn factor(&mut self) -> bool {
        if self.is_chain {
            return self.factor_chain();
        }
        let Self { order, starts, rows, targets, lower, diagonal, reciprocals, references, .. } = self;
        references.copy_from_slice(diagonal);
        let mut targets = targets.iter();
        for (&unknown, ends) in order.iter().zip(starts.windows(2)) {
            let pivot = diagonal[unknown];
            if !PivotBounds::MULTIPLIERS.permit(pivot, references[unknown]) {
                return false;
            }
            let reciprocal = 1.0 / pivot;
            reciprocals[unknown] = reciprocal;
            for p in ends[0]..ends[1] {
                let entry = lower[p];
                let l = entry * reciprocal;
                diagonal[rows[p]] -= l * entry;
                for (q, &target) in (p + 1..ends[1]).zip(&mut targets) {
                    lower[target] -= l * lower[q];
                }
                lower[p] = l;
            }
        }
        true
    }

    /// [`Self::factor`] for a chain from both ends: what the next two pivots are is handed on, not looked up.
    fn factor_chain(&mut self) -> bool {
        let Self { order, lower, diagonal, reciprocals, .. } = self;
        let bounds = PivotBounds::MULTIPLIERS;
        let (Some(&[first, second]), later) = (order.first_chunk::<2>(), &order[2..]) else { return false };
        // Pivots, and the entries of the matrix that they are judged by.
        let (mut now, mut next) = ([diagonal[first]; 2], [diagonal[second]; 2]);
        let (couplings, last_coupling) = lower.split_at_mut(later.len());
        for ((&unknown, &later), l) in order.iter().zip(later).zip(couplings) {
            let [pivot, reference] = now;
            if !bounds.permit(pivot, reference) {
                return false;
            }
            let (reciprocal, entry, reference) = (1.0 / pivot, *l, diagonal[later]);
            reciprocals[unknown] = reciprocal;
            *l = entry * reciprocal;
            let pivot = reference - *l * entry;
            diagonal[later] = pivot;
            (now, next) = (next, [pivot, reference]);
        }
        // The last two are coupled with each other.
        let (Some(&[middle, last]), Some(l)) = (order.last_chunk::<2>(), last_coupling.first_mut()) else {
            return false;
        };
        let (entry, reciprocal) = (*l, 1.0 / now[0]);
        *l = entry * reciprocal;
        let pivot = next[0] - *l * entry;
        (reciprocals[middle], reciprocals[last], diagonal[last]) = (reciprocal, 1.0 / pivot, pivot);
        bounds.permit(now[0], now[1]) && bounds.permit(pivot, next[1])
    }

    /// Replaces `b` by the solution of A x = b. Call after a factorisation that succeeded.
    pub(super) fn solve(&self, b: &mut [f64]) {
        if self.is_chain {
            return self.solve_chain(b);
        }
        if let Some(nodes) = &self.nodes {
            return nodes.solve((&self.order, &self.rows), &self.lower, &self.reciprocals, b);
        }
        // Columns have few entries, so that one loop through all entries is faster than one loop for each column.
        let entries = self.rows.iter().zip(&self.columns).zip(&self.lower);
        for ((&i, &k), &l) in entries.clone() {
            b[i] -= l * b[k];
        }
        for (b, reciprocal) in b.iter_mut().zip(&self.reciprocals) {
            *b *= reciprocal;
        }
        for ((&i, &k), &l) in entries.rev() {
            b[k] -= l * b[i];
        }
    }

    /// [`Self::solve`] for a chain from both ends: what the next two unknowns wait for is handed on, not looked up.
    fn solve_chain(&self, b: &mut [f64]) {
        let Self { order, lower, reciprocals, .. } = self;
        let (last, middle) = (order[order.len() - 1], order[order.len() - 2]);
        let (mut now, mut next) = (b[order[0]], b[order[1]]);
        for (&later, l) in order[2..].iter().zip(lower) {
            let value = b[later] - l * now;
            b[later] = value;
            (now, next) = (next, value);
        }
        let coupling = lower[order.len() - 2];
        let mut later = (next - coupling * now) * reciprocals[last];
        let mut early = now * reciprocals[middle] - coupling * later;
        (b[last], b[middle]) = (later, early);
        for (&unknown, l) in order[..order.len() - 2].iter().zip(lower).rev() {
            let value = b[unknown] * reciprocals[unknown] - l * later;
            b[unknown] = value;
            (later, early) = (early, value);
        }
    }
}
