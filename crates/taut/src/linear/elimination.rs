//! Dense elimination in numbers of any type.

use taut_formula::number::Scalar;

/// A matrix, factored with row exchanges.
#[derive(Clone, Debug)]
pub(crate) struct Elimination<N> {
    size: usize,
    /// row by row; below the diagonal the multipliers
    entries: Vec<N>,
    exchanges: Vec<usize>,
}

impl<N: Scalar> Elimination<N> {
    pub(crate) fn new(size: usize) -> Self {
        Elimination { size, entries: vec![N::zero(); size * size], exchanges: vec![0; size] }
    }

    /// Sets all entries to zero.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(N::zero());
    }

    pub(crate) fn entry(&mut self, i: usize, j: usize) -> &mut N {
        &mut self.entries[i * self.size + j]
    }

    /// Factors; false when there is no pivot.
    pub(crate) fn factor(&mut self) -> bool {
        let n = self.size;
        for k in 0..n {
            let size = |i: usize| self.entries[i * n + k].value().abs();
            let pivot = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            // What is not a number is no pivot either.
            let usable = size(pivot) > 0.0;
            if !usable {
                return false;
            }
            self.exchanges[k] = pivot;
            for j in 0..n {
                self.entries.swap(k * n + j, pivot * n + j);
            }
            for i in k + 1..n {
                let factor = self.entries[i * n + k] / self.entries[k * n + k];
                self.entries[i * n + k] = factor;
                if factor.value() == 0.0 {
                    continue;
                }
                for j in k + 1..n {
                    let change = factor * self.entries[k * n + j];
                    self.entries[i * n + j] -= change;
                }
            }
        }
        true
    }

    /// Replaces a right-hand side by the solution.
    pub(crate) fn solve(&self, x: &mut [N]) {
        let n = self.size;
        for k in 0..n {
            x.swap(k, self.exchanges[k]);
        }
        for i in 0..n {
            let below = (0..i).fold(x[i], |sum, j| sum - self.entries[i * n + j] * x[j]);
            x[i] = below;
        }
        for i in (0..n).rev() {
            let above = (i + 1..n).fold(x[i], |sum, j| sum - self.entries[i * n + j] * x[j]);
            x[i] = above / self.entries[i * n + i];
        }
    }
}
