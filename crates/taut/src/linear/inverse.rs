//! The inverse of a small saddle matrix, for those who solve with it many times.

use pulp::{Arch, Simd, WithSimd};

use super::Saddle;
use super::dense::blocks::BLOCK;

/// The most pieces of a column.
pub(super) const MOST_PIECES: usize = 6;
type Piece = [f64; BLOCK];

/// A⁻¹, column by column in pieces. It costs about as much as a quarter of n + m solutions, of symmetric matrices less, and a
/// product with it much less than a solution.
#[derive(Clone, Debug)]
pub(crate) struct Inverse {
    size: usize,
    /// how many pieces a column has
    pieces: usize,
    columns: Vec<Piece>,
    /// unit vectors and solutions
    scratch: Vec<f64>,
    arch: Arch,
}

impl Inverse {
    /// Room for the inverse of matrices of a size; nothing where solutions are cheaper.
    pub(crate) fn new(size: usize) -> Option<Self> {
        let pieces = size.div_ceil(BLOCK);
        (1..=MOST_PIECES).contains(&pieces).then(|| Inverse {
            size,
            pieces,
            columns: vec![[0.0; BLOCK]; size * pieces],
            scratch: vec![0.0; size * size],
            arch: Arch::new(),
        })
    }

    /// Finds the inverse of a matrix that was factored.
    pub(crate) fn find(&mut self, saddle: &Saddle) {
        // It is symmetric then: rows are columns.
        if saddle.invert(self.pieces, &mut self.columns) {
            return;
        }
        self.scratch.fill(0.0);
        for entry in self.scratch.iter_mut().step_by(self.size + 1) {
            *entry = 1.0;
        }
        for together in self.scratch.chunks_mut(BLOCK * self.size) {
            saddle.solve_together(together);
        }
        let columns = self.columns.chunks_exact_mut(self.pieces);
        for (column, solution) in columns.zip(self.scratch.chunks_exact(self.size)) {
            column.as_flattened_mut()[..self.size].copy_from_slice(solution);
        }
    }

    /// Replaces a right-hand side by the solution.
    pub(crate) fn multiply(&self, x: &mut [f64]) {
        self.arch.dispatch(Product { inverse: self, x });
    }
}

struct Product<'a> {
    inverse: &'a Inverse,
    x: &'a mut [f64],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        match self.inverse.pieces {
            1 => self.multiply::<1>(),
            2 => self.multiply::<2>(),
            3 => self.multiply::<3>(),
            4 => self.multiply::<4>(),
            5 => self.multiply::<5>(),
            _ => self.multiply::<MOST_PIECES>(),
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn multiply<const P: usize>(self) {
        let mut sums = [[0.0; BLOCK]; P];
        for (column, x) in self.inverse.columns.as_chunks::<P>().0.iter().zip(&*self.x) {
            for (sum, piece) in sums.iter_mut().zip(column) {
                for (sum, entry) in sum.iter_mut().zip(piece) {
                    *sum = entry.mul_add(*x, *sum);
                }
            }
        }
        self.x.copy_from_slice(&sums.as_flattened()[..self.inverse.size]);
    }
}

#[cfg(test)]
mod tests {
    use super::Inverse;
    use crate::linear::testing::{assert_close, pairs_of_bodies, solve_dense, values_of_pairs, vector};
    use crate::linear::{Blocks, Choice, Saddle, Scales};

    #[test]
    fn products_are_solutions_for_all_sizes() {
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };
        for pairs in 1..=6 {
            let pattern = pairs_of_bodies(pairs, false);
            let (mass, jacobian, _) = values_of_pairs(&pattern, &[0.1, -0.2, 0.3, 0.7, -0.6]);
            let blocks = Blocks {
                mass: &mass,
                damping: &[],
                stiffness: &[],
                jacobian: &jacobian,
                compliance: &[],
                relaxation: &[],
            };
            let expected = solve_dense(&pattern, &blocks, scales, &vector(pattern.size()));
            for mut saddle in
                [Saddle::symmetric(&pattern, Choice::Auto), Saddle::new(&pattern, Choice::Dense)]
            {
                saddle.assemble_and_factor(&blocks, scales).unwrap();
                let (mut inverse, mut x) = (Inverse::new(pattern.size()).unwrap(), vector(pattern.size()));
                inverse.find(&saddle);
                inverse.multiply(&mut x);
                assert_close(&x, &expected);
            }
        }
        assert!(Inverse::new(0).is_none() && Inverse::new(25).is_none());
    }
}
