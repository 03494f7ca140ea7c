//! Columns in blocks that fill vector registers.
//!
//! A column is an array of blocks whose number is known to the compiler, so that loops over it have neither remainders
//! nor bounds to check; what fills it up is zero.

use pulp::Simd;

/// As many numbers as the widest vector registers in use hold.
pub(in crate::linear) const BLOCK: usize = 4;

/// A column of a matrix, or a right-hand side.
pub(in crate::linear) type Column<const B: usize> = [[f64; BLOCK]; B];

/// The numbers of blocks for which there is code.
const BLOCKS: [usize; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

/// The blocks of a column for n unknowns; nothing where there are too many.
pub(in crate::linear) fn blocks_for(n: usize) -> Option<usize> {
    BLOCKS.into_iter().find(|&blocks| blocks * BLOCK >= n)
}

/// Code for a number of blocks that the compiler knows: that of a column for n unknowns, or what is said for more of them.
macro_rules! with_blocks {
    ($n:expr, $blocks:ident => $code:expr $(, more => $more:expr)?) => {
        match $crate::linear::dense::blocks::blocks_for($n) {
            Some(1) => { const $blocks: usize = 1; $code }
            Some(2) => { const $blocks: usize = 2; $code }
            Some(3) => { const $blocks: usize = 3; $code }
            Some(4) => { const $blocks: usize = 4; $code }
            Some(6) => { const $blocks: usize = 6; $code }
            Some(8) => { const $blocks: usize = 8; $code }
            Some(12) => { const $blocks: usize = 12; $code }
            $(None => $more,)?
            _ => { const $blocks: usize = 16; $code }
        }
    };
}
pub(in crate::linear) use with_blocks;

/// Up to so many blocks it costs less to work on all of them than to find out which are needed.
const FEW_BLOCKS: usize = 4;

/// The number of blocks up to the one of entry `row`; all where columns are short.
#[inline(always)]
pub(in crate::linear) fn blocks_to<const B: usize>(row: usize) -> usize {
    if B <= FEW_BLOCKS { B } else { B.min(row / BLOCK + 1) }
}

/// The number of blocks before the one of entry `row`; none where columns are short.
#[inline(always)]
pub(in crate::linear) fn blocks_before<const B: usize>(row: usize) -> usize {
    if B <= FEW_BLOCKS { 0 } else { row / BLOCK }
}

/// The columns of a matrix.
#[inline(always)]
pub(in crate::linear) fn columns<const B: usize>(matrix: &[f64]) -> &[Column<B>] {
    matrix.as_chunks::<BLOCK>().0.as_chunks::<B>().0
}

/// The columns of a matrix.
#[inline(always)]
pub(in crate::linear) fn columns_mut<const B: usize>(matrix: &mut [f64]) -> &mut [Column<B>] {
    matrix.as_chunks_mut::<BLOCK>().0.as_chunks_mut::<B>().0
}

/// y -= u l.
#[inline(always)]
pub(in crate::linear) fn subtract<S: Simd>(simd: S, y: &mut [[f64; BLOCK]], l: &[[f64; BLOCK]], u: f64) {
    let u = simd.splat_f64s(u);
    let (y, l) = (S::as_mut_simd_f64s(y.as_flattened_mut()).0, S::as_simd_f64s(l.as_flattened()).0);
    for (y, &l) in y.iter_mut().zip(l) {
        *y = simd.negate_mul_add_e_f64s(u, l, *y);
    }
}

/// y -= u l for complex numbers, their parts apart.
#[inline(always)]
pub(in crate::linear) fn subtract_complex<S: Simd>(
    simd: S,
    (y_re, y_im): (&mut [[f64; BLOCK]], &mut [[f64; BLOCK]]),
    (l_re, l_im): (&[[f64; BLOCK]], &[[f64; BLOCK]]),
    u: (f64, f64),
) {
    let u = (simd.splat_f64s(u.0), simd.splat_f64s(u.1));
    let y_re = S::as_mut_simd_f64s(y_re.as_flattened_mut()).0;
    let y_im = S::as_mut_simd_f64s(y_im.as_flattened_mut()).0;
    let l_re = S::as_simd_f64s(l_re.as_flattened()).0;
    let l_im = S::as_simd_f64s(l_im.as_flattened()).0;
    for (((re, im), &l_re), &l_im) in y_re.iter_mut().zip(y_im).zip(l_re).zip(l_im) {
        *re = simd.mul_add_e_f64s(u.1, l_im, simd.negate_mul_add_e_f64s(u.0, l_re, *re));
        *im = simd.negate_mul_add_e_f64s(u.1, l_re, simd.negate_mul_add_e_f64s(u.0, l_im, *im));
    }
}

/// The largest of some sizes, 0 where there is none; numbers that are none do not count.
#[inline(always)]
pub(in crate::linear) fn largest<const B: usize>(sizes: &Column<B>) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let mut top = [0.0; BLOCK];
    for sizes in sizes {
        for lane in 0..BLOCK {
            top[lane] = larger(top[lane], sizes[lane]);
        }
    }
    larger(larger(top[0], top[2]), larger(top[1], top[3]))
}

/// Brings the row with this size to the first of the rows that wait, and returns it.
#[inline(always)]
pub(in crate::linear) fn bring_forward<const B: usize>(
    waiting: &mut [usize],
    sizes: &Column<B>,
    size: f64,
) -> usize {
    let place = waiting.iter().position(|&row| sizes.as_flattened()[row] == size).unwrap_or_default();
    waiting.swap(0, place);
    waiting[0]
}
