//! Where the entries of a matrix block are.

pub(super) mod stairs;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use stairs::{Alike, alike};

/// Products with patterns of so few entries run through them; in larger ones columns of equal length go together.
const FEW: usize = 100;

/// The places of the entries of a matrix, by compressed columns.
///
/// A pattern belongs to a block whose numbers change from step to step while its places do not. The numbers
/// travel apart from it, as a slice *in pattern order*: column by column, rows ascending within a column. For a
/// [dense](Pattern::dense) pattern this is the usual column-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Arc<Places>);

/// What copies of a pattern share.
#[derive(Debug, PartialEq, Eq)]
struct Places {
    rows: usize,
    cols: usize,
    column_starts: Vec<usize>,
    row_indices: Vec<usize>,
    /// The column of each entry.
    column_indices: Vec<usize>,
    /// Columns in a row that have the same number of entries: columns are short, and loops of a known length are faster.
    runs: Vec<Alike>,
    /// Whether the entries are those of the diagonal.
    diagonal: bool,
}

impl Pattern {
    /// A pattern from its compressed columns.
    fn compressed(rows: usize, cols: usize, column_starts: Vec<usize>, row_indices: Vec<usize>) -> Self {
        let columns = |j: usize| std::iter::repeat_n(j, column_starts[j + 1] - column_starts[j]);
        let column_indices: Vec<usize> = (0..cols).flat_map(columns).collect();
        let on_diagonal = row_indices.iter().zip(&column_indices).all(|(i, j)| i == j);
        let diagonal = rows == cols && row_indices.len() == cols && on_diagonal;
        let runs = alike(&column_starts, &row_indices);
        Pattern(Arc::new(Places { rows, cols, column_starts, row_indices, column_indices, runs, diagonal }))
    }

    /// Every entry of a `rows` by `cols` matrix, in column-major order.
    pub fn dense(rows: usize, cols: usize) -> Self {
        let starts = (0..=cols).map(|j| j * rows).collect();
        Self::compressed(rows, cols, starts, (0..cols).flat_map(|_| 0..rows).collect())
    }

    /// The diagonal of an `n` by `n` matrix.
    pub fn diagonal(n: usize) -> Self {
        Self::compressed(n, n, (0..=n).collect(), (0..n).collect())
    }

    /// No entry at all: the block is zero.
    pub fn empty(rows: usize, cols: usize) -> Self {
        Self::compressed(rows, cols, vec![0; cols + 1], Vec::new())
    }

    /// The entries (row, column) in any order, repeated ones counted once; those outside the matrix are left out.
    pub fn from_entries(rows: usize, cols: usize, entries: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let inside = entries.into_iter().filter(|&(i, j)| i < rows && j < cols);
        // Columns first: each is short, and its rows are soon in order.
        let (ends, mut all_rows) = by_column(&inside.collect::<Vec<_>>(), cols);
        let mut column_starts = vec![0; cols + 1];
        let mut row_indices = Vec::with_capacity(all_rows.len());
        for (j, &end) in ends.iter().enumerate() {
            let start = if j == 0 { 0 } else { ends[j - 1] };
            let column = &mut all_rows[start..end];
            column.sort_unstable();
            let first = row_indices.len();
            for &row in &*column {
                if row_indices.len() == first || row_indices.last() != Some(&row) {
                    row_indices.push(row);
                }
            }
            column_starts[j + 1] = row_indices.len();
        }
        Self::compressed(rows, cols, column_starts, row_indices)
    }

    /// A pattern together with the places of its entries: `ask` asks for the place of every entry that there is, by row and
    /// column, and is called twice, once to learn which there are and once to be told. So no place can be missing.
    pub fn with_places<T>(
        rows: usize,
        cols: usize,
        ask: impl Fn(&mut dyn FnMut(usize, usize) -> usize) -> T,
    ) -> (Self, T) {
        let mut asked = Vec::new();
        ask(&mut |i, j| {
            asked.push((i, j));
            0
        });
        let pattern = Self::from_entries(rows, cols, asked.iter().copied());
        let places: Vec<usize> = asked.iter().filter_map(|&(i, j)| pattern.position(i, j)).collect();
        debug_assert_eq!(places.len(), asked.len(), "an entry lies outside of the matrix");
        let mut places = places.into_iter();
        let told = ask(&mut |_, _| places.next().unwrap_or_default());
        (pattern, told)
    }

    /// Adds values, times a factor, to entries of a larger block: those at these places, see [`with_places`](Self::with_places).
    pub(crate) fn scatter(values: &[f64], places: &[usize], block: &mut [f64], factor: f64) {
        for (value, &place) in values.iter().zip(places) {
            block[place] += factor * value;
        }
    }

