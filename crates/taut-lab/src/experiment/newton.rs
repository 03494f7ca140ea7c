//! Newton's iteration, to rounding.

use taut::linear::DenseLu;

use crate::error::LabError;

/// More iterations are not tried.
const MOST_ITERATIONS: usize = 40;
/// After an update of this size, relative to the unknowns, quadratic convergence needs one more iteration.
const LAST_BUT_ONE: f64 = 1e-9;
/// An update of this size is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Solves F(u) = 0 from a guess. `equations` is given u and fills in F(u) and, column by column, its derivative.
///
/// The unknowns should be of the size 1 or smaller.
///
/// # Errors
/// [`LabError::Newton`] when updates do not become small, [`LabError::Singular`] when the derivative has no inverse.
pub fn newton(
    mut u: Vec<f64>,
    mut equations: impl FnMut(&[f64], &mut [f64], &mut [f64]) -> Result<(), LabError>,
) -> Result<Vec<f64>, LabError> {
    let mut elimination = DenseLu::new(u.len());
    let mut derivative = vec![0.0; u.len() * u.len()];
    let mut update = vec![0.0; u.len()];
    let mut size = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        derivative.fill(0.0);
        equations(&u, &mut update, &mut derivative)?;
        let (n, stride) = (u.len(), elimination.stride());
        let columns = elimination.matrix_mut().chunks_exact_mut(stride.max(1));
        for (column, derivative) in columns.zip(derivative.chunks_exact(n.max(1))) {
            column[..n].copy_from_slice(derivative);
        }
        elimination.factor()?;
        elimination.solve(&mut update);
        for (u, update) in u.iter_mut().zip(&update) {
            *u -= update;
        }
        let before = std::mem::replace(&mut size, update.iter().fold(0.0, |size, x| x.abs().max(size)));
        if size <= ROUNDING || before <= LAST_BUT_ONE {
            return Ok(u);
        }
    }
    Err(LabError::Newton { iterations: MOST_ITERATIONS, update: size })
}
