//! Gauss, Radau and Lobatto methods from one matrix.
//!
//! With w_ij = p_{j-1}(c_i), p_k the orthonormal Legendre polynomials on [0, 1], and B = diag(b), all of them read
//! A = W Y W^T B with a tridiagonal Y that integrates Legendre polynomials and differs in its last entries only
//! (the W-transformation: Hairer and Wanner, IV.5; Jay 1998, proof of Lemma 8.1, where X = D Y D).

use super::Family;
use crate::legendre::{orthonormal, zeta};
use crate::number::{DoubleDouble, Matrix, Scalar};
use crate::quadrature::{Nodes, Quadrature};
use crate::{ContinuousExtension, Tableau};

/// The last entries of Y, each as a multiple of its value in Lobatto IIIC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LastEntries {
    /// Factor of zeta_{s-1} below the diagonal.
    below: f64,
    /// Factor of -zeta_{s-1} above the diagonal.
    above: f64,
    /// Factor of 1/(4s - 2) in the last place of the diagonal.
    corner: f64,
}

impl LastEntries {
    pub(super) const fn new(below: f64, above: f64, corner: f64) -> Self {
        Self { below, above, corner }
    }
}

/// The tridiagonal matrix Y.
fn legendre_matrix(stages: usize, last: LastEntries) -> Matrix<DoubleDouble> {
    let mut y = Matrix::zeros(stages, stages);
    y[(0, 0)] = DoubleDouble::from(0.5);
    for k in 1..stages {
        let end = k + 1 == stages;
        y[(k, k - 1)] = DoubleDouble::from(if end { last.below } else { 1.0 }) * zeta(k);
        y[(k - 1, k)] = DoubleDouble::from(if end { -last.above } else { -1.0 }) * zeta(k);
    }
    let corner = (stages - 1, stages - 1);
    y[corner] += DoubleDouble::from(last.corner) / DoubleDouble::from(4 * stages - 2);
    y
}

/// The Runge-Kutta matrix A = W Y W^T B.
pub(crate) fn runge_kutta_matrix(quadrature: &Quadrature, last: LastEntries) -> Matrix<DoubleDouble> {
    let stages = quadrature.c.len();
    let polynomials: Vec<Vec<DoubleDouble>> =
        quadrature.c.iter().map(|&node| orthonormal(stages, node)).collect();
    let w = Matrix::from_fn(stages, stages, |i, j| polynomials[i][j]);
    let transposed = Matrix::from_fn(stages, stages, |i, j| w[(j, i)] * quadrature.b[j]);
    let matrix = w.product(&legendre_matrix(stages, last)).product(&transposed);
    // No coefficient of up to 20 stages is below 1e-7, so what is below the rounding errors of the product is a zero.
    matrix.map(|entry| if entry.magnitude() < 1e-27 { DoubleDouble::ZERO } else { entry })
}

/// A member of one of the eight families.
pub(super) fn tableau(family: Family, nodes: Nodes, last: LastEntries, stages: usize) -> Tableau {
    let quadrature = nodes.quadrature(stages);
    let a = runge_kutta_matrix(&quadrature, last);
    let continuous = ContinuousExtension::through_derivatives(&quadrature);
    Tableau::computed(family, a, quadrature.b, quadrature.c).with_continuous(continuous)
}
