//! Linear combinations of the stages of a step.

use pulp::{Arch, Simd, WithSimd};
use taut_tableau::{MOST_STAGES, Matrix};

/// The entries that are combined together.
const WIDTH: usize = 4;
/// Those of long vectors.
const LONG: usize = 16;

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

impl<'a> Stages<'a> {
    /// So many vectors of W entries, where nothing lies between them.
    #[inline(always)]
    fn close_together<const W: usize, const STAGES: usize>(&self) -> Option<&'a [[f64; W]; STAGES]> {
        self.values.as_chunks::<W>().0.first_chunk().filter(|_| self.stride == W)
    }
}

/// scale Σ wⱼ xⱼ
#[inline(always)]
fn weighted_sum<const W: usize, const STAGES: usize>(
    weights: &[f64; STAGES],
    scale: f64,
    x: &[[f64; W]; STAGES],
) -> [f64; W] {
    let mut sum = [0.0; W];
    for (w, x) in weights.iter().zip(x) {
        for lane in 0..W {
            sum[lane] += w * x[lane];
        }
    }
    sum.map(|sum| scale * sum)
}

impl Combination {
    /// yᵢ = scale Σ wᵢⱼ xⱼ, where the yᵢ have the given length and lie close together.
    pub(crate) fn combine(&self, weights: &Matrix, scale: f64, x: Stages<'_>, y: &mut [f64], length: usize) {
        self.combine_rows(weights.as_slice(), weights.columns(), scale, x, y, length);
    }

    /// The same with weights that are given row by row.
    pub(crate) fn combine_rows(
        &self,
        weights: &[f64],
        columns: usize,
        scale: f64,
        x: Stages<'_>,
        y: &mut [f64],
        length: usize,
    ) {
        let combine = Combine { weights, columns, scale, x, y, length };
        // Fewer entries do not fill wide registers.
        match length {
            0 => {}
            _ if length >= LONG || columns > MOST_STAGES => self.combine_row_by_row(combine),
            1 => combine.of_stages::<1>(),
            2 => combine.of_stages::<2>(),
            _ => self.arch.dispatch(combine),
        }
    }

    #[inline(never)]
    fn combine_row_by_row(&self, combine: Combine<'_>) {
        self.arch.dispatch(RowByRow(combine));
    }

    /// y = start + scale Σ wⱼ xⱼ for as many entries as the vectors xⱼ have, which lie close together.
    pub(crate) fn add(&self, start: &[f64], scale: f64, weights: &[f64], x: Stages<'_>, y: &mut [f64]) {
        self.arch.dispatch(Add { start, scale, weights, x, y });
    }
}

struct Add<'a> {
    start: &'a [f64],
    scale: f64,
    weights: &'a [f64],
    x: Stages<'a>,
    y: &'a mut [f64],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        match self.x.stride {
            0 => {}
            1 => self.by::<1>(),
            2 => self.by::<2>(),
            3 => self.by::<3>(),
            _ => self.by::<WIDTH>(),
        }
    }
}

impl Add<'_> {
    /// W entries together; W is not larger than the length.
    #[inline(always)]
    fn by<const W: usize>(self) {
        let length = self.x.stride;
        let mut from = 0;
        loop {
            let mut sum = [0.0; W];
            for (w, x) in self.weights.iter().zip(self.x.values.chunks_exact(length)) {
                let x = &x[from..from + W];
                for lane in 0..W {
                    sum[lane] += w * x[lane];
                }
            }
            let known = &self.start[from..from + W];
            for (lane, y) in self.y[from..from + W].iter_mut().enumerate() {
                *y = known[lane] + self.scale * sum[lane];
            }
            if from + W >= length {
                return;
            }
            // The last entries are computed twice where the width does not divide the length.
            from = (from + W).min(length - W);
        }
    }
}

struct Combine<'a> {
    /// row by row
    weights: &'a [f64],
    columns: usize,
    scale: f64,
    x: Stages<'a>,
    y: &'a mut [f64],
    length: usize,
}

impl WithSimd for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        match self.length {
            3 => self.of_stages::<3>(),
            _ => self.of_stages::<WIDTH>(),
        }
    }
}

