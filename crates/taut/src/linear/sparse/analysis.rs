//! The choice of pivots, and with it the pattern of the factors.

use std::ops::Range;

use super::factors::{Columns, Factors};
use super::{Number, Pattern};
use crate::linear::Singular;

/// An entry of the diagonal is taken as pivot if it is at least this part of the largest candidate: the order of the
/// columns is made for pivots on the diagonal, others cost fill.
const DIAGONAL_PREFERENCE: f64 = 0.1;

const NOT_YET: usize = usize::MAX;

/// How an elimination goes through the columns.
pub(super) struct Columnwise<'a> {
    /// The columns, one after the other.
    pub(super) order: &'a [usize],
    /// The row in which the pivot of each column is looked for first; nothing where it is that of the diagonal.
    pub(super) partners: &'a [usize],
    /// By what the entries of each row are multiplied before they are compared; nothing for 1.
    pub(super) weights: Vec<f64>,
}

/// The elimination in progress. Rows have the numbers of the matrix.
struct Elimination<'a, T> {
    pattern: &'a Pattern,
    values: &'a [T],
    partners: &'a [usize],
    weights: Vec<f64>,
    /// When the row was chosen as pivot row.
    pivot_of_row: Vec<usize>,
    lower: Columns,
    lower_values: Vec<T>,
    /// The column under elimination.
    column: Vec<T>,
    /// The last column in which the row was reached.
    reached_in: Vec<usize>,
    /// The rows with entries in the column, each before those that it changes.
    reach: Vec<usize>,
    /// The path of the depth-first search: a row and how many of its successors were visited.
    path: Vec<(usize, usize)>,
}

/// Eliminates once with row exchanges and returns the factors with their pattern; their values are left to
/// [`Factors::refactor`]. Nothing where there would be more than `most` entries.
pub(super) fn choose_pivots<T: Number>(
    pattern: &Pattern,
    values: &[T],
    columnwise: Columnwise<'_>,
    most: usize,
) -> Result<Option<Factors<T>>, Singular> {
    let Columnwise { order, partners, weights } = columnwise;
    let n = order.len();
    let mut elimination = Elimination {
        pattern,
        values,
        partners,
        weights,
        pivot_of_row: vec![NOT_YET; n],
        lower: Columns { starts: vec![0], rows: Vec::new() },
        lower_values: Vec::new(),
        column: vec![T::ZERO; n],
        reached_in: vec![NOT_YET; n],
        reach: Vec::with_capacity(n),
        path: Vec::new(),
    };
    let mut upper = Columns { starts: vec![0], rows: Vec::new() };
    let mut row_order = Vec::with_capacity(n);
    for (k, &j) in order.iter().enumerate() {
        elimination.find_reach(k, j);
        elimination.eliminate(j);
        let pivot_row = elimination.pivot_row(k, j).ok_or(Singular { pivot: j })?;
        elimination.divide_by_pivot(k, pivot_row, &mut upper.rows);
        upper.starts.push(upper.rows.len());
        row_order.push(pivot_row);
        if elimination.lower.rows.len() + upper.rows.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(elimination.finish(order, row_order, upper)))
}

/// Weights of the rows of a saddle matrix: with those of columns, which change no comparison, they would make all entries of
/// coordinates on the diagonal 1, and those of constraints at most 1.
pub(super) fn weights_of_rows<T: Number>(
    pattern: &Pattern,
    values: &[T],
    multipliers: &Range<usize>,
) -> Vec<f64> {
    let is_coordinate = |i: &usize| !multipliers.contains(i);
    let mut weights = vec![0.0; pattern.cols()];
    for ((i, _), value) in pattern.entries().zip(values).filter(|((i, j), _)| i == j && is_coordinate(i)) {
        weights[i] = value.size().sqrt();
    }
    // A coordinate without mass is as heavy as the lightest of the others.
    let coordinates = || (0..pattern.cols()).filter(is_coordinate);
    let there = coordinates().map(|i| weights[i]).filter(|weight| *weight > 0.0);
    let least = there.fold(1.0_f64, f64::min);
    for i in coordinates() {
        weights[i] = if weights[i] > 0.0 { weights[i] } else { least };
    }
    for ((i, j), value) in pattern.entries().zip(values) {
        if !is_coordinate(&i) && is_coordinate(&j) {
            weights[i] += (value.size() / weights[j]).powi(2);
        }
    }
    for i in coordinates() {
        weights[i] = weights[i].recip();
    }
    for weight in &mut weights[multipliers.clone()] {
        *weight = if *weight > 0.0 { weight.sqrt().recip() } else { 1.0 };
    }
    weights
}

