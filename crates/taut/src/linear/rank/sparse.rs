//! Rank of many sparse gradients, by elimination row by row.
//!
//! Each gradient is freed of what those before it say; what remains is new, or next to nothing. Coefficients of such an
//! elimination are no least squares: what remains is at least as long as the distance to the others, so that a gradient
//! that is called dependent is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A pivot is at least this share of the largest entry; of those that are, the one in the shortest column fills least.
const THRESHOLD: f64 = 0.1;

/// One gradient after the elimination.
#[derive(Clone, Debug, Default)]
struct Reduced {
    /// which gradient it was
    row: usize,
    /// what remained of it
    entries: Vec<(usize, f64)>,
    pivot: usize,
    /// the reduced gradients that were subtracted, with their factors
    factors: Vec<(usize, f64)>,
}

/// Gradients that are eliminated one after the other.
#[derive(Clone, Debug)]
pub(super) struct SparseElimination {
    reduced: Vec<Reduced>,
    /// the reduced gradient with its pivot in a column
    pivot_of: Vec<Option<usize>>,
    /// dependent gradients with their factors
    dependent: Vec<(usize, Vec<(usize, f64)>)>,
}

/// The gradient that is worked on.
struct Work {
    values: Vec<f64>,
    touched: Vec<usize>,
    is_touched: Vec<bool>,
    /// reduced gradients that still have to be subtracted, the earliest first
    waiting: BinaryHeap<Reverse<usize>>,
}

impl Work {
    fn add(&mut self, column: usize, value: f64, pivot: Option<usize>) {
        self.values[column] += value;
        if !self.is_touched[column] {
            self.is_touched[column] = true;
            self.touched.push(column);
            self.waiting.extend(pivot.map(Reverse));
        }
    }
}

impl SparseElimination {
    /// Eliminates gradients of length one; those with less than `tolerance` left are dependent.
    pub(super) fn new(gradients: &[Vec<(usize, f64)>], columns: usize, tolerance: f64) -> Self {
        let mut counts = vec![0_usize; columns];
        gradients.iter().flatten().for_each(|(column, _)| counts[*column] += 1);
        let mut elimination =
            SparseElimination { reduced: Vec::new(), pivot_of: vec![None; columns], dependent: Vec::new() };
        let mut work = Work {
            values: vec![0.0; columns],
            touched: Vec::new(),
            is_touched: vec![false; columns],
            waiting: BinaryHeap::new(),
        };
        for (row, gradient) in gradients.iter().enumerate() {
            elimination.take(row, gradient, &counts, tolerance, &mut work);
        }
        elimination
    }

    fn take(
        &mut self,
        row: usize,
        gradient: &[(usize, f64)],
        counts: &[usize],
        tolerance: f64,
        work: &mut Work,
    ) {
        for &(column, value) in gradient {
            work.add(column, value, self.pivot_of[column]);
        }
        let mut factors = Vec::new();
        while let Some(Reverse(k)) = work.waiting.pop() {
            let Reduced { entries, pivot, .. } = &self.reduced[k];
            let own = entries.iter().find(|(column, _)| column == pivot).map_or(1.0, |(_, value)| *value);
            let factor = work.values[*pivot] / own;
            if factor == 0.0 {
                continue;
            }
            factors.push((k, factor));
            for &(column, value) in entries {
                work.add(column, -factor * value, self.pivot_of[column]);
            }
            work.values[*pivot] = 0.0;
        }
        let entries: Vec<(usize, f64)> = work
            .touched
            .iter()
            .map(|&column| (column, work.values[column]))
            .filter(|(column, value)| *value != 0.0 && self.pivot_of[*column].is_none())
            .collect();
        for column in work.touched.drain(..) {
            (work.values[column], work.is_touched[column]) = (0.0, false);
        }
        let length = entries.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
        if length <= tolerance {
            self.dependent.push((row, factors));
            return;
        }
        let largest = entries.iter().fold(0.0_f64, |largest, (_, value)| largest.max(value.abs()));
        let good = entries.iter().filter(|(_, value)| value.abs() >= THRESHOLD * largest);
        let pivot = good.min_by_key(|(column, _)| counts[*column]).map_or(0, |(column, _)| *column);
        self.pivot_of[pivot] = Some(self.reduced.len());
        self.reduced.push(Reduced { row, entries, pivot, factors });
    }

    /// The gradients that say something new.
    pub(super) fn independent(&self) -> Vec<usize> {
        self.reduced.iter().map(|reduced| reduced.row).collect()
    }

    /// The others.
    pub(super) fn dependent(&self) -> Vec<usize> {
        self.dependent.iter().map(|(row, _)| *row).collect()
    }

    /// The gradients that a dependent one is the sum of, with their factors.
    pub(super) fn combination(&self, dependent: usize) -> Vec<(usize, f64)> {
        let Some((_, factors)) = self.dependent.iter().find(|(row, _)| *row == dependent) else {
            return Vec::new();
        };
        let mut left = vec![0.0; self.reduced.len()];
        let mut waiting = BinaryHeap::new();
        let add = |left: &mut [f64], waiting: &mut BinaryHeap<usize>, k: usize, factor: f64| {
            if left[k] == 0.0 {
                waiting.push(k);
            }
            left[k] += factor;
        };
        for &(k, factor) in factors {
            add(&mut left, &mut waiting, k, factor);
        }
        let mut combination = Vec::new();
        while let Some(k) = waiting.pop() {
            let factor = std::mem::take(&mut left[k]);
            if factor == 0.0 {
                continue;
            }
            combination.push((self.reduced[k].row, factor));
            for &(j, share) in &self.reduced[k].factors {
                add(&mut left, &mut waiting, j, -factor * share);
            }
        }
        combination
    }
}
