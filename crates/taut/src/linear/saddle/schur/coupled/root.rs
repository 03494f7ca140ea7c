//! Roots of definite blocks of four.

use super::{MOST, Numbers};
use crate::linear::ordered::PivotBounds;

/// The halves of a register are added first.
#[inline(always)]
pub(super) fn product(a: &Numbers, b: &Numbers) -> f64 {
    (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])
}

/// Replaces the lower half of a definite matrix by its root, with the reciprocals of the diagonal, and 1 beyond `size`.
#[inline(always)]
pub(super) fn take_root(matrix: &mut [Numbers; MOST], size: usize) -> bool {
    for j in 0..MOST {
        if j >= size {
            matrix[j][j] = 1.0;
            continue;
        }
        let reference = matrix[j][j];
        let mut pivot = reference;
        for k in 0..j {
            pivot -= matrix[j][k] * matrix[j][k];
        }
        if !PivotBounds::COORDINATES.permit(pivot, reference) {
            return false;
        }
        let reciprocal = 1.0 / pivot.sqrt();
        matrix[j][j] = reciprocal;
        for i in j + 1..MOST {
            let mut rest = matrix[i][j];
            for k in 0..j {
                rest -= matrix[i][k] * matrix[j][k];
            }
            matrix[i][j] = rest * reciprocal;
        }
    }
    true
}

/// The columns of R⁻¹, of a root with the reciprocals of its diagonal.
#[inline(always)]
pub(super) fn invert(root: &[Numbers; MOST]) -> [Numbers; MOST] {
    let mut columns = [[0.0; MOST]; MOST];
    for j in 0..MOST {
        columns[j][j] = root[j][j];
        for i in j + 1..MOST {
            let mut rest = 0.0;
            for k in j..i {
                rest -= root[i][k] * columns[j][k];
            }
            columns[j][i] = rest * root[i][i];
        }
    }
    columns
}

/// R⁻¹b
#[inline(always)]
pub(super) fn forward(columns: &[Numbers; MOST], b: &Numbers) -> Numbers {
    let mut y = [0.0; MOST];
    for k in 0..MOST {
        for i in 0..MOST {
            y[i] += columns[k][i] * b[k];
        }
    }
    y
}
