//! How a Runge-Kutta step answers on y' = λ(t) y, where h λ(t_i) = z_i is another number in each stage.

use taut::linear::ComplexDenseLu;
use taut_tableau::Tableau;

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
        let mut elimination = ComplexDenseLu::new(s);
        let stride = elimination.stride();
        let (re, im) = elimination.matrix_mut();
        for (i, j) in (0..s * s).map(|place| (place % s, place / s)) {
            let unit = if i == j { 1.0 } else { 0.0 };
            re[i + j * stride] = unit - tableau.a()[(i, j)] * z[j].0;
            im[i + j * stride] = -tableau.a()[(i, j)] * z[j].1;
        }
        elimination.factor()?;
        let columns: Vec<Vec<Complex>> = (0..s).map(|j| column(&elimination, j)).collect();
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

/// Column j of the inverse.
fn column(elimination: &ComplexDenseLu, j: usize) -> Vec<Complex> {
    let s = elimination.size();
    let (mut re, mut im) = (vec![0.0; s], vec![0.0; s]);
    re[j] = 1.0;
    elimination.solve(&mut re, &mut im);
    re.into_iter().zip(im).collect()
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
