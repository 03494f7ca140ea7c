//! Complex matrices, real and imaginary parts in separate storage.

use super::blocks::{
    BLOCK, Column, blocks_for, blocks_to, bring_forward, columns, columns_mut, largest, subtract_complex,
    with_blocks,
};
use super::large::{self, Workspace};
use crate::linear::{Complex, Singular};
use faer::c64;
use pulp::{Arch, Simd, WithSimd};

/// P A = L U of a complex matrix, in place, with reused storage.
///
/// The real and imaginary parts are separate, so that the loops of the real elimination serve with twice the
/// arithmetic per load. Used like [`DenseLu`](super::DenseLu).
#[derive(Clone, Debug)]
pub struct ComplexDenseLu {
    n: usize,
    /// From one column to the next: n, filled up to whole blocks.
    stride: usize,
    /// A, then L without its unit diagonal.
    re: Vec<f64>,
    im: Vec<f64>,
    /// U without its diagonal: the real parts, then the imaginary ones.
    upper: (Vec<f64>, Vec<f64>),
    /// The row of A that was the k-th pivot; during the elimination, the rows that wait after those.
    rows: Vec<usize>,
    reciprocals: Vec<Complex>,
    arch: Arch,
    large: Option<(Workspace, Vec<c64>)>,
}

impl ComplexDenseLu {
    /// Storage for matrices with `n` rows; the matrix is zero.
    pub fn new(n: usize) -> Self {
        let blocks = blocks_for(n);
        let stride = blocks.map_or(n, |blocks| blocks * BLOCK);
        let upper = vec![0.0; blocks.map_or(0, |_| stride * n)];
        Self {
            n,
            stride,
            re: vec![0.0; stride * n],
            im: vec![0.0; stride * n],
            upper: (upper.clone(), upper),
            rows: vec![0; n],
            reciprocals: vec![Complex::ZERO; n],
            arch: Arch::new(),
            large: blocks.is_none().then(|| (Workspace::new::<c64>(n), vec![c64::new(0.0, 0.0); n * n])),
        }
    }

    /// From one column of [`matrix_mut`](Self::matrix_mut) to the next; at least n.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The real and the imaginary part of the matrix in column-major order; entry (i, j) is at `i + j * stride`, and
    /// what lies between the columns stays zero. After [`factor`](Self::factor) they hold the factors, so write all of
    /// them again before the next one.
    pub fn matrix_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.re, &mut self.im)
    }

    /// Replaces the matrix by its factors.
    ///
    /// # Errors
    /// [`Singular`] with the first column that depends on those before it: its pivot is zero, or so small or
    /// so large that it has no reciprocal, or not a number.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let Self { n, re, im, upper, rows, reciprocals, arch, large, .. } = self;
        let Some((workspace, joined)) = large else {
            let factored = arch.dispatch(Factor { n: *n, re, im, upper, rows, reciprocals });
            return factored.inspect_err(|_| {
                re.fill(0.0);
                im.fill(0.0);
            });
        };
        for ((z, &re), &im) in joined.iter_mut().zip(re.iter()).zip(im.iter()) {
            *z = c64::new(re, im);
        }
        workspace.factor(joined, rows);
        for ((z, re), im) in joined.iter().zip(re.iter_mut()).zip(im.iter_mut()) {
            (*re, *im) = (z.re, z.im);
        }
        (0..*n).try_for_each(|k| {
            reciprocals[k] = reciprocal(Complex::new(re[k + k * *n], im[k + k * *n]), k)?;
            Ok(())
        })
    }

    /// Replaces `re + i im` by the solution of A x = re + i im. Call after a [`factor`](Self::factor) that
    /// succeeded.
    pub fn solve(&self, re: &mut [f64], im: &mut [f64]) {
        self.arch.dispatch(Solve { lu: self, re, im });
    }
}

/// 1 / pivot, unless that is useless.
#[inline(always)]
fn reciprocal(pivot: Complex, k: usize) -> Result<Complex, Singular> {
    let reciprocal = pivot.reciprocal();
    if pivot.is_finite() && reciprocal.is_finite() { Ok(reciprocal) } else { Err(Singular { pivot: k }) }
}

