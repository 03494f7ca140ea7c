//! Accelerations where constraints may depend on each other.

use super::rods::DEPENDENT;
use crate::linear::MinimumNorm;
use crate::system::{Fault, MechanicalSystem, Terms};

/// (a, multipliers) of M a + rowsᵀ multipliers = f, rows a = given; the smallest multipliers.
pub(crate) fn balance(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    rows: &[f64],
    given: &[f64],
) -> Result<Vec<f64>, Fault> {
    let (n, m) = (q.len(), given.len());
    let size = n + m;
    let structure = system.structure();
    let (mut mass, mut force) = (vec![0.0; structure.mass.nnz()], vec![0.0; n]);
    system.mass(q, &mut mass)?;
    system.force(Terms::ACCELERATING, t, q, v, &mut force)?;
    let mut matrix = vec![0.0; size * size];
    for ((i, j), mass) in structure.mass.entries().zip(mass) {
        matrix[i + j * size] = mass;
    }
    for j in 0..n {
        for i in 0..m {
            matrix[n + i + j * size] = rows[i + j * m];
            matrix[j + (n + i) * size] = rows[i + j * m];
        }
    }
    force.extend_from_slice(given);
    Ok(MinimumNorm::new(size, size, matrix, DEPENDENT).solve(&force))
}