impl<T: Number> Elimination<'_, T> {
    /// The rows that have an entry in column j after the elimination of the columns before it (step k): those
    /// that a row of the matrix leads to along the columns of L.
    fn find_reach(&mut self, k: usize, j: usize) {
        self.reach.clear();
        for &row in self.pattern.column(j) {
            if self.reached_in[row] != k {
                self.search_from(row, k);
            }
        }
        self.reach.reverse();
    }

    fn search_from(&mut self, row: usize, k: usize) {
        self.reached_in[row] = k;
        self.path.push((row, 0));
        while let Some((row, visited)) = self.path.pop() {
            let successors = match self.pivot_of_row[row] {
                NOT_YET => &[][..],
                pivot => &self.lower.rows[self.lower.range(pivot)],
            };
            let next = successors[visited..].iter().position(|&next| self.reached_in[next] != k);
            match next {
                None => self.reach.push(row),
                Some(skipped) => {
                    let next = successors[visited + skipped];
                    self.path.push((row, visited + skipped + 1));
                    self.reached_in[next] = k;
                    self.path.push((next, 0));
                }
            }
        }
    }

    fn eliminate(&mut self, j: usize) {
        let starts = self.pattern.column_starts();
        for (&row, &value) in self.pattern.column(j).iter().zip(&self.values[starts[j]..starts[j + 1]]) {
            self.column[row] = value;
        }
        for &row in &self.reach {
            let pivot = self.pivot_of_row[row];
            if pivot == NOT_YET {
                continue;
            }
            let u = self.column[row];
            for e in self.lower.range(pivot) {
                self.column[self.lower.rows[e]] -= self.lower_values[e] * u;
            }
        }
    }

    /// The row of the diagonal, or the partner of the column, if its entry is large enough, else that of the largest entry.
    fn pivot_row(&self, k: usize, j: usize) -> Option<usize> {
        let candidates = self.reach.iter().filter(|&&row| self.pivot_of_row[row] == NOT_YET);
        let weight = |row: usize| self.weights.get(row).copied().unwrap_or(1.0);
        let size = |row: usize| self.column[row].size() * weight(row);
        let largest = candidates.copied().max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        let usable = |row: usize| {
            self.column[row].reciprocal().size().is_finite() && self.column[row].size().is_finite()
        };
        let partner = self.partners.get(j).copied().unwrap_or(j);
        let is_there = self.reached_in[partner] == k && self.pivot_of_row[partner] == NOT_YET;
        let is_preferred = is_there && size(partner) >= DIAGONAL_PREFERENCE * size(largest);
        let chosen = if is_preferred { partner } else { largest };
        usable(chosen).then_some(chosen)
    }

    /// Column k of L; the rows of column k of U go to `upper_rows`.
    fn divide_by_pivot(&mut self, k: usize, pivot_row: usize, upper_rows: &mut Vec<usize>) {
        let reciprocal = self.column[pivot_row].reciprocal();
        for &row in &self.reach {
            let value = std::mem::replace(&mut self.column[row], T::ZERO);
            match self.pivot_of_row[row] {
                NOT_YET if row == pivot_row => {}
                NOT_YET => {
                    self.lower.rows.push(row);
                    self.lower_values.push(value * reciprocal);
                }
                pivot => upper_rows.push(pivot),
            }
        }
        self.pivot_of_row[pivot_row] = k;
        self.lower.starts.push(self.lower.rows.len());
    }

    /// Renumbers the rows by their pivots and sorts each column.
    fn finish(mut self, order: &[usize], row_order: Vec<usize>, mut upper: Columns) -> Factors<T> {
        for row in &mut self.lower.rows {
            *row = self.pivot_of_row[*row];
        }
        for k in 0..order.len() {
            self.lower.rows[self.lower.starts[k]..self.lower.starts[k + 1]].sort_unstable();
            upper.rows[upper.starts[k]..upper.starts[k + 1]].sort_unstable();
        }
        let mut entries = Columns { starts: vec![0], rows: Vec::with_capacity(self.values.len()) };
        let mut entry_places = Vec::with_capacity(self.values.len());
        for &j in order {
            entries.rows.extend(self.pattern.column(j).iter().map(|&row| self.pivot_of_row[row]));
            entry_places.extend(self.pattern.column_starts()[j]..self.pattern.column_starts()[j + 1]);
            entries.starts.push(entries.rows.len());
        }
        let weights = match self.weights.as_slice() {
            [] => Vec::new(),
            weights => row_order.iter().map(|&row| weights[row]).collect(),
        };
        Factors {
            weights,
            lower_values: vec![T::ZERO; self.lower.rows.len()],
            upper_values: vec![T::ZERO; upper.rows.len()],
            reciprocals: vec![T::ZERO; order.len()],
            lower_columns: self.lower.columns(),
            upper_columns: upper.columns(),
            row_order,
            column_order: order.to_vec(),
            entries,
            entry_places,
            lower: self.lower,
            upper,
        }
    }
}
