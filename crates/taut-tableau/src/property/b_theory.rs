use crate::number::{DoubleDouble, Matrix, dot, symmetric_eigenvalues};
use crate::{Family, Tableau};

/// The B-, BS- and BSI-stability functions of Auzinger, Eder and Frank (2001), section 6: bounds, uniform in the
/// stiffness, for problems whose one-sided Lipschitz constant is m, as functions of z = h m.
///
/// Norms of stage vectors are Euclidean over the stages.
#[derive(Clone, Debug, PartialEq)]
pub struct StiffStability {
    /// The diagonal of D in the norm |u|_D^2 = sum d_i u_i^2.
    pub d: Vec<f64>,
    /// The largest alpha with <u, A^-1 u>_D >= alpha |u|_D^2 for all u: BSI-stability holds for h m < z_BSI.
    pub z_bsi: f64,
    /// max sqrt(d_i / d_j) |A^-1|_D, the numerator of Phi_BSI.
    pub numerator: f64,
    /// |b^T A^-1|, by which perturbations of the stages reach the result.
    pub weight: f64,
    /// kappa in Phi_B(z) = 1/sqrt(1 - 2 kappa z) (Theorem 6.3).
    pub contraction: f64,
}

impl Tableau {
    /// The stability functions of Gauss, Radau IA and Radau IIA; none for other methods.
    ///
    /// The matrices D are B (C^-1 - I), B (I - C), B C^-1 (Hairer and Wanner, Theorem IV.14.5); kappa is 0, 1, b_s
    /// (Theorem 6.3).
    pub fn stiff_stability(&self) -> Option<StiffStability> {
        let exact = self.exact();
        let (scale, contraction): (fn(DoubleDouble) -> DoubleDouble, f64) = match self.family()? {
            Family::Gauss => (|node| DoubleDouble::ONE / node - DoubleDouble::ONE, 0.0),
            Family::RadauIa => (|node| DoubleDouble::ONE - node, 1.0),
            Family::RadauIia => (|node| DoubleDouble::ONE / node, self.b()[self.stages() - 1]),
            _ => return None,
        };
        let d: Vec<f64> = exact.b.iter().zip(&exact.c).map(|(&b, &c)| (b * scale(c)).to_f64()).collect();
        let inverse = self.inverse().ok()?;
        let weights = inverse.transpose().times(&exact.b);
        let (z_bsi, numerator) = monotonicity(&inverse.to_f64(), &d);
        let weight = dot(&weights, &weights).sqrt().to_f64();
        Some(StiffStability { d, z_bsi, numerator, weight, contraction })
    }
}

/// The largest alpha with <u, A^-1 u>_D >= alpha |u|_D^2, and max sqrt(d_i/d_j) |A^-1|_D.
fn monotonicity(inverse: &Matrix, d: &[f64]) -> (f64, f64) {
    let stages = d.len();
    let similar = Matrix::from_fn(stages, stages, |i, j| (d[i] / d[j]).sqrt() * inverse[(i, j)]);
    let symmetric = Matrix::from_fn(stages, stages, |i, j| 0.5 * (similar[(i, j)] + similar[(j, i)]));
    let norm = symmetric_eigenvalues(&similar.transpose().product(&similar))[stages - 1].sqrt();
    let (least, most) = d.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    (symmetric_eigenvalues(&symmetric)[0], (most / least).sqrt() * norm)
}

impl StiffStability {
    /// Phi_BSI(z) = max sqrt(d_i/d_j) |A^-1|_D / (z_BSI - z): stages against perturbations of the stages (6.4); none
    /// from z_BSI on.
    ///
    /// The norm is that of A^-1; the paper prints A, for which the bound is false.
    pub fn phi_bsi(&self, z: f64) -> Option<f64> {
        (z < self.z_bsi).then(|| self.numerator / (self.z_bsi - z))
    }

    /// Phi_BS(z): the result against perturbations Delta of the stages and delta of the result (6.5), from
    /// delta + b^T A^-1 ((Y' - Y) - Delta). For Radau IIA with delta = Delta_s it is Phi_BSI (6.9).
    pub fn phi_bs(&self, z: f64) -> Option<f64> {
        self.phi_bsi(z).map(|stages| (self.weight * (1.0 + stages)).max(1.0))
    }

    /// Phi_B(z) = 1/sqrt(1 - 2 kappa z) for z <= 0: two solutions against each other (6.6).
    pub fn phi_b(&self, z: f64) -> Option<f64> {
        (z <= 0.0).then(|| 1.0 / (1.0 - 2.0 * self.contraction * z).sqrt())
    }
}
