use super::{Matrix, Scalar};

/// A matrix factored by Gaussian elimination with partial pivoting.
#[derive(Clone, Debug)]
pub struct Factored<T> {
    triangles: Matrix<T>,
    pivots: Vec<usize>,
}

impl<T: Scalar> Factored<T> {
    /// Factors a square matrix; none when a pivot vanishes.
    pub fn new(matrix: &Matrix<T>) -> Option<Self> {
        let (triangles, pivots) = eliminate(matrix);
        let regular = (0..triangles.rows()).all(|k| triangles[(k, k)].magnitude() > 0.0);
        regular.then_some(Self { triangles, pivots })
    }

    /// The solution x of A x = right.
    pub fn solve(&self, right: &[T]) -> Vec<T> {
        let n = self.pivots.len();
        let mut x = right.to_vec();
        // Rows were exchanged as a whole, multipliers included: all exchanges come first.
        for k in 0..n {
            x.swap(k, self.pivots[k]);
        }
        for k in 0..n {
            for i in k + 1..n {
                x[i] = x[i] - self.triangles[(i, k)] * x[k];
            }
        }
        for k in (0..n).rev() {
            for j in k + 1..n {
                x[k] = x[k] - self.triangles[(k, j)] * x[j];
            }
            x[k] = x[k] / self.triangles[(k, k)];
        }
        x
    }

    /// The inverse.
    pub fn inverse(&self) -> Matrix<T> {
        let n = self.pivots.len();
        let unit = |k: usize| (0..n).map(|i| T::from(if i == k { 1.0 } else { 0.0 })).collect::<Vec<_>>();
        let columns: Vec<Vec<T>> = (0..n).map(|k| self.solve(&unit(k))).collect();
        Matrix::from_fn(n, n, |i, j| columns[j][i])
    }
}

/// The determinant; exactly zero when elimination meets a vanishing column.
pub(crate) fn determinant<T: Scalar>(matrix: &Matrix<T>) -> T {
    let (triangles, pivots) = eliminate(matrix);
    let odd = pivots.iter().enumerate().filter(|&(k, &pivot)| k != pivot).count() % 2 == 1;
    let sign = T::from(if odd { -1.0 } else { 1.0 });
    (0..triangles.rows()).fold(sign, |product, k| product * triangles[(k, k)])
}

/// The rank, by elimination with complete pivoting: pivots below `tolerance` times the largest entry count as zero.
pub(crate) fn rank<T: Scalar>(matrix: &Matrix<T>, tolerance: f64) -> usize {
    let mut work = matrix.clone();
    let threshold = tolerance * matrix.largest();
    let (rows, columns) = (work.rows(), work.columns());
    for step in 0..rows.min(columns) {
        let (mut pivot, mut largest) = ((step, step), 0.0);
        for i in step..rows {
            for j in step..columns {
                if work[(i, j)].magnitude() > largest {
                    (pivot, largest) = ((i, j), work[(i, j)].magnitude());
                }
            }
        }
        if largest <= threshold {
            return step;
        }
        swap_rows(&mut work, step, pivot.0);
        for i in 0..rows {
            let entry = work[(i, step)];
            work[(i, step)] = work[(i, pivot.1)];
            work[(i, pivot.1)] = entry;
        }
        for i in step + 1..rows {
            let factor = work[(i, step)] / work[(step, step)];
            for j in step..columns {
                work[(i, j)] = work[(i, j)] - factor * work[(step, j)];
            }
        }
    }
    rows.min(columns)
}

fn swap_rows<T: Scalar>(matrix: &mut Matrix<T>, i: usize, k: usize) {
    for j in 0..matrix.columns() {
        let entry = matrix[(i, j)];
        matrix[(i, j)] = matrix[(k, j)];
        matrix[(k, j)] = entry;
    }
}

/// Both triangles and the row exchanged with row k in step k. A vanishing column is left as it is.
fn eliminate<T: Scalar>(matrix: &Matrix<T>) -> (Matrix<T>, Vec<usize>) {
    let n = matrix.rows();
    let mut work = matrix.clone();
    let mut pivots = Vec::with_capacity(n);
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if work[(i, k)].magnitude() > work[(pivot, k)].magnitude() {
                pivot = i;
            }
        }
        pivots.push(pivot);
        if work[(pivot, k)].magnitude() == 0.0 {
            continue;
        }
        swap_rows(&mut work, k, pivot);
        for i in k + 1..n {
            let factor = work[(i, k)] / work[(k, k)];
            work[(i, k)] = factor;
            for j in k + 1..n {
                work[(i, j)] = work[(i, j)] - factor * work[(k, j)];
            }
        }
    }
    (work, pivots)
}
