//! Dense LU factorisation with partial pivoting, real and complex.
//!
//! The matrices of a step are small and factored often, so the elimination is our own up to
//! 64 unknowns (measured against faer: equal at 65, a fifth behind at 100, half at 200); beyond, the factors come from
//! faer, whose matrix products win there.

pub(super) mod blocks;
mod entry;
mod kernel;
mod large;
mod lu;
#[cfg(test)]
mod tests;

pub use lu::{ComplexDenseLu, DenseLu};

/// Turns "position i holds old row `permutation[i]`" into the exchanges (i, swaps[i]), i ascending, which have the
/// same effect and need no second vector.
fn exchanges_of(permutation: &[usize], swaps: &mut [usize]) {
    for i in 0..permutation.len() {
        let mut row = permutation[i];
        while row < i {
            row = swaps[row];
        }
        swaps[i] = row;
    }
}

/// The exchanges (i, swaps[i]), i ascending.
#[inline(always)]
fn exchange(column: &mut [f64], swaps: &[usize]) {
    for (i, &row) in swaps.iter().enumerate() {
        column.swap(i, row);
    }
}
