//! The factors on a fixed pattern with fixed pivots.

use super::Number;
use crate::linear::Singular;

/// Columns of indices or of indexed values, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// Where each column begins; one more at the end.
    pub(super) starts: Vec<usize>,
    /// The pivot number of the row of each entry.
    pub(super) rows: Vec<usize>,
}

impl Columns {
    /// The column of each entry.
    pub(super) fn columns(&self) -> Vec<usize> {
        let columns = |k: usize| std::iter::repeat_n(k, self.starts[k + 1] - self.starts[k]);
        (0..self.starts.len() - 1).flat_map(columns).collect()
    }

    pub(super) fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k]..self.starts[k + 1]
    }
}

/// Rows and columns are numbered by the order of elimination: row k is the one whose entry in column k is the pivot.
#[derive(Clone, Debug)]
pub(super) struct Factors<T> {
    /// By what the entries of each row are multiplied before they are compared; nothing for 1.
    pub(super) weights: Vec<f64>,
    /// The row of the matrix that is row k here.
    pub(super) row_order: Vec<usize>,
    /// The column of the matrix that is column k here.
    pub(super) column_order: Vec<usize>,
    /// The entries of the matrix.
    pub(super) entries: Columns,
    /// Where their values are in the pattern order of the matrix.
    pub(super) entry_places: Vec<usize>,
    /// L without its unit diagonal.
    pub(super) lower: Columns,
    pub(super) lower_columns: Vec<usize>,
    pub(super) lower_values: Vec<T>,
    /// U without its diagonal, rows ascending, so that a column can be eliminated from the top; each column is divided
    /// by its pivot.
    pub(super) upper: Columns,
    pub(super) upper_columns: Vec<usize>,
    pub(super) upper_values: Vec<T>,
    /// The reciprocals of the diagonal of U.
    pub(super) reciprocals: Vec<T>,
}

impl<T: Number> Factors<T> {
    /// The entries of L and U.
    pub(super) fn entries(&self) -> usize {
        self.lower.rows.len() + self.upper.rows.len() + 2 * self.reciprocals.len()
    }

    /// Factors a matrix with these values; returns the largest |l|, of weighted rows. `column` is zero before and after.
    pub(super) fn refactor(&mut self, values: &[T], column: &mut [T]) -> Result<f64, Singular> {
        let mut growth = 0.0;
        for k in 0..self.row_order.len() {
            for e in self.entries.range(k) {
                column[self.entries.rows[e]] = values[self.entry_places[e]];
            }
            self.eliminate_above(k, column);
            let pivot = std::mem::replace(&mut column[k], T::ZERO);
            let reciprocal = pivot.reciprocal();
            if !(pivot.size().is_finite() && reciprocal.size().is_finite()) {
                column.fill(T::ZERO);
                return Err(Singular { pivot: self.column_order[k] });
            }
            self.reciprocals[k] = reciprocal;
            for u in &mut self.upper_values[self.upper.range(k)] {
                *u = *u * reciprocal;
            }
            growth = self.take_multipliers(k, reciprocal, column).max(growth);
        }
        Ok(growth)
    }

    /// Column k of U, and what it leaves below.
    fn eliminate_above(&mut self, k: usize, column: &mut [T]) {
        let range = self.upper.range(k);
        for (&j, value) in self.upper.rows[range.clone()].iter().zip(&mut self.upper_values[range]) {
            let u = std::mem::replace(&mut column[j], T::ZERO);
            *value = u;
            let below = self.lower.range(j);
            for (&i, &l) in self.lower.rows[below.clone()].iter().zip(&self.lower_values[below]) {
                column[i] -= l * u;
            }
        }
    }

    /// Column k of L; returns the largest |l|.
    fn take_multipliers(&mut self, k: usize, reciprocal: T, column: &mut [T]) -> f64 {
        let range = self.lower.range(k);
        let mut growth: f64 = 0.0;
        if let Some(own) = self.weights.get(k) {
            for (&i, value) in self.lower.rows[range.clone()].iter().zip(&mut self.lower_values[range]) {
                let l = std::mem::replace(&mut column[i], T::ZERO) * reciprocal;
                growth = growth.max(l.size() * self.weights[i] / own);
                *value = l;
            }
            return growth;
        }
        for (&i, value) in self.lower.rows[range.clone()].iter().zip(&mut self.lower_values[range]) {
            let l = std::mem::replace(&mut column[i], T::ZERO) * reciprocal;
            growth = growth.max(l.size());
            *value = l;
        }
        growth
    }

    /// Writes the solution of A x = b to `x`, in the order of elimination.
    pub(super) fn solve(&self, b: &[T], x: &mut [T]) {
        for (x, &row) in x.iter_mut().zip(&self.row_order) {
            *x = b[row];
        }
        // Columns have few entries, so that one loop through all entries is faster than one loop for each column.
        let lower = self.lower.rows.iter().zip(&self.lower_columns).zip(&self.lower_values);
        for ((&i, &k), &l) in lower {
            x[i] -= l * x[k];
        }
        let upper = self.upper.rows.iter().zip(&self.upper_columns).zip(&self.upper_values);
        for ((&i, &k), &u) in upper.rev() {
            x[i] -= u * x[k];
        }
        for (x, &reciprocal) in x.iter_mut().zip(&self.reciprocals) {
            *x = *x * reciprocal;
        }
    }
}