struct Factor<'a> {
    n: usize,
    re: &'a mut [f64],
    im: &'a mut [f64],
    upper: &'a mut (Vec<f64>, Vec<f64>),
    rows: &'a mut [usize],
    reciprocals: &'a mut [Complex],
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
        let (re, im) = (columns_mut::<B>(self.re), columns_mut::<B>(self.im));
        let (upper_re, upper_im) = (columns_mut::<B>(&mut self.upper.0), columns_mut::<B>(&mut self.upper.1));
        let (rows, reciprocals) = (&mut self.rows[..n], &mut self.reciprocals[..n]);
        // 1 for the rows that were no pivots yet
        let mut waiting: Column<B> = [[0.0; BLOCK]; B];
        waiting.as_flattened_mut()[..n].fill(1.0);
        rows.iter_mut().enumerate().for_each(|(k, row)| *row = k);
        for k in 0..n {
            let Some((column_re, later_re)) = re[k..n].split_first_mut() else { break };
            let Some((column_im, later_im)) = im[k..n].split_first_mut() else { break };
            let upper = upper_re[k].as_flattened_mut().iter_mut().zip(upper_im[k].as_flattened_mut());
            for ((re, im), &row) in upper.zip(&rows[..k]) {
                (*re, *im) = entry(column_re, column_im, row);
            }
            let sizes = sizes(column_re, column_im, &waiting);
            let size = largest(&sizes);
            let row = bring_forward(&mut rows[k..], &sizes, size);
            let pivot = if size > 0.0 { entry(column_re, column_im, row) } else { (0.0, 0.0) };
            let factor = reciprocal(Complex::new(pivot.0, pivot.1), k)?;
            reciprocals[k] = factor;
            waiting.as_flattened_mut()[row] = 0.0;
            scale(column_re, column_im, factor, &waiting);
            for (re, im) in later_re.iter_mut().zip(later_im) {
                let u = entry(re, im, row);
                // Saddle matrices are full of zeros.
                if u != (0.0, 0.0) {
                    subtract_complex(simd, (re, im), (column_re, column_im), u);
                }
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn entry<const B: usize>(re: &Column<B>, im: &Column<B>, row: usize) -> (f64, f64) {
    (re.as_flattened()[row], im.as_flattened()[row])
}

/// |re| + |im|, which is as good as the modulus and costs no root, in the rows that wait; zeros in the others.
#[inline(always)]
fn sizes<const B: usize>(re: &Column<B>, im: &Column<B>, waiting: &Column<B>) -> Column<B> {
    let mut sizes = *waiting;
    for (sizes, (re, im)) in sizes.iter_mut().zip(re.iter().zip(im)) {
        for lane in 0..BLOCK {
            sizes[lane] *= re[lane].abs() + im[lane].abs();
        }
    }
    sizes
}

/// Multiplies the rows that wait by the factor, the others by zero.
#[inline(always)]
fn scale<const B: usize>(re: &mut Column<B>, im: &mut Column<B>, factor: Complex, waiting: &Column<B>) {
    for ((re, im), waiting) in re.iter_mut().zip(im).zip(waiting) {
        for lane in 0..BLOCK {
            let (x, y) = (re[lane] * waiting[lane], im[lane] * waiting[lane]);
            (re[lane], im[lane]) = (x * factor.re - y * factor.im, x * factor.im + y * factor.re);
        }
    }
}

struct Solve<'a> {
    lu: &'a ComplexDenseLu,
    re: &'a mut [f64],
    im: &'a mut [f64],
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { lu, re, im } = self;
        let factors = (lu.re.as_slice(), lu.im.as_slice());
        with_blocks!(
            lu.n,
            B => lu.substitute::<S, B>(simd, re, im),
            more => large::substitute_complex(simd, factors, &lu.rows, &lu.reciprocals, (re, im))
        )
    }
}

impl ComplexDenseLu {
    /// L y = b, then U x = y.
    #[inline(always)]
    fn substitute<S: Simd, const B: usize>(&self, simd: S, re: &mut [f64], im: &mut [f64]) {
        let n = self.n;
        let lower = (&columns::<B>(&self.re)[..n], &columns::<B>(&self.im)[..n]);
        let upper = (&columns::<B>(&self.upper.0)[..n], &columns::<B>(&self.upper.1)[..n]);
        let (rows, reciprocals) = (&self.rows[..n], &self.reciprocals[..n]);
        let (re, im) = (&mut re[..n], &mut im[..n]);
        let (mut x_re, mut x_im): (Column<B>, Column<B>) = ([[0.0; BLOCK]; B], [[0.0; BLOCK]; B]);
        x_re.as_flattened_mut()[..n].copy_from_slice(re);
        x_im.as_flattened_mut()[..n].copy_from_slice(im);
        for k in 0..n {
            let y = entry(&x_re, &x_im, rows[k]);
            (re[k], im[k]) = y;
            subtract_complex(simd, (&mut x_re, &mut x_im), (&lower.0[k], &lower.1[k]), y);
        }
        x_re.as_flattened_mut()[..n].copy_from_slice(re);
        x_im.as_flattened_mut()[..n].copy_from_slice(im);
        for k in (0..n).rev() {
            let (y_re, y_im) = entry(&x_re, &x_im, k);
            let solved = Complex::new(y_re, y_im) * reciprocals[k];
            (re[k], im[k]) = (solved.re, solved.im);
            let above = blocks_to::<B>(k);
            let (x, u) =
                ((&mut x_re[..above], &mut x_im[..above]), (&upper.0[k][..above], &upper.1[k][..above]));
            subtract_complex(simd, x, u, (solved.re, solved.im));
        }
    }
}
