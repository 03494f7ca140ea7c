//! Linear combinations of the stages of a step.

use pulp::{Arch, Simd, WithSimd};
use taut_tableau::{MOST_STAGES, Matrix};

/// The entries that are combined together.
const WIDTH: usize = 4;

/// Combines stage vectors with the weights of a Runge-Kutta matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combination {
    arch: Arch,
}

impl Default for Combination {
    fn default() -> Self {
        Combination { arch: Arch::new() }
    }
}

/// Vectors of one length that begin `stride` apart.
#[derive(Clone, Copy)]
pub(crate) struct Stages<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) stride: usize,
}

impl Combination {
    /// yᵢ = scale Σ wᵢⱼ xⱼ, where the yᵢ have the given length and lie close together.
    pub(crate) fn combine(&self, weights: &Matrix, scale: f64, x: Stages<'_>, y: &mut [f64], length: usize) {
        self.arch.dispatch(Combine { weights, scale, x, y, length });
    }
}

struct Combine<'a> {
    weights: &'a Matrix,
    scale: f64,
    x: Stages<'a>,
    y: &'a mut [f64],
    length: usize,
}

impl WithSimd for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { weights, scale, x, y, length } = self;
        if length == 0 {
            return;
        }
        if length < WIDTH {
            for (i, y) in y.chunks_exact_mut(length).enumerate().take(weights.rows()) {
                for (k, y) in y.iter_mut().enumerate() {
                    let terms = weights.row(i).iter().zip(x.values.chunks_exact(x.stride));
                    *y = scale * terms.fold(0.0, |sum, (w, x)| sum + w * x[k]);
                }
            }
            return;
        }
        let mut blocks = [[0.0; WIDTH]; MOST_STAGES];
        let mut start = 0;
        loop {
            for (block, x) in blocks.iter_mut().zip(x.values.chunks_exact(x.stride)) {
                block.copy_from_slice(&x[start..start + WIDTH]);
            }
            for (i, y) in y.chunks_exact_mut(length).enumerate().take(weights.rows()) {
                let mut sum = [0.0; WIDTH];
                for (w, block) in weights.row(i).iter().zip(&blocks) {
                    for lane in 0..WIDTH {
                        sum[lane] += w * block[lane];
                    }
                }
                for (y, sum) in y[start..start + WIDTH].iter_mut().zip(sum) {
                    *y = scale * sum;
                }
            }
            if start + WIDTH >= length {
                return;
            }
            // The last entries are combined twice where the width does not divide the length.
            start = (start + WIDTH).min(length - WIDTH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_of_every_length_are_the_sums() {
        let weights = Matrix::from_fn(3, 3, |i, j| (1 + i) as f64 - 0.5 * j as f64);
        for length in 0..12 {
            let stride = length + 2;
            let x: Vec<f64> = (0..3 * stride).map(|k| (k as f64).sin()).collect();
            let mut y = vec![f64::NAN; 3 * length];
            let stages = Stages { values: &x, stride };
            Combination::default().combine(&weights, 2.0, stages, &mut y, length);
            for (i, k) in (0..3).flat_map(|i| (0..length).map(move |k| (i, k))) {
                let sum: f64 = (0..3).map(|j| weights[(i, j)] * x[j * stride + k]).sum();
                assert!((y[i * length + k] - 2.0 * sum).abs() < 1e-14, "{i} {k} of {length}");
            }
        }
    }
}
