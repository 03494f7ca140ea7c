//! Real matrices.

use super::kernel::{subtract_column, subtract_panel};
use super::large::Workspace;
use super::{LARGEST_OWN, PANEL, exchange};
use crate::linear::Singular;
use pulp::{Arch, Simd, WithSimd};

/// P A = L U of a real matrix, in place, with reused storage.
///
/// Fill [`matrix_mut`](Self::matrix_mut) (column-major), call [`factor`](Self::factor), then
/// [`solve`](Self::solve) as often as needed. Nothing is allocated after [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct DenseLu {
    n: usize,
    matrix: Vec<f64>,
    /// Row i was exchanged with row `swaps[i]`, i ascending.
    swaps: Vec<usize>,
    /// 1 / u_kk: a solve multiplies where it would wait for divisions.
    reciprocals: Vec<f64>,
    arch: Arch,
    large: Option<Workspace>,
}

impl DenseLu {
    /// Storage for matrices with `n` rows; the matrix is zero.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            matrix: vec![0.0; n * n],
            swaps: vec![0; n],
            reciprocals: vec![0.0; n],
            arch: Arch::new(),
            large: (n > LARGEST_OWN).then(|| Workspace::new::<f64>(n)),
        }
    }

    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The matrix in column-major order; entry (i, j) is at `i + j * n`. After [`factor`](Self::factor) it
    /// holds the factors, so write all of it again before the next one.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.matrix
    }

    /// Replaces the matrix by its factors.
    ///
    /// # Errors
    /// [`Singular`] with the first column that depends on those before it: its pivot is zero, or so small or
    /// so large that it has no reciprocal, or not a number.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let Self { n, matrix, swaps, reciprocals, arch, large } = self;
        match large {
            None => arch.dispatch(Factor { n: *n, matrix, swaps, reciprocals }),
            Some(workspace) => {
                workspace.factor(matrix, swaps);
                (0..*n).try_for_each(|k| {
                    reciprocals[k] = reciprocal(matrix[k + k * *n], k)?;
                    Ok(())
                })
            }
        }
    }

    /// Replaces `b` by the solution of A x = b. Call after a [`factor`](Self::factor) that succeeded.
    pub fn solve(&self, b: &mut [f64]) {
        self.arch.dispatch(Solve { lu: self, b });
    }
}

/// 1 / pivot, unless that is useless.
fn reciprocal(pivot: f64, k: usize) -> Result<f64, Singular> {
    let reciprocal = 1.0 / pivot;
    if pivot.is_finite() && reciprocal.is_finite() { Ok(reciprocal) } else { Err(Singular { pivot: k }) }
}

struct Factor<'a> {
    n: usize,
    matrix: &'a mut [f64],
    swaps: &'a mut [usize],
    reciprocals: &'a mut [f64],
}

impl WithSimd for Factor<'_> {
    type Output = Result<(), Singular>;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> Self::Output {
        for start in (0..self.n).step_by(PANEL) {
            let end = self.n.min(start + PANEL);
            self.eliminate_panel(simd, start, end)?;
            self.swap_columns_before(start, end);
            self.update_columns_after(simd, start, end);
        }
        Ok(())
    }
}

impl Factor<'_> {
    /// Eliminates columns `start..end`; these columns only.
    #[inline(always)]
    fn eliminate_panel<S: Simd>(&mut self, simd: S, start: usize, end: usize) -> Result<(), Singular> {
        let n = self.n;
        for k in start..end {
            let pivot_row = k + largest(&self.matrix[k * n + k..(k + 1) * n]);
            self.swaps[k] = pivot_row;
            for j in start..end {
                self.matrix.swap(j * n + k, j * n + pivot_row);
            }
            let (done, rest) = self.matrix.split_at_mut((k + 1) * n);
            let column = &mut done[k * n..];
            let reciprocal = reciprocal(column[k], k)?;
            self.reciprocals[k] = reciprocal;
            let multipliers = &mut column[k + 1..];
            multipliers.iter_mut().for_each(|l| *l *= reciprocal);
            for later in rest.chunks_exact_mut(n).take(end - k - 1) {
                let u = later[k];
                subtract_column(simd, &mut later[k + 1..], multipliers, u);
            }
        }
        Ok(())
    }

    /// The row exchanges of the panel, in the columns of L.
    #[inline(always)]
    fn swap_columns_before(&mut self, start: usize, end: usize) {
        for column in self.matrix[..start * self.n].chunks_exact_mut(self.n) {
            exchange(column, &self.swaps[..end], start);
        }
    }

    /// Row exchanges, rows of U and the Schur complement in the columns after a full panel.
    #[inline(always)]
    fn update_columns_after<S: Simd>(&mut self, simd: S, start: usize, end: usize) {
        if end - start < PANEL {
            return;
        }
        let n = self.n;
        let (done, later) = self.matrix.split_at_mut(end * n);
        let panel = panel(done, n, start);
        for column in later.chunks_exact_mut(n) {
            exchange(column, &self.swaps[..end], start);
            let (head, below) = column.split_at_mut(end);
            let u = solve_unit_lower(&panel, &mut head[start..], start);
            subtract_panel(simd, below, rows_from(panel, end), u);
        }
    }
}

