use crate::number::DoubleDouble;
use crate::tableau::round;
use crate::{Tableau, TableauError};

/// The embedded formula that goes with a method whose matrix has a real eigenvalue.
///
/// With g a real eigenvalue of A^-1 and gamma_0 = 1/g, the formula y_0 + h (gamma_0 f(y_0) + sum bh_i f(Y_i)) has
/// order s: sum bh_i c_i^(k-1) = 1/k - gamma_0 [k = 1], k = 1..s. Filtered by the real matrix of Newton's iteration,
/// which is factored already, the error is estimated by (g/h E - J) e = f(y_0) + E sum d_i Z_i / h with
/// d^T = g (bh - b)^T A^-1 and Z_i = Y_i - y_0 (Hairer and Wanner, IV.8, for Radau IIA with three stages).
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorEstimator {
    /// The weight of f(y_0).
    pub gamma_0: f64,
    /// The embedded weights bh.
    pub weights: Vec<f64>,
    /// The weights d of the stage increments.
    pub d: Vec<f64>,
}

impl Tableau {
    /// The embedded formula with gamma_0 = 1/g; none when A has no real eigenvalue but zero (even numbers of stages).
    pub fn error_estimator(&self) -> Result<Option<ErrorEstimator>, TableauError> {
        let spectrum = self.spectrum()?;
        let gamma_0 = spectrum.real.iter().find(|&&value| value != 0.0);
        gamma_0.map(|&gamma_0| self.error_estimator_with(gamma_0)).transpose()
    }

    /// The embedded formula with any gamma_0, whose matrix (1/(gamma_0 h) E - J) is then factored for it alone.
    pub fn error_estimator_with(&self, gamma_0: f64) -> Result<ErrorEstimator, TableauError> {
        let inverse = self.inverse()?;
        // sum (bh_i - b_i) p(c_i) = -gamma_0 p(0) for all p of degree < s: minus gamma_0 times Lagrange at zero.
        let lagrange = lagrange_at_zero(&self.exact().c);
        let factor = DoubleDouble::from(gamma_0);
        let weights: Vec<DoubleDouble> =
            self.exact().b.iter().zip(&lagrange).map(|(&b, &l)| b - factor * l).collect();
        let d: Vec<DoubleDouble> =
            inverse.transpose().times(&lagrange).into_iter().map(|entry| -entry).collect();
        Ok(ErrorEstimator { gamma_0, weights: round(&weights), d: round(&d) })
    }
}

/// The values at zero of the Lagrange polynomials with these nodes.
fn lagrange_at_zero(nodes: &[DoubleDouble]) -> Vec<DoubleDouble> {
    let others = |i: usize| nodes.iter().enumerate().filter(move |&(j, _)| j != i).map(|(_, &node)| node);
    let value =
        |i: usize| others(i).fold(DoubleDouble::ONE, |product, node| product * node / (node - nodes[i]));
    (0..nodes.len()).map(value).collect()
}
