//! The inner loops of large matrices: a column minus a multiple of another.
//!
//! No closures in here and no array methods that take them: those of earlier versions stayed calls of their own inside
//! the loops. What a vector register does not divide is left to plain loops, since masked loads are calls too.

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
