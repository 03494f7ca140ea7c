//! Complex matrices, real and imaginary parts in separate storage.

use super::kernel::{Parts, subtract_complex_column, subtract_complex_panel};
use super::large::Workspace;
use super::{LARGEST_OWN, PANEL, exchange};
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
    re: Vec<f64>,
    im: Vec<f64>,
    /// Row i was exchanged with row `swaps[i]`, i ascending.
    swaps: Vec<usize>,
    reciprocals: Vec<Complex>,
    arch: Arch,
    large: Option<(Workspace, Vec<c64>)>,
}

impl ComplexDenseLu {
    /// Storage for matrices with `n` rows; the matrix is zero.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            re: vec![0.0; n * n],
            im: vec![0.0; n * n],
            swaps: vec![0; n],
            reciprocals: vec![Complex::ZERO; n],
            arch: Arch::new(),
            large: (n > LARGEST_OWN).then(|| (Workspace::new::<c64>(n), vec![c64::new(0.0, 0.0); n * n])),
        }
    }

    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The real and the imaginary part of the matrix in column-major order; entry (i, j) is at `i + j * n`.
    /// After [`factor`](Self::factor) they hold the factors, so write all of them again before the next one.
    pub fn matrix_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.re, &mut self.im)
    }

    /// Replaces the matrix by its factors.
    ///
    /// # Errors
    /// [`Singular`] with the first column that depends on those before it: its pivot is zero, or so small or
    /// so large that it has no reciprocal, or not a number.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let Self { n, re, im, swaps, reciprocals, arch, large } = self;
        let Some((workspace, joined)) = large else {
            return arch.dispatch(Factor { n: *n, re, im, swaps, reciprocals });
        };
        for ((z, &re), &im) in joined.iter_mut().zip(re.iter()).zip(im.iter()) {
            *z = c64::new(re, im);
        }
        workspace.factor(joined, swaps);
        for ((z, re), im) in joined.iter().zip(re.iter_mut()).zip(im.iter_mut()) {
            (*re, *im) = (z.re, z.im);
        }
        (0..*n).try_for_each(|k| {
            reciprocals[k] = reciprocal(re[k + k * *n], im[k + k * *n], k)?;
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
fn reciprocal(re: f64, im: f64, k: usize) -> Result<Complex, Singular> {
    let pivot = Complex::new(re, im);
    let reciprocal = pivot.reciprocal();
    if pivot.is_finite() && reciprocal.is_finite() { Ok(reciprocal) } else { Err(Singular { pivot: k }) }
}

struct Factor<'a> {
    n: usize,
    re: &'a mut [f64],
    im: &'a mut [f64],
    swaps: &'a mut [usize],
    reciprocals: &'a mut [Complex],
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
            let column = k * n + k..(k + 1) * n;
            let pivot_row = k + largest(&self.re[column.clone()], &self.im[column]);
            self.swaps[k] = pivot_row;
            for j in start..end {
                self.re.swap(j * n + k, j * n + pivot_row);
                self.im.swap(j * n + k, j * n + pivot_row);
            }
            let (done_re, rest_re) = self.re.split_at_mut((k + 1) * n);
            let (done_im, rest_im) = self.im.split_at_mut((k + 1) * n);
            let (column_re, column_im) = (&mut done_re[k * n..], &mut done_im[k * n..]);
            let reciprocal = reciprocal(column_re[k], column_im[k], k)?;
            self.reciprocals[k] = reciprocal;
            let (l_re, l_im) = (&mut column_re[k + 1..], &mut column_im[k + 1..]);
            scale(l_re, l_im, reciprocal);
            let later = rest_re.chunks_exact_mut(n).zip(rest_im.chunks_exact_mut(n));
            for (re, im) in later.take(end - k - 1) {
                let u = (re[k], im[k]);
                subtract_complex_column(simd, (&mut re[k + 1..], &mut im[k + 1..]), (l_re, l_im), u);
            }
        }
        Ok(())
    }

    /// The row exchanges of the panel, in the columns of L.
    #[inline(always)]
    fn swap_columns_before(&mut self, start: usize, end: usize) {
        for part in [&mut *self.re, &mut *self.im] {
            for column in part[..start * self.n].chunks_exact_mut(self.n) {
                exchange(column, &self.swaps[..end], start);
            }
        }
    }

    /// Row exchanges, rows of U and the Schur complement in the columns after a full panel.
    #[inline(always)]
    fn update_columns_after<S: Simd>(&mut self, simd: S, start: usize, end: usize) {
        if end - start < PANEL {
            return;
        }
        let n = self.n;
        let (done_re, later_re) = self.re.split_at_mut(end * n);
        let (done_im, later_im) = self.im.split_at_mut(end * n);
        let panel = panel(done_re, done_im, n, start);
        for (re, im) in later_re.chunks_exact_mut(n).zip(later_im.chunks_exact_mut(n)) {
            exchange(re, &self.swaps[..end], start);
            exchange(im, &self.swaps[..end], start);
            let (head_re, below_re) = re.split_at_mut(end);
            let (head_im, below_im) = im.split_at_mut(end);
            let u = solve_unit_lower(&panel, &mut head_re[start..], &mut head_im[start..], start);
            subtract_complex_panel(simd, (below_re, below_im), rows_from(panel, end), u);
        }
    }
}

type Panel<'a> = [Parts<'a>; PANEL];

