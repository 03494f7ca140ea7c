//! The oscillator y' = ω z, z' = −ω y with a pair of Runge-Kutta matrices.

use taut::linear::DenseLu;
use taut_tableau::Matrix;

use crate::error::LabError;

/// The spectral radius of a step with the length μ/ω: `first` takes z to y, `second` y to z, both with the weights `b`.
///
/// # Errors
/// [`LabError::Singular`] when the stages do not exist.
pub fn spectral_radius(first: &Matrix, second: &Matrix, b: &[f64], mu: f64) -> Result<f64, LabError> {
    let s = b.len();
    let mut elimination = DenseLu::new(2 * s);
    let stride = elimination.stride();
    let matrix = elimination.matrix_mut();
    for (i, j) in (0..s * s).map(|place| (place % s, place / s)) {
        matrix[i + (s + j) * stride] = -mu * first[(i, j)];
        matrix[s + i + j * stride] = mu * second[(i, j)];
    }
    for i in 0..2 * s {
        matrix[i + i * stride] = 1.0;
    }
    elimination.factor()?;
    let mut columns = [[0.0; 2]; 2];
    for (k, column) in columns.iter_mut().enumerate() {
        let mut stages: Vec<f64> = (0..2 * s).map(|i| if i / s == k { 1.0 } else { 0.0 }).collect();
        elimination.solve(&mut stages);
        let sum = |part: &[f64]| b.iter().zip(part).map(|(b, x)| b * x).sum::<f64>();
        column[k] = 1.0;
        column[0] += mu * sum(&stages[s..]);
        column[1] -= mu * sum(&stages[..s]);
    }
    let [[a, c], [b, d]] = columns;
    let (half, determinant) = (0.5 * (a + d), a * d - b * c);
    let square = half * half - determinant;
    Ok(if square < 0.0 { determinant.sqrt() } else { half.abs() + square.sqrt() })
}
