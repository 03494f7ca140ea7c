//! Start values that are kept while the others move onto the constraints.

use super::error::StartError;
use crate::geometry::rods::{Rods, largest};
use crate::system::{Fault, MechanicalSystem};

/// Coordinates whose start positions or start velocities are kept, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// coordinates whose positions are kept
    pub positions: Vec<usize>,
    /// coordinates whose velocities are kept
    pub velocities: Vec<usize>,
}

/// What may be left of a constraint, relative to its gradient and to positions or velocities.
const LEFT: f64 = 1e-9;
/// Velocities are corrected so often: constraints on them may be nonlinear.
const CORRECTIONS_OF_VELOCITIES: usize = 10;

/// Moves a start onto the rods without moving what is fixed. Positions and velocities change least in the norm of the diagonal
/// of M.
///
/// # Errors
/// A constraint cannot hold with the values that are fixed.
pub fn keep_fixed(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &mut [f64],
    v: &mut [f64],
    fixed: &Fixed,
) -> Result<(), StartError> {
    if fixed.positions.is_empty() && fixed.velocities.is_empty() {
        return Ok(());
    }
    let rods = Rods::all(system);
    let weights = weights(system, q)?;
    rods.approach(t, q, v, &without(&weights, &fixed.positions))?;
    let residual = rods.values(t, q)?;
    check(&rods, t, (q, v), &residual, largest(q), "positions")?;
    let weights = without(&weights, &fixed.velocities);
    for _ in 0..CORRECTIONS_OF_VELOCITIES {
        let change = rods.correction(&rods.matrix(t, q, v)?, &rods.rates(t, q, v)?, &weights);
        v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
    }
    let residual = rods.rates(t, q, v)?;
    check(&rods, t, (q, v), &residual, largest(v), "velocities")
}

/// 1/√Mᵢᵢ, 1 where there is no mass.
fn weights(system: &dyn MechanicalSystem, q: &[f64]) -> Result<Vec<f64>, Fault> {
    let pattern = &system.structure().mass;
    let mut mass = vec![0.0; pattern.nnz()];
    system.mass(q, &mut mass)?;
    let mut weights = vec![1.0; q.len()];
    for ((i, j), mass) in pattern.entries().zip(mass) {
        if i == j && mass > 0.0 {
            weights[i] = 1.0 / mass.sqrt();
        }
    }
    Ok(weights)
}

/// The weights with 0 for what is kept.
fn without(weights: &[f64], kept: &[usize]) -> Vec<f64> {
    weights.iter().enumerate().map(|(k, w)| if kept.contains(&k) { 0.0 } else { *w }).collect()
}

fn check(
    rods: &Rods<'_>,
    t: f64,
    (q, v): (&[f64], &[f64]),
    residual: &[f64],
    size: f64,
    kept: &'static str,
) -> Result<(), StartError> {
    let lengths = rods.lengths(t, q, v)?;
    let allowed = |row: usize| LEFT * lengths[row] * (1.0 + size);
    match (0..residual.len()).find(|&row| !(residual[row].abs() <= allowed(row))) {
        None => Ok(()),
        Some(row) => {
            let (constraint, residual) = (rods.name(row), residual[row]);
            Err(StartError::Fixed { constraint, residual, kept })
        }
    }
}
