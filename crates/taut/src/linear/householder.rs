//! Orthogonal factors by Householder reflections, with columns exchanged where that reveals the rank.

/// A P = Q R of a dense matrix; the reflections are kept below the diagonal of R.
#[derive(Clone, Debug)]
pub(super) struct PivotedQr {
    rows: usize,
    matrix: Vec<f64>,
    reflections: Vec<f64>,
    /// The column of A that is column k of R.
    pub(super) order: Vec<usize>,
}

impl PivotedQr {
    /// A column is taken as the next one if what remains of it is at least this part of the largest remainder; the
    /// first such column is taken, so that of two that say the same the later one is left over.
    const PREFERENCE: f64 = 0.5;

    /// Factors a column-major matrix until nothing longer than `tolerance` remains of any column.
    pub(super) fn new(rows: usize, cols: usize, matrix: Vec<f64>, tolerance: f64) -> Self {
        let mut qr = Self { rows, matrix, reflections: Vec::new(), order: (0..cols).collect() };
        while let Some(next) = qr.next_column(tolerance) {
            qr.bring_forward(next);
            qr.reflect();
        }
        qr
    }

    /// The number of columns that were found independent.
    pub(super) fn rank(&self) -> usize {
        self.reflections.len()
    }

    /// Entry (i, j) of R, i <= j and i below the rank.
    pub(super) fn r(&self, i: usize, j: usize) -> f64 {
        self.matrix[i + j * self.rows]
    }

    /// b becomes Q^T b.
    pub(super) fn apply_transposed(&self, b: &mut [f64]) {
        for (k, &factor) in self.reflections.iter().enumerate() {
            apply_reflection(&self.column(k)[k + 1..], factor, &mut b[k..]);
        }
    }

    /// b becomes Q b.
    pub(super) fn apply(&self, b: &mut [f64]) {
        for (k, &factor) in self.reflections.iter().enumerate().rev() {
            apply_reflection(&self.column(k)[k + 1..], factor, &mut b[k..]);
        }
    }

    /// Solves with the leading triangle of R, in place, from the bottom.
    pub(super) fn solve_upper(&self, x: &mut [f64]) {
        for k in (0..self.rank()).rev() {
            x[k] /= self.r(k, k);
            for i in 0..k {
                x[i] -= self.r(i, k) * x[k];
            }
        }
    }

    /// Solves with the transposed leading triangle of R, in place, from the top.
    pub(super) fn solve_upper_transposed(&self, x: &mut [f64]) {
        for k in 0..self.rank() {
            for i in 0..k {
                x[k] -= self.r(i, k) * x[i];
            }
            x[k] /= self.r(k, k);
        }
    }

    fn column(&self, j: usize) -> &[f64] {
        &self.matrix[j * self.rows..(j + 1) * self.rows]
    }

    fn next_column(&self, tolerance: f64) -> Option<usize> {
        let k = self.rank();
        if k == self.rows {
            return None;
        }
        let remainder = |&j: &usize| norm(&self.column(j)[k..]);
        let largest = (k..self.order.len()).map(|j| remainder(&j)).fold(0.0, f64::max);
        if largest <= tolerance {
            return None;
        }
        (k..self.order.len()).find(|j| remainder(j) >= Self::PREFERENCE * largest)
    }

    /// Moves column `next` to the end of the factored ones; the others keep their order.
    fn bring_forward(&mut self, next: usize) {
        let k = self.rank();
        self.order[k..=next].rotate_right(1);
        self.matrix[k * self.rows..(next + 1) * self.rows].rotate_right(self.rows);
    }

    fn reflect(&mut self) {
        let k = self.rank();
        let (done, rest) = self.matrix.split_at_mut((k + 1) * self.rows);
        let column = &mut done[k * self.rows + k..];
        let factor = reflection(column);
        for later in rest.chunks_exact_mut(self.rows) {
            apply_reflection(&column[1..], factor, &mut later[k..]);
        }
        self.reflections.push(factor);
    }
}

/// The reflection 1 - factor v v^T that maps the column to a multiple of the first unit vector. The column is replaced
/// by that multiple and, below it, v without its leading 1.
fn reflection(column: &mut [f64]) -> f64 {
    let length = norm(column);
    let leading = column[0];
    if length == 0.0 {
        return 0.0;
    }
    let image = if leading > 0.0 { -length } else { length };
    for entry in &mut column[1..] {
        *entry /= leading - image;
    }
    column[0] = image;
    (image - leading) / image
}

fn apply_reflection(v: &[f64], factor: f64, b: &mut [f64]) {
    let (first, rest) = b.split_at_mut(1);
    let product: f64 = v.iter().zip(&*rest).map(|(v, b)| v * b).sum();
    let amount = factor * (first[0] + product);
    first[0] -= amount;
    for (b, v) in rest.iter_mut().zip(v) {
        *b -= amount * v;
    }
}

/// The Euclidean norm.
pub(super) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