/// The columns of the panel that begins at column `start`.
#[inline(always)]
fn panel<'a>(re: &'a [f64], im: &'a [f64], n: usize, start: usize) -> Panel<'a> {
    let (re, im) = (&re[start * n..(start + PANEL) * n], &im[start * n..(start + PANEL) * n]);
    [
        (&re[..n], &im[..n]),
        (&re[n..2 * n], &im[n..2 * n]),
        (&re[2 * n..3 * n], &im[2 * n..3 * n]),
        (&re[3 * n..], &im[3 * n..]),
    ]
}

#[inline(always)]
fn rows_from(panel: Panel<'_>, row: usize) -> Panel<'_> {
    let [p0, p1, p2, p3] = panel;
    [
        (&p0.0[row..], &p0.1[row..]),
        (&p1.0[row..], &p1.1[row..]),
        (&p2.0[row..], &p2.1[row..]),
        (&p3.0[row..], &p3.1[row..]),
    ]
}

/// The place of the entry with the largest |re| + |im|, which is as good as the modulus and costs no root.
#[inline(always)]
fn largest(re: &[f64], im: &[f64]) -> usize {
    let mut value = 0.0;
    for (re, im) in re.iter().zip(im) {
        let size = re.abs() + im.abs();
        value = if size > value { size } else { value };
    }
    re.iter().zip(im).position(|(re, im)| re.abs() + im.abs() == value).unwrap_or_default()
}

#[inline(always)]
fn scale(re: &mut [f64], im: &mut [f64], factor: Complex) {
    for (re, im) in re.iter_mut().zip(im) {
        (*re, *im) = (*re * factor.re - *im * factor.im, *re * factor.im + *im * factor.re);
    }
}

/// Solves with the unit lower triangle of a panel that begins at row `start`, in place, and returns the solution.
#[inline(always)]
fn solve_unit_lower(panel: &Panel<'_>, re: &mut [f64], im: &mut [f64], start: usize) -> [(f64, f64); PANEL] {
    let mut u = [(re[0], im[0]), (re[1], im[1]), (re[2], im[2]), (re[3], im[3])];
    for k in 0..PANEL {
        for i in k + 1..PANEL {
            u[i] = subtract_product(u[i], (panel[k].0[start + i], panel[k].1[start + i]), u[k]);
        }
    }
    store(u, re, im);
    u
}

/// a - l u.
#[inline(always)]
fn subtract_product(a: (f64, f64), l: (f64, f64), u: (f64, f64)) -> (f64, f64) {
    (a.0 - (l.0 * u.0 - l.1 * u.1), a.1 - (l.0 * u.1 + l.1 * u.0))
}

#[inline(always)]
fn store(u: [(f64, f64); PANEL], re: &mut [f64], im: &mut [f64]) {
    for k in 0..PANEL {
        (re[k], im[k]) = u[k];
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
        exchange(re, &lu.swaps, 0);
        exchange(im, &lu.swaps, 0);
        lu.solve_lower(simd, re, im);
        lu.solve_upper(simd, re, im);
    }
}

impl ComplexDenseLu {
    /// L x = b; the panels from the top, the columns that fill no panel one by one.
    #[inline(always)]
    fn solve_lower<S: Simd>(&self, simd: S, re: &mut [f64], im: &mut [f64]) {
        let n = self.n;
        let full = n - n % PANEL;
        for start in (0..full).step_by(PANEL) {
            let panel = panel(&self.re, &self.im, n, start);
            let end = start + PANEL;
            let (head_re, below_re) = re.split_at_mut(end);
            let (head_im, below_im) = im.split_at_mut(end);
            let x = solve_unit_lower(&panel, &mut head_re[start..], &mut head_im[start..], start);
            subtract_complex_panel(simd, (below_re, below_im), rows_from(panel, end), x);
        }
        for k in full..n {
            let x = (re[k], im[k]);
            for i in k + 1..n {
                let l = (self.re[k * n + i], self.im[k * n + i]);
                (re[i], im[i]) = subtract_product((re[i], im[i]), l, x);
            }
        }
    }

    /// U x = b, from the bottom.
    #[inline(always)]
    fn solve_upper<S: Simd>(&self, simd: S, re: &mut [f64], im: &mut [f64]) {
        let n = self.n;
        let full = n - n % PANEL;
        for k in (full..n).rev() {
            let x = Complex::new(re[k], im[k]) * self.reciprocals[k];
            (re[k], im[k]) = (x.re, x.im);
            let column = (&self.re[k * n..], &self.im[k * n..]);
            subtract_complex_column(simd, (&mut re[..k], &mut im[..k]), column, (x.re, x.im));
        }
        for start in (0..full).step_by(PANEL).rev() {
            let panel = panel(&self.re, &self.im, n, start);
            let (above_re, x_re) = re.split_at_mut(start);
            let (above_im, x_im) = im.split_at_mut(start);
            let mut u = [(x_re[0], x_im[0]), (x_re[1], x_im[1]), (x_re[2], x_im[2]), (x_re[3], x_im[3])];
            for k in (0..PANEL).rev() {
                let x = Complex::new(u[k].0, u[k].1) * self.reciprocals[start + k];
                u[k] = (x.re, x.im);
                for i in 0..k {
                    u[i] = subtract_product(u[i], (panel[k].0[start + i], panel[k].1[start + i]), u[k]);
                }
            }
            store(u, x_re, x_im);
            subtract_complex_panel(simd, (above_re, above_im), panel, u);
        }
    }
}
