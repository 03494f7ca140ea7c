//! The oscillator y' = ω z, z' = −ω y with a pair of Runge-Kutta matrices.

use taut_tableau::Matrix;
use taut_tableau::number::Factored;

use crate::error::LabError;

/// The spectral radius of a step with the length μ/ω: `first` takes z to y, `second` y to z, both with the weights `b`.
///
/// # Errors
/// [`LabError::Singular`] when the stages do not exist.
pub fn spectral_radius(first: &Matrix, second: &Matrix, b: &[f64], mu: f64) -> Result<f64, LabError> {
    let s = b.len();
    let matrix = Matrix::from_fn(2 * s, 2 * s, |row, column| match (row < s, column < s) {
        (true, false) => -mu * first[(row, column - s)],
        (false, true) => mu * second[(row - s, column)],
        _ => f64::from(u8::from(row == column)),
    });
    let factored = Factored::new(&matrix).ok_or(LabError::Singular)?;
    let mut columns = [[0.0; 2]; 2];
    for (k, column) in columns.iter_mut().enumerate() {
        let unit: Vec<f64> = (0..2 * s).map(|i| if i / s == k { 1.0 } else { 0.0 }).collect();
        let stages = factored.solve(&unit);
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
