//! Real matrices.

use super::blocks::{
    BLOCK, Column, blocks_for, blocks_to, bring_forward, columns, columns_mut, largest, subtract, with_blocks,
};
use super::large::{self, Workspace};
use crate::linear::Singular;
use pulp::{Arch, Simd, WithSimd};

/// P A = L U of a real matrix, in place, with reused storage.
///
/// Fill [`matrix_mut`](Self::matrix_mut) (column-major), call [`factor`](Self::factor), then
/// [`solve`](Self::solve) as often as needed. Nothing is allocated after [`new`](Self::new).
///
/// Rows are not exchanged: L keeps the rows of A, with zeros where rows were pivots before, and the rows of U are in the
/// order of elimination.
#[derive(Clone, Debug)]
pub struct DenseLu {
    n: usize,
    /// From one column to the next: n, filled up to whole blocks.
    stride: usize,
    /// A, then L without its unit diagonal.
    matrix: Vec<f64>,
    /// U without its diagonal.
    upper: Vec<f64>,
    /// The row of A that was the k-th pivot; during the elimination, the rows that wait after those.
    rows: Vec<usize>,
    /// 1 / u_kk: a solve multiplies where it would wait for divisions.
    reciprocals: Vec<f64>,
    arch: Arch,
    large: Option<Workspace>,
}

impl DenseLu {
    /// Storage for matrices with `n` rows; the matrix is zero.
    pub fn new(n: usize) -> Self {
        let blocks = blocks_for(n);
        let stride = blocks.map_or(n, |blocks| blocks * BLOCK);
        Self {
            n,
            stride,
            matrix: vec![0.0; stride * n],
            upper: vec![0.0; blocks.map_or(0, |_| stride * n)],
            rows: vec![0; n],
            reciprocals: vec![0.0; n],
            arch: Arch::new(),
            large: blocks.is_none().then(|| Workspace::new::<f64>(n)),
        }
    }

    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// From one column of [`matrix_mut`](Self::matrix_mut) to the next; at least n.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The matrix in column-major order; entry (i, j) is at `i + j * stride`, and what lies between the columns stays
    /// zero. After [`factor`](Self::factor) it holds the factors, so write all of it again before the next one.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.matrix
    }

    /// Replaces the matrix by its factors.
    ///
    /// # Errors
    /// [`Singular`] with the first column that depends on those before it: its pivot is zero, or so small or
    /// so large that it has no reciprocal, or not a number.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let Self { n, matrix, upper, rows, reciprocals, arch, large, .. } = self;
        match large {
            None => {
                let factored = arch.dispatch(Factor { n: *n, matrix, upper, rows, reciprocals });
                // Numbers that are none may have reached what fills up the columns.
                factored.inspect_err(|_| matrix.fill(0.0))
            }
            Some(workspace) => {
                workspace.factor(matrix, rows);
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
#[inline(always)]
fn reciprocal(pivot: f64, k: usize) -> Result<f64, Singular> {
    let reciprocal = 1.0 / pivot;
    if pivot.is_finite() && reciprocal.is_finite() { Ok(reciprocal) } else { Err(Singular { pivot: k }) }
}

struct Factor<'a> {
    n: usize,
    matrix: &'a mut [f64],
    upper: &'a mut [f64],
    rows: &'a mut [usize],
    reciprocals: &'a mut [f64],
}

impl WithSimd for Factor<'_> {
    type Output = Result<(), Singular>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        with_blocks!(self.n, B => self.eliminate::<S, B>(simd))
    }
}

impl Factor<'_> {
    #[inline(always)]
    fn eliminate<S: Simd, const B: usize>(self, simd: S) -> Result<(), Singular> {
        let n = self.n;
        let (matrix, upper) = (columns_mut::<B>(self.matrix), columns_mut::<B>(self.upper));
        let (rows, reciprocals) = (&mut self.rows[..n], &mut self.reciprocals[..n]);
        // 1 for the rows that were no pivots yet
        let mut waiting: Column<B> = [[0.0; BLOCK]; B];
        waiting.as_flattened_mut()[..n].fill(1.0);
        rows.iter_mut().enumerate().for_each(|(k, row)| *row = k);
        for k in 0..n {
            let Some((column, later)) = matrix[k..n].split_first_mut() else { break };
            for (u, &row) in upper[k].as_flattened_mut().iter_mut().zip(&rows[..k]) {
                *u = column.as_flattened()[row];
            }
            let sizes = sizes(column, &waiting);
            let size = largest(&sizes);
            let row = bring_forward(&mut rows[k..], &sizes, size);
            let pivot = if size > 0.0 { column.as_flattened()[row] } else { 0.0 };
            let factor = reciprocal(pivot, k)?;
            reciprocals[k] = factor;
            waiting.as_flattened_mut()[row] = 0.0;
            for (column, waiting) in column.iter_mut().zip(&waiting) {
                for lane in 0..BLOCK {
                    column[lane] *= factor * waiting[lane];
                }
            }
            for later in later {
                let u = later.as_flattened()[row];
                // Saddle matrices are full of zeros.
                if u != 0.0 {
                    subtract(simd, later, column, u);
                }
            }
        }
        Ok(())
    }
}

/// The absolute values in the rows that wait, zeros in the others.
#[inline(always)]
fn sizes<const B: usize>(column: &Column<B>, waiting: &Column<B>) -> Column<B> {
    let mut sizes = *column;
    for (sizes, waiting) in sizes.iter_mut().zip(waiting) {
        for lane in 0..BLOCK {
            sizes[lane] = sizes[lane].abs() * waiting[lane];
        }
    }
    sizes
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
        with_blocks!(
            lu.n,
            B => lu.substitute::<S, B>(simd, b),
            more => large::substitute(simd, &lu.matrix, &lu.rows, &lu.reciprocals, b)
        )
    }
}

impl DenseLu {
    /// L y = b, then U x = y.
    #[inline(always)]
    fn substitute<S: Simd, const B: usize>(&self, simd: S, b: &mut [f64]) {
        let n = self.n;
        let (lower, upper) = (&columns::<B>(&self.matrix)[..n], &columns::<B>(&self.upper)[..n]);
        let (rows, reciprocals, b) = (&self.rows[..n], &self.reciprocals[..n], &mut b[..n]);
        let mut x: Column<B> = [[0.0; BLOCK]; B];
        x.as_flattened_mut()[..n].copy_from_slice(b);
        for k in 0..n {
            let y = x.as_flattened()[rows[k]];
            b[k] = y;
            subtract(simd, &mut x, &lower[k], y);
        }
        x.as_flattened_mut()[..n].copy_from_slice(b);
        for k in (0..n).rev() {
            let solved = x.as_flattened()[k] * reciprocals[k];
            b[k] = solved;
            let above = blocks_to::<B>(k);
            subtract(simd, &mut x[..above], &upper[k][..above], solved);
        }
    }
}
