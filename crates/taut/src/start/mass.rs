//! Whether masses are masses.

use super::error::StartError;
use crate::system::MechanicalSystem;

/// A pivot below this share of the diagonal is rounding: the matrix is singular there, which constraints may mend.
const ROUNDING: f64 = 1e-10;
/// Larger matrices are looked at on their diagonal only.
const MOST_COORDINATES: usize = 300;

/// Refuses a mass matrix with a negative direction; whether it is singular.
///
/// By elimination in the order of the largest pivots on the diagonal, which finds such a direction in any symmetric matrix that
/// is not positive semidefinite.
pub(crate) fn check_mass(system: &dyn MechanicalSystem, q: &[f64]) -> Result<bool, StartError> {
    if !system.has_positive_mass() {
        return Ok(false);
    }
    let structure = system.structure();
    let n = structure.n();
    let mut values = vec![0.0; structure.mass.nnz()];
    system.mass(q, &mut values)?;
    let refuse = |coordinate: usize, value: f64| -> Result<bool, StartError> {
        Err(StartError::IndefiniteMass { coordinate: structure.coordinates[coordinate].clone(), value })
    };
    let diagonal = || structure.mass.entries().zip(&values).filter(|((i, j), _)| i == j);
    if let Some(((i, _), value)) = diagonal().find(|(_, value)| **value < 0.0) {
        return refuse(i, *value);
    }
    if n > MOST_COORDINATES || structure.mass.entries().all(|(i, j)| i == j) {
        return Ok(diagonal().filter(|(_, value)| **value > 0.0).count() < n);
    }
    let mut matrix = vec![0.0; n * n];
    for ((i, j), value) in structure.mass.entries().zip(&values) {
        matrix[i + j * n] = *value;
    }
    let scale: Vec<f64> = (0..n).map(|k| matrix[k + k * n].max(f64::MIN_POSITIVE)).collect();
    if is_plainly_positive(&mut matrix.clone(), n, &scale) {
        return Ok(false);
    }
    let mut left: Vec<usize> = (0..n).collect();
    while !left.is_empty() {
        let share = |k: usize| matrix[k + k * n] / scale[k];
        if let Some(&k) = left.iter().find(|&&k| share(k) < -ROUNDING) {
            return refuse(k, matrix[k + k * n]);
        }
        let place = (0..left.len()).max_by(|&x, &y| share(left[x]).total_cmp(&share(left[y]))).unwrap_or(0);
        let pivot = left.swap_remove(place);
        if share(pivot) <= ROUNDING {
            let indefinite = check_rest(&matrix, &left, pivot, n, &scale);
            return indefinite.map_or(Ok(true), |(k, value)| refuse(k, value));
        }
        for &j in &left {
            let factor = matrix[pivot + j * n] / matrix[pivot + pivot * n];
            // Few coordinates share mass.
            if factor == 0.0 {
                continue;
            }
            for &i in &left {
                matrix[i + j * n] -= matrix[i + pivot * n] * factor;
            }
        }
    }
    Ok(false)
}

/// Whether elimination in the order of the coordinates finds positive pivots alone, and so large that no order would find one that is
/// rounding: the product of all pivots is the same in any order, and none is above its scale.
fn is_plainly_positive(matrix: &mut [f64], n: usize, scale: &[f64]) -> bool {
    let mut product = 1.0;
    for pivot in 0..n {
        let value = matrix[pivot + pivot * n];
        product *= value / scale[pivot];
        if !(value > 0.0 && product > ROUNDING) {
            return false;
        }
        let (before, behind) = matrix.split_at_mut((pivot + 1) * n);
        let column = &before[pivot * n..][pivot + 1..];
        for (j, others) in behind.chunks_exact_mut(n).enumerate() {
            // Few coordinates share mass.
            if column[j] != 0.0 {
                let factor = column[j] / value;
                for (entry, x) in others[pivot + 1 + j..].iter_mut().zip(&column[j..]) {
                    *entry -= x * factor;
                }
            }
        }
    }
    true
}

/// With nothing on the diagonal, anything beside it makes a matrix indefinite.
fn check_rest(matrix: &[f64], left: &[usize], last: usize, n: usize, scale: &[f64]) -> Option<(usize, f64)> {
    let rest: Vec<usize> = left.iter().copied().chain([last]).collect();
    let pairs = rest.iter().flat_map(|&i| rest.iter().map(move |&j| (i, j))).filter(|(i, j)| i != j);
    let share = |i: usize, j: usize| matrix[i + j * n].abs() / (scale[i] * scale[j]).sqrt();
    let (i, j) = { pairs }.find(|&(i, j)| share(i, j) > ROUNDING.sqrt())?;
    Some((i, -matrix[i + j * n].abs()))
}

#[cfg(test)]
mod tests {
    use super::is_plainly_positive;

    #[test]
    fn a_short_way_for_masses_beyond_doubt_alone() {
        let found = |matrix: [f64; 4]| is_plainly_positive(&mut { matrix }, 2, &[matrix[0], matrix[3]]);
        assert!(found([2.0, 1.0, 1.0, 2.0]));
        // singular, singular to rounding, with a negative direction, without a mass
        for doubtful in
            [[1.0; 4], [1.0, 1.0 - 1e-12, 1.0 - 1e-12, 1.0], [1.0, 2.0, 2.0, 1.0], [1.0, 0.0, 0.0, 0.0]]
        {
            assert!(!found(doubtful), "{doubtful:?}");
        }
    }
}
