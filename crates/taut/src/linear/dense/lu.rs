//! The elimination, for real and for complex matrices.

use super::blocks::{BLOCK, Column, blocks_for, blocks_to, bring_forward, largest, with_blocks};
use super::entry::{Entry, Parted};
use super::large::{self, Workspace};
use crate::linear::{Complex, Singular};
use pulp::{Arch, Simd, WithSimd};

/// P A = L U of a matrix with numbers of so many parts, in place, with reused storage.
///
/// Fill [`matrix_mut`](Self::matrix_mut) (column-major), call [`factor`](Self::factor), then `solve` as often as needed. Nothing
/// is allocated after [`new`](Self::new).
///
/// Rows are not exchanged: L keeps the rows of A, with zeros where rows were pivots before, and the rows of U are in the
/// order of elimination.
#[derive(Clone, Debug)]
pub struct Lu<E, const PARTS: usize> {
    n: usize,
    /// From one part of a column to the next: n, filled up to whole blocks.
    stride: usize,
    /// A, then L without its unit diagonal.
    matrix: Vec<f64>,
    /// U without its diagonal.
    upper: Vec<f64>,
    /// The row of A that was the k-th pivot; during the elimination, the rows that wait after those.
    rows: Vec<usize>,
    /// 1 / u_kk: a solve multiplies where it would wait for divisions.
    reciprocals: Vec<E>,
    arch: Arch,
    large: Option<Workspace>,
}

/// The elimination of real matrices.
pub type DenseLu = Lu<f64, 1>;

/// The elimination of complex matrices.
pub type ComplexDenseLu = Lu<Complex, 2>;

impl<E: Entry<PARTS>, const PARTS: usize> Lu<E, PARTS> {
    /// Storage for matrices with `n` rows; the matrix is zero.
    pub fn new(n: usize) -> Self {
        let blocks = blocks_for(n);
        let stride = blocks.map_or(n, |blocks| blocks * BLOCK);
        let size = PARTS * stride * n;
        Self {
            n,
            stride,
            matrix: vec![0.0; size],
            upper: vec![0.0; blocks.map_or(0, |_| size)],
            rows: vec![0; n],
            reciprocals: vec![E::ZERO; n],
            arch: Arch::new(),
            large: blocks.is_none().then(|| E::workspace(n)),
        }
    }

    /// From one part of a column of [`matrix_mut`](Self::matrix_mut) to the next, and from the last to the next column; at
    /// least n.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The matrix in column-major order, the parts of a column one after the other: part p of entry (i, j) is at
    /// `i + (j * PARTS + p) * stride`, and what lies between them stays zero. After [`factor`](Self::factor) it holds the
    /// factors, so write all of it again before the next one.
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
                E::factor_large(workspace, matrix, rows);
                (0..*n).try_for_each(|k| {
                    let part = |p: usize| matrix[k + (k * PARTS + p) * *n];
                    reciprocals[k] = reciprocal(E::of(std::array::from_fn(part)), k)?;
                    Ok(())
                })
            }
        }
    }
}

impl DenseLu {
    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Replaces `b` by the solution of A x = b. Call after a [`factor`](Self::factor) that succeeded.
    pub fn solve(&self, b: &mut [f64]) {
        self.arch.dispatch(Solve { lu: self, b: [b] });
    }
}

impl ComplexDenseLu {
    /// Replaces `re + i im` by the solution of A x = re + i im. Call after a [`factor`](Self::factor) that
    /// succeeded.
    pub fn solve(&self, re: &mut [f64], im: &mut [f64]) {
        self.arch.dispatch(Solve { lu: self, b: [re, im] });
    }
}

/// 1 / pivot, unless that is useless.
#[inline(always)]
fn reciprocal<E: Entry<PARTS>, const PARTS: usize>(pivot: E, k: usize) -> Result<E, Singular> {
    let reciprocal = pivot.reciprocal();
    if pivot.is_finite() && reciprocal.is_finite() { Ok(reciprocal) } else { Err(Singular { pivot: k }) }
}

/// One number of a column.
#[inline(always)]
fn entry<E: Entry<PARTS>, const B: usize, const PARTS: usize>(column: &Parted<B, PARTS>, row: usize) -> E {
    let mut parts = [0.0; PARTS];
    for p in 0..PARTS {
        parts[p] = column[p].as_flattened()[row];
    }
    E::of(parts)
}

/// The columns of a matrix.
#[inline(always)]
fn columns<const B: usize, const PARTS: usize>(matrix: &[f64]) -> &[Parted<B, PARTS>] {
    super::blocks::columns::<B>(matrix).as_chunks::<PARTS>().0
}

