//! The solution between the ends of a step.

use crate::legendre::{next_legendre, orthonormal, zeta};
use crate::number::{DoubleDouble, Matrix, Polynomial};
use crate::quadrature::Quadrature;

/// A continuous extension u(t_0 + theta h) = y_0 + h sum_i b_i(theta) f(Y_i).
///
/// The weights are polynomials, kept by their coefficients in Legendre polynomials on [0, 1]: evaluation then loses no
/// digits, whatever the degree.
#[derive(Clone, Debug, PartialEq)]
pub struct ContinuousExtension {
    /// Row i holds the coefficients of b_i in P_0(2 theta - 1), P_1(2 theta - 1), ...
    coefficients: Matrix,
    extra: Option<ExtraStages>,
}

/// Stages that only the continuous extension needs: row i of `a` has entries for all stages, those of the step first.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtraStages {
    /// The rows of the Runge-Kutta matrix that belong to the extra stages.
    pub a: Matrix,
    /// The nodes of the extra stages.
    pub c: Vec<f64>,
}

impl ContinuousExtension {
    /// The integral of the polynomial through the stage derivatives, b_i(theta) = integral of l_i from 0 to theta.
    ///
    /// For collocation methods (Gauss, Radau IIA, Lobatto IIIA) it passes through y_0 and all stages; for the others
    /// it has order s and meets y_1.
    pub(crate) fn through_derivatives(quadrature: &Quadrature) -> Self {
        let stages = quadrature.c.len();
        let mut integrals: Matrix<DoubleDouble> = Matrix::zeros(stages, stages + 1);
        for i in 0..stages {
            let values = orthonormal(stages, quadrature.c[i]);
            for k in 0..stages {
                let norm = if k + 1 == stages { quadrature.sigma } else { DoubleDouble::ONE };
                let factor = quadrature.b[i] * values[k] / norm;
                let back = k.saturating_sub(1);
                let lower = if k == 0 { DoubleDouble::from(0.5) } else { -zeta(k) };
                integrals[(i, back)] += factor * lower;
                integrals[(i, k + 1)] += factor * zeta(k + 1);
            }
        }
        let plain = Matrix::from_fn(stages, stages + 1, |i, k| {
            integrals[(i, k)] * DoubleDouble::from(2 * k + 1).sqrt()
        });
        Self { coefficients: plain.to_f64(), extra: None }
    }

    /// From weights given as polynomials in theta.
    pub(crate) fn from_polynomials(weights: &[Polynomial], extra: Option<ExtraStages>) -> Self {
        let degree = weights.iter().map(Polynomial::degree).max().unwrap_or(0);
        let rows: Vec<Vec<DoubleDouble>> = weights.iter().map(|weight| in_legendre(weight, degree)).collect();
        Self { coefficients: Matrix::from_fn(weights.len(), degree + 1, |i, k| rows[i][k].to_f64()), extra }
    }

    /// The number of weights: the stages of the step and the extra ones.
    pub fn stages(&self) -> usize {
        self.coefficients.rows()
    }

    /// The degree of the weights.
    pub fn degree(&self) -> usize {
        self.coefficients.columns() - 1
    }

    /// The stages that only the continuous extension needs.
    pub fn extra(&self) -> Option<&ExtraStages> {
        self.extra.as_ref()
    }

    /// Writes b_i(theta) into `weights`, which has one entry for each stage.
    pub fn weights(&self, theta: f64, weights: &mut [f64]) {
        let x = 2.0 * theta - 1.0;
        weights.fill(0.0);
        let (mut previous, mut current) = (0.0, 1.0);
        for k in 0..=self.degree() {
            self.add_column(k, current, weights);
            (previous, current) = (current, next_legendre(k, x, current, previous));
        }
    }

    /// Writes b_i'(theta) into `slopes`: the derivative of the extension is sum_i b_i'(theta) f(Y_i).
    pub fn slopes(&self, theta: f64, slopes: &mut [f64]) {
        let x = 2.0 * theta - 1.0;
        slopes.fill(0.0);
        let (mut previous, mut current) = (0.0, 1.0);
        let (mut slope_before, mut slope) = (0.0, 0.0);
        for k in 0..=self.degree() {
            // d/dtheta P_k(2 theta - 1) = 2 P_k'.
            self.add_column(k, 2.0 * slope, slopes);
            (slope_before, slope) = (slope, slope_before + (2 * k + 1) as f64 * current);
            (previous, current) = (current, next_legendre(k, x, current, previous));
        }
    }

    fn add_column(&self, k: usize, factor: f64, sums: &mut [f64]) {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += factor * self.coefficients[(i, k)];
        }
    }
}

/// The coefficients of a polynomial in theta with respect to P_k(2 theta - 1), by Horner's scheme:
/// theta = (x + 1)/2 and x P_k = ((k+1) P_{k+1} + k P_{k-1}) / (2k+1).
fn in_legendre(polynomial: &Polynomial, degree: usize) -> Vec<DoubleDouble> {
    let half = DoubleDouble::from(0.5);
    let mut sum = vec![DoubleDouble::ZERO; degree + 1];
    for power in (0..=polynomial.degree()).rev() {
        let mut next = vec![DoubleDouble::ZERO; degree + 1];
        for k in 0..=degree {
            let share = half * sum[k];
            next[k] += share;
            if k < degree {
                next[k + 1] += share * DoubleDouble::ratio(k as i64 + 1, 2 * k as i64 + 1);
            }
            if k > 0 {
                next[k - 1] += share * DoubleDouble::ratio(k as i64, 2 * k as i64 + 1);
            }
        }
        next[0] += polynomial.coefficient(power);
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests;
