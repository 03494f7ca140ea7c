//! The inner loops: a column minus a combination of columns.

use pulp::Simd;

/// y -= sum over w of `factors[w]` `columns[w]`.
#[inline(always)]
pub(super) fn subtract<S: Simd, const W: usize>(
    simd: S,
    y: &mut [f64],
    columns: [&[f64]; W],
    factors: [f64; W],
) {
    let factors = factors.map(|u| simd.splat_f64s(-u));
    let (y_head, y_tail) = S::as_mut_simd_f64s(y);
    let columns = columns.map(|column| S::as_simd_f64s(column));
    let heads = columns.map(|(head, _)| &head[..y_head.len()]);
    for (i, y) in y_head.iter_mut().enumerate() {
        let mut sum = *y;
        for w in 0..W {
            sum = simd.mul_add_e_f64s(factors[w], heads[w][i], sum);
        }
        *y = sum;
    }
    if !y_tail.is_empty() {
        let mut sum = simd.partial_load_f64s(y_tail);
        for w in 0..W {
            sum = simd.mul_add_e_f64s(factors[w], simd.partial_load_f64s(columns[w].1), sum);
        }
        simd.partial_store_f64s(y_tail, sum);
    }
}

/// The complex form of [`subtract`], real and imaginary parts apart.
#[inline(always)]
pub(super) fn subtract_complex<S: Simd, const W: usize>(
    simd: S,
    (y_re, y_im): (&mut [f64], &mut [f64]),
    columns: [(&[f64], &[f64]); W],
    factors: [(f64, f64); W],
) {
    let minus_re = factors.map(|u| simd.splat_f64s(-u.0));
    let plus_im = factors.map(|u| simd.splat_f64s(u.1));
    let minus_im = factors.map(|u| simd.splat_f64s(-u.1));
    let ((re_head, re_tail), (im_head, im_tail)) = (S::as_mut_simd_f64s(y_re), S::as_mut_simd_f64s(y_im));
    let im_head = &mut im_head[..re_head.len()];
    let columns = columns.map(|(re, im)| (S::as_simd_f64s(re), S::as_simd_f64s(im)));
    let heads = columns.map(|((re, _), (im, _))| (&re[..re_head.len()], &im[..re_head.len()]));
    let combine = |w: usize, l_re: S::f64s, l_im: S::f64s, re: S::f64s, im: S::f64s| {
        let re = simd.mul_add_e_f64s(minus_re[w], l_re, re);
        let im = simd.mul_add_e_f64s(minus_re[w], l_im, im);
        (simd.mul_add_e_f64s(plus_im[w], l_im, re), simd.mul_add_e_f64s(minus_im[w], l_re, im))
    };
    for i in 0..re_head.len() {
        let (mut re, mut im) = (re_head[i], im_head[i]);
        for w in 0..W {
            (re, im) = combine(w, heads[w].0[i], heads[w].1[i], re, im);
        }
        (re_head[i], im_head[i]) = (re, im);
    }
    if !re_tail.is_empty() {
        let (mut re, mut im) = (simd.partial_load_f64s(re_tail), simd.partial_load_f64s(im_tail));
        for w in 0..W {
            let l_re = simd.partial_load_f64s(columns[w].0.1);
            let l_im = simd.partial_load_f64s(columns[w].1.1);
            (re, im) = combine(w, l_re, l_im, re, im);
        }
        simd.partial_store_f64s(re_tail, re);
        simd.partial_store_f64s(im_tail, im);
    }
}
