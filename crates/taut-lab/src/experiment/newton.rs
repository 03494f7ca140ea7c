//! Newton's iteration, to rounding.

use taut_tableau::Matrix;
use taut_tableau::number::Factored;

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
    let n = u.len();
    let mut derivative = vec![0.0; n * n];
    let mut residual = vec![0.0; n];
    let mut size = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        derivative.fill(0.0);
        equations(&u, &mut residual, &mut derivative)?;
        let matrix = Matrix::from_fn(n, n, |i, j| derivative[i + j * n]);
        let update = Factored::new(&matrix).ok_or(LabError::Singular)?.solve(&residual);
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
