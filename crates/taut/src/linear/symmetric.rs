//! Eigenvalues of small symmetric matrices.

/// Sweeps over all pairs; convergence is quadratic and takes less than ten.
const MOST_SWEEPS: usize = 30;

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix, by Jacobi's rotations (Golub and Van Loan, Matrix
/// Computations, section 8.5): simple, and accurate for small matrices.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricEigen {
    /// from the largest to the smallest
    pub(crate) values: Vec<f64>,
    /// in the same order, one after the other
    pub(crate) vectors: Vec<f64>,
}

impl SymmetricEigen {
    /// Of an n × n matrix, of which both triangles are given.
    pub(crate) fn new(n: usize, matrix: &[f64]) -> Self {
        let mut eigen = SymmetricEigen { values: vec![0.0; n], vectors: vec![0.0; n * n] };
        eigen.find(&mut matrix.to_vec());
        eigen
    }

    /// Of another matrix `a` of the same size, which is used up.
    pub(crate) fn find(&mut self, a: &mut [f64]) {
        let (n, vectors) = (self.values.len(), &mut self.vectors);
        vectors.fill(0.0);
        (0..n).for_each(|i| vectors[i * n + i] = 1.0);
        for _ in 0..MOST_SWEEPS {
            let size = a.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            let mut rotated = false;
            for p in 0..n {
                for q in p + 1..n {
                    if a[p * n + q].abs() > f64::EPSILON * f64::EPSILON * size {
                        rotate(n, a, vectors, p, q);
                        rotated = true;
                    }
                }
            }
            if !rotated {
                break;
            }
        }
        self.values.iter_mut().enumerate().for_each(|(k, value)| *value = a[k * n + k]);
        self.sort();
    }

    /// Sorts by insertion, which keeps the order of equal values.
    fn sort(&mut self) {
        let n = self.values.len();
        for end in 1..n {
            let value = self.values[end];
            let place = self.values[..end].partition_point(|before| before.total_cmp(&value).is_ge());
            self.values[place..=end].rotate_right(1);
            self.vectors[place * n..(end + 1) * n].rotate_right(n);
        }
    }
}

/// Rotates the coordinates p and q so that the entry (p, q) vanishes.
fn rotate(n: usize, a: &mut [f64], vectors: &mut [f64], p: usize, q: usize) {
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turn = |x: &mut [f64], i: usize, j: usize| {
        let (first, second) = (x[i], x[j]);
        x[i] = cosine * first - sine * second;
        x[j] = sine * first + cosine * second;
    };
    for k in 0..n {
        turn(a, k * n + p, k * n + q);
    }
    for k in 0..n {
        turn(a, p * n + k, q * n + k);
        turn(vectors, p * n + k, q * n + k);
    }
    a[p * n + q] = 0.0;
    a[q * n + p] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::SymmetricEigen;
    use crate::linear::testing::deterministic;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(deterministic())]
        #[test]
        fn eigenvectors_are_orthonormal_and_diagonalise(entries in prop::collection::vec(-3.0..3.0_f64, 21)) {
            let n = 6;
            let mut a = vec![0.0; n * n];
            let pairs = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
            for ((i, j), entry) in pairs.zip(entries) {
                (a[i * n + j], a[j * n + i]) = (entry, entry);
            }
            let eigen = SymmetricEigen::new(n, &a);
            prop_assert!(eigen.values.windows(2).all(|pair| pair[0] >= pair[1]));
            let vectors: Vec<&[f64]> = eigen.vectors.chunks(n).collect();
            for (k, x) in vectors.iter().enumerate() {
                for (l, y) in vectors.iter().enumerate() {
                    let product: f64 = x.iter().zip(*y).map(|(x, y)| x * y).sum();
                    prop_assert!((product - f64::from(u8::from(k == l))).abs() < 1e-14);
                }
                for i in 0..n {
                    let image: f64 = (0..n).map(|j| a[i * n + j] * x[j]).sum();
                    prop_assert!((image - eigen.values[k] * x[i]).abs() < 1e-13);
                }
            }
        }
    }
}