    /// The entries of either pattern; the shape is the smallest that holds both.
    pub fn union(&self, other: &Self) -> Self {
        let (rows, cols) = (self.0.rows.max(other.0.rows), self.0.cols.max(other.0.cols));
        Self::from_entries(rows, cols, self.entries().chain(other.entries()))
    }

    /// The pattern of the transposed matrix, and for each of its entries the place of the value in this pattern:
    /// `transposed_values[k] = values[permutation[k]]`.
    pub fn transpose(&self) -> (Self, Vec<usize>) {
        let mut column_starts = vec![0; self.0.rows + 1];
        for &i in &self.0.row_indices {
            column_starts[i + 1] += 1;
        }
        for i in 0..self.0.rows {
            column_starts[i + 1] += column_starts[i];
        }
        let mut next = column_starts.clone();
        let mut row_indices = vec![0; self.nnz()];
        let mut permutation = vec![0; self.nnz()];
        for (k, (i, j)) in self.entries().enumerate() {
            row_indices[next[i]] = j;
            permutation[next[i]] = k;
            next[i] += 1;
        }
        (Self::compressed(self.0.cols, self.0.rows, column_starts, row_indices), permutation)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.0.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.0.cols
    }

    /// Number of entries, that is the length of the slices of values.
    pub fn nnz(&self) -> usize {
        self.0.row_indices.len()
    }

    /// Whether every place of the matrix has an entry, so that values are a column-major matrix.
    pub fn is_dense(&self) -> bool {
        self.nnz() == self.0.rows * self.0.cols
    }

    /// Whether the entries are those of the diagonal, all of them.
    pub fn is_diagonal(&self) -> bool {
        self.0.diagonal
    }

    /// Where each column begins in [`row_indices`](Self::row_indices) and in the values; one more at the end.
    pub fn column_starts(&self) -> &[usize] {
        &self.0.column_starts
    }

    /// The row of each entry, in pattern order.
    pub fn row_indices(&self) -> &[usize] {
        &self.0.row_indices
    }

    /// The column of each entry, in pattern order.
    pub fn column_indices(&self) -> &[usize] {
        &self.0.column_indices
    }

    /// The rows of the entries of column `j`, ascending.
    pub fn column(&self, j: usize) -> &[usize] {
        &self.0.row_indices[self.0.column_starts[j]..self.0.column_starts[j + 1]]
    }

    /// The entries as (row, column), in pattern order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.0.cols).flat_map(|j| self.column(j).iter().map(move |&i| (i, j)))
    }

    /// The place of entry (i, j) in pattern order, if there is one.
    pub fn position(&self, i: usize, j: usize) -> Option<usize> {
        if j >= self.0.cols {
            return None;
        }
        self.column(j).binary_search(&i).ok().map(|k| self.0.column_starts[j] + k)
    }

    /// Columns in a row with the same number of entries.
    pub(super) fn runs(&self) -> &[Alike] {
        &self.0.runs
    }

    /// y += alpha A x.
    pub fn multiply_add(&self, values: &[f64], x: &[f64], y: &mut [f64], alpha: f64) {
        if self.is_dense() {
            return dense_multiply_add(self.0.rows, values, x, y, alpha);
        }
        if self.0.diagonal {
            for ((y, &a), &x) in y.iter_mut().zip(values).zip(x) {
                *y += alpha * (a * x);
            }
            return;
        }
        if self.nnz() >= FEW {
            return self.multiply_add_runs(values, x, y, alpha);
        }
        for ((&i, &j), &a) in self.0.row_indices.iter().zip(&self.0.column_indices).zip(values) {
            y[i] += alpha * (a * x[j]);
        }
    }

    /// y += alpha A^T x.
    pub fn transpose_multiply_add(&self, values: &[f64], x: &[f64], y: &mut [f64], alpha: f64) {
        if self.is_dense() {
            return dense_transpose_multiply_add(self.0.rows, values, x, y, alpha);
        }
        if self.nnz() >= FEW {
            return self.transpose_multiply_add_runs(values, x, y, alpha);
        }
        for ((&i, &j), &a) in self.0.row_indices.iter().zip(&self.0.column_indices).zip(values) {
            y[j] += alpha * (a * x[i]);
        }
    }

    #[inline(never)]
    fn multiply_add_runs(&self, values: &[f64], x: &[f64], y: &mut [f64], alpha: f64) {
        let mut start = (0, 0);
        for &Alike { length, columns, stairs } in &self.0.runs {
            let end = (start.0 + columns, start.1 + length * columns);
            let run = Run { rows: &self.0.row_indices[start.1..end.1], values: &values[start.1..end.1] };
            let x = &x[start.0..end.0];
            match (length, stairs) {
                (0, _) => {}
                (_, Some(stairs)) => stairs.multiply_add(run.values, x, y, alpha),
                (1, _) => run.scatter::<1>(x, y, alpha),
                (2, _) => run.scatter::<2>(x, y, alpha),
                (3, _) => run.scatter::<3>(x, y, alpha),
                (4, _) => run.scatter::<4>(x, y, alpha),
                _ => run.scatter_all(length, x, y, alpha),
            }
            start = end;
        }
    }

    #[inline(never)]
    fn transpose_multiply_add_runs(&self, values: &[f64], x: &[f64], y: &mut [f64], alpha: f64) {
        let mut start = (0, 0);
        for &Alike { length, columns, stairs } in &self.0.runs {
            let end = (start.0 + columns, start.1 + length * columns);
            let run = Run { rows: &self.0.row_indices[start.1..end.1], values: &values[start.1..end.1] };
            let y = &mut y[start.0..end.0];
            match (length, stairs) {
                (0, _) => {}
                (_, Some(stairs)) => stairs.transpose_multiply_add(run.values, x, y, alpha),
                (1, _) => run.gather::<1>(x, y, alpha),
                (2, _) => run.gather::<2>(x, y, alpha),
                (3, _) => run.gather::<3>(x, y, alpha),
                (4, _) => run.gather::<4>(x, y, alpha),
                _ => run.gather_all(length, x, y, alpha),
            }
            start = end;
        }
    }
}

