//! How a Runge-Kutta step answers on y' = λ(t) y, where h λ(t_i) = z_i is another number in each stage.

use taut_tableau::number::Factored;
use taut_tableau::{Matrix, Tableau};

use crate::error::LabError;

/// The answers of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageGrowth {
    /// |1 + bᵀZ (I - AZ)⁻¹ 1|: by what the distance of two solutions grows (B-stability on scalar problems)
    pub result: f64,
    /// |(I - AZ)⁻¹|₂: by what perturbations of the stages grow in the stages (BSI-stability)
    pub stages: f64,
    /// |bᵀZ (I - AZ)⁻¹|₂: by what perturbations of the stages grow in the result (BS-stability)
    pub from_stages: f64,
    /// |eₛᵀ(I - AZ)⁻¹|₂: by what they grow in the last stage, which is the result where a_si = b_i and δ = Δ_s
    pub last: f64,
}

type Complex = (f64, f64);

fn product(x: Complex, y: Complex) -> Complex {
    (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0)
}

impl StageGrowth {
    /// With Z = diag(z), each z_i given as (real part, imaginary part).
    ///
    /// # Errors
    /// [`LabError::Singular`] when I - AZ has no inverse.
    pub fn of(tableau: &Tableau, z: &[(f64, f64)]) -> Result<Self, LabError> {
        let s = z.len();
        let factored = Factored::new(&stages_matrix(tableau, z)).ok_or(LabError::Singular)?;
        let columns: Vec<Vec<Complex>> = (0..s).map(|j| column(&factored, s, j)).collect();
        let row: Vec<Complex> = columns.iter().map(|column| weighted(tableau, z, column)).collect();
        let result = row.iter().fold((1.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
        Ok(StageGrowth {
            result: result.0.hypot(result.1),
            stages: spectral_norm(&columns),
            from_stages: norm(&row),
            last: norm(&columns.iter().map(|column| column[s - 1]).collect::<Vec<_>>()),
        })
    }
}

/// I - AZ as a matrix of real numbers: [Re, -Im; Im, Re].
fn stages_matrix(tableau: &Tableau, z: &[Complex]) -> Matrix {
    let s = z.len();
    Matrix::from_fn(2 * s, 2 * s, |row, column| {
        let (i, j) = (row % s, column % s);
        let a = tableau.a()[(i, j)];
        let (re, im) = (f64::from(u8::from(i == j)) - a * z[j].0, -a * z[j].1);
        match (row < s, column < s) {
            (true, false) => -im,
            (false, true) => im,
            _ => re,
        }
    })
}

/// Column j of the inverse of a complex matrix with s rows.
fn column(factored: &Factored<f64>, s: usize, j: usize) -> Vec<Complex> {
    let unit: Vec<f64> = (0..2 * s).map(|i| f64::from(u8::from(i == j))).collect();
    let parts = factored.solve(&unit);
    parts[..s].iter().copied().zip(parts[s..].iter().copied()).collect()
}

/// bᵀZ y
fn weighted(tableau: &Tableau, z: &[Complex], y: &[Complex]) -> Complex {
    tableau.b().iter().zip(z).zip(y).fold((0.0, 0.0), |sum, ((b, &z), &y)| {
        let term = product(z, y);
        (sum.0 + b * term.0, sum.1 + b * term.1)
    })
}

fn norm(x: &[Complex]) -> f64 {
    x.iter().map(|x| x.0 * x.0 + x.1 * x.1).sum::<f64>().sqrt()
}

/// The largest singular value of the matrix with these columns, from below, by iteration of MᴴM.
fn spectral_norm(columns: &[Vec<Complex>]) -> f64 {
    let mut x: Vec<Complex> = (0..columns.len()).map(|j| (1.0, 0.3 * j as f64)).collect();
    let mut size = 0.0;
    for _ in 0..ITERATIONS {
        let length = norm(&x);
        let mut image = vec![(0.0, 0.0); columns.len()];
        for (column, x) in columns.iter().zip(&x) {
            for (image, entry) in image.iter_mut().zip(column) {
                let term = product(*entry, (x.0 / length, x.1 / length));
                *image = (image.0 + term.0, image.1 + term.1);
            }
        }
        size = norm(&image);
        x = columns.iter().map(|column| conjugate_dot(column, &image)).collect();
    }
    size
}

/// Iterations for the spectral norm of a small matrix; its value is within a few percent long before.
const ITERATIONS: usize = 30;

fn conjugate_dot(x: &[Complex], y: &[Complex]) -> Complex {
    x.iter().zip(y).fold((0.0, 0.0), |sum, (x, &y)| {
        let term = product((x.0, -x.1), y);
        (sum.0 + term.0, sum.1 + term.1)
    })
}