impl Combine<'_> {
    /// The numbers of stages of Radau IIA are known when this is compiled.
    #[inline(always)]
    fn of_stages<const W: usize>(self) {
        match self.columns {
            2 => self.of::<W, 2>(),
            3 => self.of::<W, 3>(),
            5 => self.of::<W, 5>(),
            7 => self.of::<W, 7>(),
            _ => self.by::<W>(),
        }
    }

    /// W entries of a known number of stages together: nothing is left to loop over but rows.
    #[inline(always)]
    fn of<const W: usize, const STAGES: usize>(self) {
        let Self { weights, scale, x, y, length, .. } = self;
        let (rows, _) = weights.as_chunks::<STAGES>();
        if let Some(blocks) = x.close_together().filter(|_| length == W) {
            for (row, y) in rows.iter().zip(y.as_chunks_mut::<W>().0) {
                *y = weighted_sum(row, scale, blocks);
            }
            return;
        }
        let stages: [&[f64]; STAGES] = std::array::from_fn(|j| &x.values[j * x.stride..][..length]);
        let mut start = 0;
        loop {
            let blocks: [[f64; W]; STAGES] = std::array::from_fn(|j| {
                let mut block = [0.0; W];
                block.copy_from_slice(&stages[j][start..start + W]);
                block
            });
            for (row, y) in rows.iter().zip(y.chunks_exact_mut(length)) {
                y[start..start + W].copy_from_slice(&weighted_sum(row, scale, &blocks));
            }
            if start + W >= length {
                return;
            }
            start = (start + W).min(length - W);
        }
    }

    /// W entries together; W is not larger than the length.
    #[inline(always)]
    fn by<const W: usize>(self) {
        let Self { weights, columns, scale, x, y, length } = self;
        let mut blocks = [[0.0; W]; MOST_STAGES];
        let mut start = 0;
        loop {
            for (block, x) in blocks.iter_mut().zip(x.values.chunks_exact(x.stride)) {
                block.copy_from_slice(&x[start..start + W]);
            }
            for (row, y) in weights.chunks_exact(columns).zip(y.chunks_exact_mut(length)) {
                let mut sum = [0.0; W];
                for (w, block) in row.iter().zip(&blocks) {
                    for lane in 0..W {
                        sum[lane] += w * block[lane];
                    }
                }
                for (y, sum) in y[start..start + W].iter_mut().zip(sum) {
                    *y = scale * sum;
                }
            }
            if start + W >= length {
                return;
            }
            // The last entries are combined twice where the width does not divide the length.
            start = (start + W).min(length - W);
        }
    }
}

/// Long vectors, of which many entries are combined together, or more vectors than a method has stages.
struct RowByRow<'a>(Combine<'a>);

impl WithSimd for RowByRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        match self.0.length {
            0 => {}
            LONG.. => self.by::<LONG>(),
            _ => self.by::<1>(),
        }
    }
}

impl RowByRow<'_> {
    /// W entries together; W is not larger than the length.
    #[inline(always)]
    fn by<const W: usize>(self) {
        let Combine { weights, columns, scale, x, y, length } = self.0;
        for (row, y) in weights.chunks_exact(columns).zip(y.chunks_exact_mut(length)) {
            let mut start = 0;
            loop {
                let mut sum = [0.0; W];
                for (j, w) in row.iter().enumerate() {
                    let block = &x.values[j * x.stride + start..][..W];
                    for lane in 0..W {
                        sum[lane] += w * block[lane];
                    }
                }
                for (y, sum) in y[start..start + W].iter_mut().zip(sum) {
                    *y = scale * sum;
                }
                if start + W >= length {
                    break;
                }
                // The last entries are combined twice where the width does not divide the length.
                start = (start + W).min(length - W);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weighted_sum_of_every_length_is_added() {
        let weights = [0.5, -2.0, 3.0];
        for length in 0..12 {
            let x: Vec<f64> = (0..3 * length).map(|k| (k as f64).sin()).collect();
            let start: Vec<f64> = (0..length + 1).map(|k| (k as f64).cos()).collect();
            let mut y = vec![7.0; length + 1];
            let stages = Stages { values: &x, stride: length };
            Combination::default().add(&start, 0.3, &weights, stages, &mut y);
            for k in 0..length {
                let sum: f64 = (0..3).map(|j| weights[j] * x[j * length + k]).sum();
                assert!((y[k] - (start[k] + 0.3 * sum)).abs() < 1e-14, "{k} of {length}");
            }
            assert_eq!(y[length], 7.0);
        }
    }

    #[test]
    fn combinations_of_every_length_are_the_sums() {
        let cases =
            [1, 2, 3, 4, 5, 7, MOST_STAGES + 1].into_iter().flat_map(|c| (0..40).map(move |l| (c, l)));
        for (columns, length) in cases {
            let weights = Matrix::from_fn(3, columns, |i, j| (1 + i) as f64 - 0.5 * j as f64);
            let stride = length + 2;
            let x: Vec<f64> = (0..columns * stride).map(|k| (k as f64).sin()).collect();
            let mut y = vec![f64::NAN; 3 * length];
            let vectors = Stages { values: &x, stride };
            Combination::default().combine(&weights, 2.0, vectors, &mut y, length);
            for (i, k) in (0..3).flat_map(|i| (0..length).map(move |k| (i, k))) {
                let sum: f64 = (0..columns).map(|j| weights[(i, j)] * x[j * stride + k]).sum();
                assert!(
                    (y[i * length + k] - 2.0 * sum).abs() < 1e-12,
                    "{i} {k} of {length}, {columns} vectors"
                );
            }
        }
    }
}
