//! The inner loops: a column minus a combination of columns.
//!
//! No closures in here and no array methods that take them: those of earlier versions stayed calls of their own inside
//! the loops. What a vector register does not divide is left to plain loops, since masked loads are calls too.

use super::PANEL;
use pulp::Simd;

/// y -= u l.
#[inline(always)]
pub(super) fn subtract_column<S: Simd>(simd: S, y: &mut [f64], l: &[f64], u: f64) {
    let l = &l[..y.len()];
    let factor = simd.splat_f64s(u);
    let ((y_head, y_tail), (l_head, l_tail)) = (S::as_mut_simd_f64s(y), S::as_simd_f64s(l));
    for (y, &l) in y_head.iter_mut().zip(l_head) {
        *y = simd.negate_mul_add_e_f64s(factor, l, *y);
    }
    for (y, &l) in y_tail.iter_mut().zip(l_tail) {
        *y -= u * l;
    }
}

/// y -= the sum of `u[w] l[w]`.
#[inline(always)]
pub(super) fn subtract_panel<S: Simd>(simd: S, y: &mut [f64], l: [&[f64]; PANEL], u: [f64; PANEL]) {
    let n = y.len();
    let factors =
        [simd.splat_f64s(u[0]), simd.splat_f64s(u[1]), simd.splat_f64s(u[2]), simd.splat_f64s(u[3])];
    let (y_head, y_tail) = S::as_mut_simd_f64s(y);
    let (l0, tail0) = S::as_simd_f64s(&l[0][..n]);
    let (l1, tail1) = S::as_simd_f64s(&l[1][..n]);
    let (l2, tail2) = S::as_simd_f64s(&l[2][..n]);
    let (l3, tail3) = S::as_simd_f64s(&l[3][..n]);
    for ((((y, &l0), &l1), &l2), &l3) in y_head.iter_mut().zip(l0).zip(l1).zip(l2).zip(l3) {
        let sum = simd.negate_mul_add_e_f64s(factors[0], l0, *y);
        let sum = simd.negate_mul_add_e_f64s(factors[1], l1, sum);
        let sum = simd.negate_mul_add_e_f64s(factors[2], l2, sum);
        *y = simd.negate_mul_add_e_f64s(factors[3], l3, sum);
    }
    for ((((y, &l0), &l1), &l2), &l3) in y_tail.iter_mut().zip(tail0).zip(tail1).zip(tail2).zip(tail3) {
        *y -= (u[0] * l0 + u[1] * l1) + (u[2] * l2 + u[3] * l3);
    }
}

/// A complex column, its real and imaginary parts apart.
pub(super) type Parts<'a> = (&'a [f64], &'a [f64]);

/// [`subtract_column`] for complex numbers.
#[inline(always)]
pub(super) fn subtract_complex_column<S: Simd>(
    simd: S,
    (y_re, y_im): (&mut [f64], &mut [f64]),
    l: Parts<'_>,
    u: (f64, f64),
) {
    let n = y_re.len();
    let factor = (simd.splat_f64s(u.0), simd.splat_f64s(u.1));
    let (re_head, re_tail) = S::as_mut_simd_f64s(y_re);
    let (im_head, im_tail) = S::as_mut_simd_f64s(&mut y_im[..n]);
    let ((l_re, l_re_tail), (l_im, l_im_tail)) = (S::as_simd_f64s(&l.0[..n]), S::as_simd_f64s(&l.1[..n]));
    for (((re, im), &l_re), &l_im) in re_head.iter_mut().zip(im_head).zip(l_re).zip(l_im) {
        (*re, *im) = subtract_product(simd, (*re, *im), (l_re, l_im), factor);
    }
    for (((re, im), &l_re), &l_im) in re_tail.iter_mut().zip(im_tail).zip(l_re_tail).zip(l_im_tail) {
        *re -= u.0 * l_re - u.1 * l_im;
        *im -= u.0 * l_im + u.1 * l_re;
    }
}

/// [`subtract_panel`] for complex numbers, two columns at a time (measured: four take a fifth longer at n = 50).
#[inline(always)]
pub(super) fn subtract_complex_panel<S: Simd>(
    simd: S,
    (y_re, y_im): (&mut [f64], &mut [f64]),
    l: [Parts<'_>; PANEL],
    u: [(f64, f64); PANEL],
) {
    subtract_complex_pair(simd, (y_re, y_im), [l[0], l[1]], [u[0], u[1]]);
    subtract_complex_pair(simd, (y_re, y_im), [l[2], l[3]], [u[2], u[3]]);
}

#[inline(always)]
fn subtract_complex_pair<S: Simd>(
    simd: S,
    (y_re, y_im): (&mut [f64], &mut [f64]),
    l: [Parts<'_>; 2],
    u: [(f64, f64); 2],
) {
    let n = y_re.len();
    let factors = [
        (simd.splat_f64s(u[0].0), simd.splat_f64s(u[0].1)),
        (simd.splat_f64s(u[1].0), simd.splat_f64s(u[1].1)),
    ];
    let (re_head, re_tail) = S::as_mut_simd_f64s(y_re);
    let (im_head, im_tail) = S::as_mut_simd_f64s(&mut y_im[..n]);
    let ((re0, re0_tail), (im0, im0_tail)) = (S::as_simd_f64s(&l[0].0[..n]), S::as_simd_f64s(&l[0].1[..n]));
    let ((re1, re1_tail), (im1, im1_tail)) = (S::as_simd_f64s(&l[1].0[..n]), S::as_simd_f64s(&l[1].1[..n]));
    let head = re_head.iter_mut().zip(im_head).zip(re0).zip(im0).zip(re1).zip(im1);
    for (((((re, im), &re0), &im0), &re1), &im1) in head {
        let sum = subtract_product(simd, (*re, *im), (re0, im0), factors[0]);
        (*re, *im) = subtract_product(simd, sum, (re1, im1), factors[1]);
    }
    let tail = re_tail.iter_mut().zip(im_tail).zip(re0_tail).zip(im0_tail).zip(re1_tail).zip(im1_tail);
    for (((((re, im), &re0), &im0), &re1), &im1) in tail {
        *re -= (u[0].0 * re0 - u[0].1 * im0) + (u[1].0 * re1 - u[1].1 * im1);
        *im -= (u[0].0 * im0 + u[0].1 * re0) + (u[1].0 * im1 + u[1].1 * re1);
    }
}

/// y - l u in vector registers.
#[inline(always)]
fn subtract_product<S: Simd>(
    simd: S,
    (re, im): (S::f64s, S::f64s),
    l: (S::f64s, S::f64s),
    u: (S::f64s, S::f64s),
) -> (S::f64s, S::f64s) {
    let re = simd.negate_mul_add_e_f64s(u.0, l.0, re);
    let im = simd.negate_mul_add_e_f64s(u.0, l.1, im);
    (simd.mul_add_e_f64s(u.1, l.1, re), simd.negate_mul_add_e_f64s(u.1, l.0, im))
}