/// The columns of a matrix.
#[inline(always)]
fn columns_mut<const B: usize, const PARTS: usize>(matrix: &mut [f64]) -> &mut [Parted<B, PARTS>] {
    super::blocks::columns_mut::<B>(matrix).as_chunks_mut::<PARTS>().0
}

struct Factor<'a, E, const PARTS: usize> {
    n: usize,
    matrix: &'a mut [f64],
    upper: &'a mut [f64],
    rows: &'a mut [usize],
    reciprocals: &'a mut [E],
}

impl<E: Entry<PARTS>, const PARTS: usize> WithSimd for Factor<'_, E, PARTS> {
    type Output = Result<(), Singular>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        with_blocks!(self.n, B => self.eliminate::<S, B>(simd))
    }
}

impl<E: Entry<PARTS>, const PARTS: usize> Factor<'_, E, PARTS> {
    #[inline(always)]
    fn eliminate<S: Simd, const B: usize>(self, simd: S) -> Result<(), Singular> {
        let n = self.n;
        let (matrix, upper) = (columns_mut::<B, PARTS>(self.matrix), columns_mut::<B, PARTS>(self.upper));
        let (rows, reciprocals) = (&mut self.rows[..n], &mut self.reciprocals[..n]);
        // 1 for the rows that were no pivots yet
        let mut waiting: Column<B> = [[0.0; BLOCK]; B];
        waiting.as_flattened_mut()[..n].fill(1.0);
        rows.iter_mut().enumerate().for_each(|(k, row)| *row = k);
        for k in 0..n {
            let Some((column, later)) = matrix[k..n].split_first_mut() else { break };
            for p in 0..PARTS {
                for (u, &row) in upper[k][p].as_flattened_mut().iter_mut().zip(&rows[..k]) {
                    *u = column[p].as_flattened()[row];
                }
            }
            let sizes = E::sizes(column, &waiting);
            let size = largest(&sizes);
            let row = bring_forward(&mut rows[k..], &sizes, size);
            let pivot = if size > 0.0 { entry(column, row) } else { E::ZERO };
            let factor = reciprocal(pivot, k)?;
            reciprocals[k] = factor;
            waiting.as_flattened_mut()[row] = 0.0;
            E::scale(column, factor, &waiting);
            for later in later {
                let u: E = entry(later, row);
                // Saddle matrices are full of zeros.
                if u != E::ZERO {
                    E::subtract(simd, later, column, u, B);
                }
            }
        }
        Ok(())
    }
}

struct Solve<'a, E, const PARTS: usize> {
    lu: &'a Lu<E, PARTS>,
    b: [&'a mut [f64]; PARTS],
}

impl<E: Entry<PARTS>, const PARTS: usize> WithSimd for Solve<'_, E, PARTS> {
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

impl<E: Entry<PARTS>, const PARTS: usize> Lu<E, PARTS> {
    /// L y = b, then U x = y.
    #[inline(always)]
    fn substitute<S: Simd, const B: usize>(&self, simd: S, b: [&mut [f64]; PARTS]) {
        let n = self.n;
        let mut b = b.map(|part| &mut part[..n]);
        let lower = &columns::<B, PARTS>(&self.matrix)[..n];
        let upper = &columns::<B, PARTS>(&self.upper)[..n];
        let (rows, reciprocals) = (&self.rows[..n], &self.reciprocals[..n]);
        let mut x: Parted<B, PARTS> = [[[0.0; BLOCK]; B]; PARTS];
        load(&mut x, &b);
        for k in 0..n {
            let y: E = entry(&x, rows[k]);
            store(y, &mut b, k);
            E::subtract(simd, &mut x, &lower[k], y, B);
        }
        load(&mut x, &b);
        for k in (0..n).rev() {
            let solved = entry::<E, B, PARTS>(&x, k) * reciprocals[k];
            store(solved, &mut b, k);
            E::subtract(simd, &mut x, &upper[k], solved, blocks_to::<B>(k));
        }
    }
}

/// Copies a right-hand side into blocks.
#[inline(always)]
fn load<const B: usize, const PARTS: usize>(x: &mut Parted<B, PARTS>, b: &[&mut [f64]; PARTS]) {
    for p in 0..PARTS {
        x[p].as_flattened_mut()[..b[p].len()].copy_from_slice(b[p]);
    }
}

/// Writes one number of a right-hand side.
#[inline(always)]
pub(super) fn store<E: Entry<PARTS>, const PARTS: usize>(x: E, b: &mut [&mut [f64]; PARTS], k: usize) {
    let parts = x.parts();
    for p in 0..PARTS {
        b[p][k] = parts[p];
    }
}
