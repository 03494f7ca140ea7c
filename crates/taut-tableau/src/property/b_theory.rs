use crate::number::{DoubleDouble, Factored, Matrix, dot, symmetric_eigenvalues};
use crate::{Family, Tableau, TableauError};

/// The B-, BS- and BSI-stability functions of Auzinger, Frank and Eder (2001), section 6: bounds, uniform in the
/// stiffness, for problems whose one-sided Lipschitz constant is m, as functions of z = h m.
///
/// Norms of stage vectors are Euclidean over the stages. Everything follows from the matrix A, the weights b and a
/// positive diagonal matrix D = diag(d):
/// z_BSI is the largest alpha with <u, A^-1 u>_D >= alpha <u, u>_D for all u.
#[derive(Clone, Debug, PartialEq)]
pub struct StiffStability {
    /// The diagonal of D.
    pub d: Vec<f64>,
    /// The bound of h m up to which the estimates hold.
    pub z_bsi: f64,
    /// max sqrt(d_i / d_j) |A^-1|_D, the numerator of Phi_BSI.
    pub numerator: f64,
    /// |b^T A^-1|, by which perturbations of the stages reach the result.
    pub weight: f64,
    b: Vec<f64>,
    /// A^-T M A^-1 with the matrix M of algebraic stability.
    defect: Matrix,
}

impl Tableau {
    /// The stability functions with the D that is known for the family: B (C^-1 - I) for Gauss, B (I - C) for
    /// Radau IA, B C^-1 for Radau IIA (Hairer and Wanner, Theorem IV.14.5); none for other families.
    pub fn stiff_stability(&self) -> Option<StiffStability> {
        let scale: fn(DoubleDouble) -> DoubleDouble = match self.family()? {
            Family::Gauss => |node| DoubleDouble::ONE / node - DoubleDouble::ONE,
            Family::RadauIa => |node| DoubleDouble::ONE - node,
            Family::RadauIia => |node| DoubleDouble::ONE / node,
            _ => return None,
        };
        let exact = self.exact();
        let d: Vec<f64> = exact.b.iter().zip(&exact.c).map(|(&b, &c)| (b * scale(c)).to_f64()).collect();
        self.stiff_stability_with(&d).ok()
    }

    /// The stability functions with a positive diagonal D of one's own; an error when A is singular.
    pub fn stiff_stability_with(&self, d: &[f64]) -> Result<StiffStability, TableauError> {
        let stages = self.stages();
        let exact_inverse = self.inverse()?;
        let inverse = exact_inverse.to_f64();
        let similar = Matrix::from_fn(stages, stages, |i, j| (d[i] / d[j]).sqrt() * inverse[(i, j)]);
        let symmetric = Matrix::from_fn(stages, stages, |i, j| 0.5 * (similar[(i, j)] + similar[(j, i)]));
        let lowest = symmetric_eigenvalues(&symmetric)[0];
        let norm = symmetric_eigenvalues(&similar.transpose().product(&similar))[stages - 1].sqrt();
        let (least, most) =
            d.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
        let exact_transposed = exact_inverse.transpose();
        let weights = exact_transposed.times(&self.exact().b);
        let defect = exact_transposed.product(&self.algebraic_stability_matrix()).product(&exact_inverse);
        Ok(StiffStability {
            d: d.to_vec(),
            z_bsi: lowest,
            numerator: (most / least).sqrt() * norm,
            weight: dot(&weights, &weights).sqrt().to_f64(),
            b: self.b().to_vec(),
            defect: defect.to_f64(),
        })
    }
}

impl StiffStability {
    /// Phi_BSI(z) = max sqrt(d_i/d_j) |A^-1|_D / (z_BSI - z): stages against perturbations of the stages (6.4).
    ///
    /// The norm is that of A^-1; the paper prints A, for which the bound is false.
    pub fn phi_bsi(&self, z: f64) -> Option<f64> {
        (z < self.z_bsi).then(|| self.numerator / (self.z_bsi - z))
    }

    /// Phi_BS(z): the result against perturbations of stages and result (6.5), from
    /// delta + b^T A^-1 ((Y' - Y) - Delta).
    pub fn phi_bs(&self, z: f64) -> Option<f64> {
        self.phi_bsi(z).map(|stages| (self.weight * (1.0 + stages)).max(1.0))
    }

    /// Phi_B(z) for z <= 0: two solutions against each other (6.6).
    ///
    /// The largest value of 1 - (Y - 1)^T N (Y - 1) + 2 z Y^T B Y over all Y, N = A^-T M A^-1, bounds the square: it is
    /// |y_1|^2 for |y_0| = 1 less the terms 2 b_i (<Y_i, h f_i> - z |Y_i|^2) <= 0. For Gauss, Radau IA and Radau IIA
    /// this gives Theorem 6.3: 1, 1/sqrt(1 - 2z), 1/sqrt(1 - 2 b_s z).
    pub fn phi_b(&self, z: f64) -> Option<f64> {
        if z > 0.0 {
            return None;
        }
        let stages = self.b.len();
        let ones = vec![1.0; stages];
        let right = self.defect.times(&ones);
        let base = 1.0 - dot(&ones, &right);
        let quadratic = Matrix::from_fn(stages, stages, |i, j| {
            self.defect[(i, j)] - if i == j { 2.0 * z * self.b[i] } else { 0.0 }
        });
        // At z = 0 the maximiser is Y = 1, though the matrix is singular.
        let gain = if z == 0.0 {
            dot(&ones, &right)
        } else {
            dot(&right, &Factored::new(&quadratic)?.solve(&right))
        };
        Some((base + gain).max(0.0).sqrt())
    }
}
