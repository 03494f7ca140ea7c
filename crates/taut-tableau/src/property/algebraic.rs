use crate::Tableau;
use crate::number::{DoubleDouble, Matrix, Scalar};

/// The largest defect of the symplecticness condition b_i a2_ij + b_j a1_ji - b_i b_j = 0 (Jay 1998, (35)) of a
/// partitioned method with the weights b and the matrices A1 for q, A2 for p.
pub fn symplectic_defect(
    b: &[DoubleDouble],
    first: &Matrix<DoubleDouble>,
    second: &Matrix<DoubleDouble>,
) -> f64 {
    symplectic_matrix(b, first, second).largest()
}

/// The matrix (b_i a2_ij + b_j a1_ji - b_i b_j).
fn symplectic_matrix(
    b: &[DoubleDouble],
    first: &Matrix<DoubleDouble>,
    second: &Matrix<DoubleDouble>,
) -> Matrix<DoubleDouble> {
    Matrix::from_fn(b.len(), b.len(), |i, j| b[i] * second[(i, j)] + b[j] * first[(j, i)] - b[i] * b[j])
}

impl Tableau {
    /// The matrix of algebraic stability, m_ij = b_i a_ij + b_j a_ji - b_i b_j (Jay 1998, Definition 6.6).
    pub fn algebraic_stability_matrix(&self) -> Matrix<DoubleDouble> {
        let exact = self.exact();
        symplectic_matrix(&exact.b, &exact.a, &exact.a)
    }

    /// Whether all b_i >= 0 and the matrix of algebraic stability is nonnegative definite; B-stable then.
    pub fn is_algebraically_stable(&self) -> bool {
        self.exact().b.iter().all(|weight| weight.to_f64() >= 0.0)
            && is_nonnegative_definite(&self.algebraic_stability_matrix(), self.tolerance())
    }

    /// Whether the method is symplectic by itself: (35) with one matrix.
    pub fn is_symplectic(&self) -> bool {
        self.algebraic_stability_matrix().largest() <= self.tolerance()
    }
}

/// Symmetric elimination with the largest diagonal entry as pivot; what is left when no pivot remains must vanish.
fn is_nonnegative_definite(matrix: &Matrix<DoubleDouble>, tolerance: f64) -> bool {
    let mut work = matrix.clone();
    let mut left: Vec<usize> = (0..matrix.rows()).collect();
    while !left.is_empty() {
        let place = (0..left.len()).fold(0, |best, k| {
            let diagonal = |place: usize| work[(left[place], left[place])].to_f64();
            if diagonal(k) > diagonal(best) { k } else { best }
        });
        let pivot = left.remove(place);
        if work[(pivot, pivot)].to_f64() <= tolerance {
            left.push(pivot);
            return left.iter().all(|&i| left.iter().all(|&j| work[(i, j)].magnitude() <= tolerance));
        }
        for &i in &left {
            for &j in &left {
                work[(i, j)] = work[(i, j)] - work[(i, pivot)] * work[(pivot, j)] / work[(pivot, pivot)];
            }
        }
    }
    true
}
