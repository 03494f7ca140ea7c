//! Entries of dense matrices: what real and complex elimination do differently.

use super::blocks::{BLOCK, Column, subtract, subtract_complex};
use super::kernel::{subtract_column, subtract_complex_column};
use super::large::Workspace;
use crate::linear::{Complex, Number};
use faer::c64;
use pulp::Simd;
use std::fmt::Debug;

/// A column whose numbers have their P parts in separate storage.
pub(super) type Parted<const B: usize, const P: usize> = [Column<B>; P];

/// A number of P parts. With the parts apart, loops over complex columns are those over real ones, with twice the
/// arithmetic per load.
pub trait Entry<const P: usize>: Number + Debug {
    /// A number of these parts.
    fn of(parts: [f64; P]) -> Self;

    /// Its parts.
    fn parts(self) -> [f64; P];

    /// Whether it is a number that is not too large.
    fn is_finite(self) -> bool;

    /// The sizes of the rows that wait; zeros in the others.
    fn sizes<const B: usize>(column: &[Column<B>; P], waiting: &Column<B>) -> Column<B>;

    /// Multiplies the rows that wait by the factor, the others by zero.
    fn scale<const B: usize>(column: &mut [Column<B>; P], factor: Self, waiting: &Column<B>);

    /// y -= u l in the first blocks of both.
    fn subtract<S: Simd, const B: usize>(
        simd: S,
        y: &mut [Column<B>; P],
        l: &[Column<B>; P],
        u: Self,
        blocks: usize,
    );

    /// y -= u l for columns of any length.
    fn subtract_long<S: Simd>(simd: S, y: [&mut [f64]; P], l: [&[f64]; P], u: Self);

    /// What the elimination of large matrices needs.
    fn workspace(n: usize) -> Workspace;

    /// Replaces a large matrix by its factors, and writes its exchanges of rows.
    fn factor_large(workspace: &mut Workspace, matrix: &mut [f64], swaps: &mut [usize]);
}

impl Entry<1> for f64 {
    #[inline(always)]
    fn of([value]: [f64; 1]) -> Self {
        value
    }

    #[inline(always)]
    fn parts(self) -> [f64; 1] {
        [self]
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }

    #[inline(always)]
    fn sizes<const B: usize>([column]: &[Column<B>; 1], waiting: &Column<B>) -> Column<B> {
        let mut sizes = *column;
        for (sizes, waiting) in sizes.iter_mut().zip(waiting) {
            for lane in 0..BLOCK {
                sizes[lane] = sizes[lane].abs() * waiting[lane];
            }
        }
        sizes
    }

    #[inline(always)]
    fn scale<const B: usize>([column]: &mut [Column<B>; 1], factor: Self, waiting: &Column<B>) {
        for (column, waiting) in column.iter_mut().zip(waiting) {
            for lane in 0..BLOCK {
                column[lane] *= factor * waiting[lane];
            }
        }
    }

    #[inline(always)]
    fn subtract<S: Simd, const B: usize>(
        simd: S,
        [y]: &mut [Column<B>; 1],
        [l]: &[Column<B>; 1],
        u: Self,
        blocks: usize,
    ) {
        subtract(simd, &mut y[..blocks], &l[..blocks], u);
    }

    #[inline(always)]
    fn subtract_long<S: Simd>(simd: S, [y]: [&mut [f64]; 1], [l]: [&[f64]; 1], u: Self) {
        subtract_column(simd, y, l, u);
    }

    fn workspace(n: usize) -> Workspace {
        Workspace::new::<f64>(n)
    }

    fn factor_large(workspace: &mut Workspace, matrix: &mut [f64], swaps: &mut [usize]) {
        workspace.factor(matrix, swaps);
    }
}

impl Entry<2> for Complex {
    #[inline(always)]
    fn of([re, im]: [f64; 2]) -> Self {
        Complex::new(re, im)
    }

    #[inline(always)]
    fn parts(self) -> [f64; 2] {
        [self.re, self.im]
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        Complex::is_finite(self)
    }

    /// |re| + |im| is as good as the modulus and costs no root.
    #[inline(always)]
    fn sizes<const B: usize>([re, im]: &[Column<B>; 2], waiting: &Column<B>) -> Column<B> {
        let mut sizes = *waiting;
        for (sizes, (re, im)) in sizes.iter_mut().zip(re.iter().zip(im)) {
            for lane in 0..BLOCK {
                sizes[lane] *= re[lane].abs() + im[lane].abs();
            }
        }
        sizes
    }

    #[inline(always)]
    fn scale<const B: usize>([re, im]: &mut [Column<B>; 2], factor: Self, waiting: &Column<B>) {
        for ((re, im), waiting) in re.iter_mut().zip(im).zip(waiting) {
            for lane in 0..BLOCK {
                let (x, y) = (re[lane] * waiting[lane], im[lane] * waiting[lane]);
                (re[lane], im[lane]) = (x * factor.re - y * factor.im, x * factor.im + y * factor.re);
            }
        }
    }

    #[inline(always)]
    fn subtract<S: Simd, const B: usize>(
        simd: S,
        [y_re, y_im]: &mut [Column<B>; 2],
        [l_re, l_im]: &[Column<B>; 2],
        u: Self,
        blocks: usize,
    ) {
        let (y, l) = ((&mut y_re[..blocks], &mut y_im[..blocks]), (&l_re[..blocks], &l_im[..blocks]));
        subtract_complex(simd, y, l, (u.re, u.im));
    }

    #[inline(always)]
    fn subtract_long<S: Simd>(simd: S, [y_re, y_im]: [&mut [f64]; 2], [l_re, l_im]: [&[f64]; 2], u: Self) {
        subtract_complex_column(simd, (y_re, y_im), (l_re, l_im), (u.re, u.im));
    }

    fn workspace(n: usize) -> Workspace {
        Workspace::new::<c64>(n).with_joined_parts()
    }

    fn factor_large(workspace: &mut Workspace, matrix: &mut [f64], swaps: &mut [usize]) {
        workspace.factor_parted(matrix, swaps);
    }
}