/// Columns in a row with the same number of entries.
struct Run<'a> {
    rows: &'a [usize],
    values: &'a [f64],
}

impl Run<'_> {
    /// y += alpha A x of columns with L entries.
    #[inline(always)]
    fn scatter<const L: usize>(&self, x: &[f64], y: &mut [f64], alpha: f64) {
        for ((rows, values), &x) in
            self.rows.as_chunks::<L>().0.iter().zip(self.values.as_chunks::<L>().0).zip(x)
        {
            let scaled = alpha * x;
            for k in 0..L {
                y[rows[k]] += values[k] * scaled;
            }
        }
    }

    fn scatter_all(&self, length: usize, x: &[f64], y: &mut [f64], alpha: f64) {
        let columns = self.rows.chunks_exact(length).zip(self.values.chunks_exact(length));
        for ((rows, values), &x) in columns.zip(x) {
            let scaled = alpha * x;
            for (&i, &a) in rows.iter().zip(values) {
                y[i] += a * scaled;
            }
        }
    }

    /// y += alpha Aᵀx of columns with L entries.
    #[inline(always)]
    fn gather<const L: usize>(&self, x: &[f64], y: &mut [f64], alpha: f64) {
        for ((rows, values), y) in
            self.rows.as_chunks::<L>().0.iter().zip(self.values.as_chunks::<L>().0).zip(y)
        {
            let mut sum = 0.0;
            for k in 0..L {
                sum += values[k] * x[rows[k]];
            }
            *y += alpha * sum;
        }
    }

    fn gather_all(&self, length: usize, x: &[f64], y: &mut [f64], alpha: f64) {
        let columns = self.rows.chunks_exact(length).zip(self.values.chunks_exact(length));
        for ((rows, values), y) in columns.zip(y) {
            let sum: f64 = rows.iter().zip(values).map(|(&i, &a)| a * x[i]).sum();
            *y += alpha * sum;
        }
    }
}

fn dense_multiply_add(rows: usize, values: &[f64], x: &[f64], y: &mut [f64], alpha: f64) {
    if rows == 0 {
        return;
    }
    for (column, &x_j) in values.chunks_exact(rows).zip(x) {
        let scaled = alpha * x_j;
        for (y_i, &a) in y.iter_mut().zip(column) {
            *y_i += a * scaled;
        }
    }
}

fn dense_transpose_multiply_add(rows: usize, values: &[f64], x: &[f64], y: &mut [f64], alpha: f64) {
    if rows == 0 {
        return;
    }
    for (column, y_j) in values.chunks_exact(rows).zip(y) {
        *y_j += alpha * dot(column, x);
    }
}

/// A scalar product in four independent sums, so that the compiler may use vector registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a4.zip(b4) {
        for l in 0..4 {
            sums[l] += a[l] * b[l];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The rows of entries, column by column, and where each column ends.
fn by_column(entries: &[(usize, usize)], cols: usize) -> (Vec<usize>, Vec<usize>) {
    let mut ends = vec![0; cols];
    for &(_, j) in entries {
        ends[j] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        // where it begins
        (*end, sum) = (sum, sum + *end);
    }
    let mut rows = vec![0; entries.len()];
    for &(i, j) in entries {
        rows[ends[j]] = i;
        ends[j] += 1;
    }
    (ends, rows)
}
