//! The inverse of a small saddle matrix, for those who solve with it many times.

use super::Saddle;
use super::dense::blocks::BLOCK;

/// The most pieces of a column.
pub(crate) const MOST_PIECES: usize = 6;
/// The entries of a piece.
pub(crate) const PIECE: usize = BLOCK;
type Piece = [f64; PIECE];

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

    /// The entries on the diagonal from a row on.
    pub(crate) fn diagonal(&self, first: usize) -> impl Iterator<Item = f64> + '_ {
        let columns = self.columns.chunks_exact(self.pieces).enumerate().skip(first);
        columns.map(|(i, column)| column.as_flattened()[i])
    }

    /// How many pieces a solution has.
    pub(crate) fn pieces(&self) -> usize {
        self.pieces
    }

    /// Replaces a right-hand side by the solution; a b + c is what it is told.
    #[inline(always)]
    pub(crate) fn multiply(&self, x: &mut [f64], multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy) {
        match self.pieces {
            1 => self.replace::<1>(x, multiply_add),
            2 => self.replace::<2>(x, multiply_add),
            3 => self.replace::<3>(x, multiply_add),
            4 => self.replace::<4>(x, multiply_add),
            5 => self.replace::<5>(x, multiply_add),
            _ => self.replace::<MOST_PIECES>(x, multiply_add),
        }
    }

    #[inline(always)]
    fn replace<const P: usize>(&self, x: &mut [f64], multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy) {
        let mut sums = [[0.0; BLOCK]; P];
        self.add_products(0, x.iter().copied(), &mut sums, multiply_add);
        for (x, sum) in x.iter_mut().zip(sums.as_flattened()) {
            *x = *sum;
        }
    }

    /// Adds the products of columns, from one on, with the numbers of a right-hand side; a column has P pieces.
    #[inline(always)]
    pub(crate) fn add_products<const P: usize>(
        &self,
        first: usize,
        x: impl Iterator<Item = f64>,
        sums: &mut [[f64; BLOCK]; P],
        multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy,
    ) {
        for (column, x) in self.columns.as_chunks::<P>().0[first..].iter().zip(x) {
            for (sum, piece) in sums.iter_mut().zip(column) {
                for (sum, entry) in sum.iter_mut().zip(piece) {
                    *sum = multiply_add(*entry, x, *sum);
                }
            }
        }
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
                inverse.multiply(&mut x, f64::mul_add);
                assert_close(&x, &expected);
            }
        }
        assert!(Inverse::new(0).is_none() && Inverse::new(25).is_none());
    }
}
