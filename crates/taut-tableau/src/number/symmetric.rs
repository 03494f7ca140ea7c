use super::Matrix;

/// The eigenvalues of a symmetric matrix in ascending order, by Jacobi's rotations.
pub(crate) fn symmetric_eigenvalues(matrix: &Matrix) -> Vec<f64> {
    let n = matrix.rows();
    let mut work = matrix.clone();
    // The off-diagonal part falls quadratically; ten sweeps are more than any matrix of this size has needed.
    for _sweep in 0..10 {
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut work, p, q);
            }
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| work[(i, i)]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// One rotation in the plane (p, q) that annihilates the entry (p, q).
fn rotate(work: &mut Matrix, p: usize, q: usize) {
    if work[(p, q)] == 0.0 {
        return;
    }
    let cotangent = (work[(q, q)] - work[(p, p)]) / (2.0 * work[(p, q)]);
    let tangent = cotangent.signum() / (cotangent.abs() + cotangent.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for k in 0..work.rows() {
        let (x, y) = (work[(k, p)], work[(k, q)]);
        work[(k, p)] = cosine * x - sine * y;
        work[(k, q)] = sine * x + cosine * y;
    }
    for k in 0..work.rows() {
        let (x, y) = (work[(p, k)], work[(q, k)]);
        work[(p, k)] = cosine * x - sine * y;
        work[(q, k)] = sine * x + cosine * y;
    }
}
