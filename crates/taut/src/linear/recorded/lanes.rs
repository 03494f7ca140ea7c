//! The same entry of several complex matrices.

use crate::linear::Complex;
use crate::linear::saddle::Factor;
use pulp::Simd;

/// As many matrices go together as the widest vector registers in use hold numbers.
pub(in crate::linear) const LANES: usize = 4;

/// One entry of each of [`LANES`] complex matrices, so that one elimination serves all eigenvalues of a Runge-Kutta matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::linear) struct Lanes {
    pub(in crate::linear) re: [f64; LANES],
    pub(in crate::linear) im: [f64; LANES],
}

impl Lanes {
    /// The same number in each matrix.
    pub(in crate::linear) fn splat(z: Complex) -> Self {
        Self { re: [z.re; LANES], im: [z.im; LANES] }
    }

    /// Sets the number of one matrix.
    pub(in crate::linear) fn set(&mut self, lane: usize, z: Complex) {
        (self.re[lane], self.im[lane]) = (z.re, z.im);
    }
}

impl Factor for Lanes {
    #[inline(always)]
    fn relaxed(self, beta: Self, relaxation: f64) -> Self {
        let mut divisor = Self::from_real(1.0);
        divisor.add_scaled(&beta.times(&self), relaxation);
        self.times(&divisor.reciprocal())
    }
}

impl Lanes {
    /// 0 in each.
    pub(super) const ZERO: Self = Self { re: [0.0; LANES], im: [0.0; LANES] };

    /// A real number.
    #[inline(always)]
    pub(super) fn from_real(x: f64) -> Self {
        Self { re: [x; LANES], im: [0.0; LANES] }
    }

    /// Adds scale x.
    #[inline(always)]
    pub(super) fn add_scaled(&mut self, scale: &Self, x: f64) {
        for lane in 0..LANES {
            self.re[lane] += scale.re[lane] * x;
            self.im[lane] += scale.im[lane] * x;
        }
    }

    /// |re| + |im|
    #[inline(always)]
    pub(super) fn size(&self) -> [f64; LANES] {
        let mut size = [0.0; LANES];
        for lane in 0..LANES {
            size[lane] = self.re[lane].abs() + self.im[lane].abs();
        }
        size
    }

    /// 1 over each.
    #[inline(always)]
    pub(super) fn reciprocal(&self) -> Self {
        let mut reciprocal = Self::ZERO;
        for lane in 0..LANES {
            let square = self.re[lane] * self.re[lane] + self.im[lane] * self.im[lane];
            (reciprocal.re[lane], reciprocal.im[lane]) = (self.re[lane] / square, -self.im[lane] / square);
        }
        reciprocal
    }

    /// The sum of the products of all parts.
    #[inline(always)]
    pub(super) fn dot<S: Simd>(&self, simd: S, other: &Self) -> f64 {
        let (re, im) = (S::as_simd_f64s(&self.re).0, S::as_simd_f64s(&self.im).0);
        let (other_re, other_im) = (S::as_simd_f64s(&other.re).0, S::as_simd_f64s(&other.im).0);
        let mut sum = simd.splat_f64s(0.0);
        for k in 0..re.len() {
            sum = simd.mul_add_e_f64s(im[k], other_im[k], simd.mul_add_e_f64s(re[k], other_re[k], sum));
        }
        simd.reduce_sum_f64s(sum)
    }

    /// self - scale x
    #[inline(always)]
    pub(super) fn minus_scaled<S: Simd>(&mut self, simd: S, scale: &Self, x: f64) {
        let x = simd.splat_f64s(x);
        let (re, im) = (S::as_mut_simd_f64s(&mut self.re).0, S::as_mut_simd_f64s(&mut self.im).0);
        let (scale_re, scale_im) = (S::as_simd_f64s(&scale.re).0, S::as_simd_f64s(&scale.im).0);
        for k in 0..re.len() {
            re[k] = simd.negate_mul_add_e_f64s(scale_re[k], x, re[k]);
            im[k] = simd.negate_mul_add_e_f64s(scale_im[k], x, im[k]);
        }
    }

    /// The products.
    #[inline(always)]
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::ZERO;
        for lane in 0..LANES {
            product.re[lane] = self.re[lane] * other.re[lane] - self.im[lane] * other.im[lane];
            product.im[lane] = self.re[lane] * other.im[lane] + self.im[lane] * other.re[lane];
        }
        product
    }

    /// self - l u
    #[inline(always)]
    pub(super) fn minus_product<S: Simd>(mut self, simd: S, l: &Self, u: &Self) -> Self {
        let (re, im) = (S::as_mut_simd_f64s(&mut self.re).0, S::as_mut_simd_f64s(&mut self.im).0);
        let (l_re, l_im) = (S::as_simd_f64s(&l.re).0, S::as_simd_f64s(&l.im).0);
        let (u_re, u_im) = (S::as_simd_f64s(&u.re).0, S::as_simd_f64s(&u.im).0);
        for k in 0..re.len() {
            let real = simd.negate_mul_add_e_f64s(l_re[k], u_re[k], re[k]);
            let imaginary = simd.negate_mul_add_e_f64s(l_re[k], u_im[k], im[k]);
            re[k] = simd.mul_add_e_f64s(l_im[k], u_im[k], real);
            im[k] = simd.negate_mul_add_e_f64s(l_im[k], u_re[k], imaginary);
        }
        self
    }
}