/// The columns of the panel that begins at column `start`.
#[inline(always)]
fn panel(matrix: &[f64], n: usize, start: usize) -> [&[f64]; PANEL] {
    let panel = &matrix[start * n..(start + PANEL) * n];
    [&panel[..n], &panel[n..2 * n], &panel[2 * n..3 * n], &panel[3 * n..]]
}

#[inline(always)]
fn rows_from(panel: [&[f64]; PANEL], row: usize) -> [&[f64]; PANEL] {
    [&panel[0][row..], &panel[1][row..], &panel[2][row..], &panel[3][row..]]
}

/// The place of the entry of largest absolute value; first the value, then the place, which spares branches that
/// no processor can predict.
#[inline(always)]
fn largest(column: &[f64]) -> usize {
    let mut value = 0.0;
    for entry in column {
        value = if entry.abs() > value { entry.abs() } else { value };
    }
    column.iter().position(|entry| entry.abs() == value).unwrap_or_default()
}

/// Solves with the unit lower triangle of a panel that begins at row `start`, in place, and returns the solution.
#[inline(always)]
fn solve_unit_lower(panel: &[&[f64]; PANEL], x: &mut [f64], start: usize) -> [f64; PANEL] {
    let mut u = [x[0], x[1], x[2], x[3]];
    for k in 0..PANEL {
        for i in k + 1..PANEL {
            u[i] -= panel[k][start + i] * u[k];
        }
    }
    x.copy_from_slice(&u);
    u
}

struct Solve<'a> {
    lu: &'a DenseLu,
    b: &'a mut [f64],
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { lu, b } = self;
        exchange(b, &lu.swaps, 0);
        lu.solve_lower(simd, b);
        lu.solve_upper(simd, b);
    }
}

impl DenseLu {
    /// L x = b; the panels from the top, the columns that fill no panel one by one.
    #[inline(always)]
    fn solve_lower<S: Simd>(&self, simd: S, b: &mut [f64]) {
        let full = self.n - self.n % PANEL;
        for start in (0..full).step_by(PANEL) {
            let panel = panel(&self.matrix, self.n, start);
            let (head, below) = b.split_at_mut(start + PANEL);
            let x = solve_unit_lower(&panel, &mut head[start..], start);
            subtract_panel(simd, below, rows_from(panel, start + PANEL), x);
        }
        for k in full..self.n {
            let x = b[k];
            for i in k + 1..self.n {
                b[i] -= self.matrix[k * self.n + i] * x;
            }
        }
    }

    /// U x = b, from the bottom.
    #[inline(always)]
    fn solve_upper<S: Simd>(&self, simd: S, b: &mut [f64]) {
        let full = self.n - self.n % PANEL;
        for k in (full..self.n).rev() {
            let x = b[k] * self.reciprocals[k];
            b[k] = x;
            subtract_column(simd, &mut b[..k], &self.matrix[k * self.n..], x);
        }
        for start in (0..full).step_by(PANEL).rev() {
            let panel = panel(&self.matrix, self.n, start);
            let (above, x) = b.split_at_mut(start);
            let mut u = [x[0], x[1], x[2], x[3]];
            for k in (0..PANEL).rev() {
                u[k] *= self.reciprocals[start + k];
                for i in 0..k {
                    u[i] -= panel[k][start + i] * u[k];
                }
            }
            x[..PANEL].copy_from_slice(&u);
            subtract_panel(simd, above, panel, u);
        }
    }
}
