//! Foot points: the way from a position to the manifold of least strong potential, along constant directions.

use super::potential::{Potential, curvatures, slopes};
use crate::linear::SymmetricEigen;
use crate::system::number::Scalar;

/// Newton's iteration gives up after so many steps.
const MOST_ITERATIONS: usize = 40;
/// It ends when a step moves the foot point by less than so many units of rounding ...
const CLOSE_ENOUGH: f64 = 4.0 * f64::EPSILON;
/// ... or when, below this share of the positions, steps no longer become smaller.
const NEARLY_ROUNDING: f64 = 1e-11;

/// Nodes and weights of Gauss' quadrature with the weight 1 − s on [0, 1]; its nodes are those of Radau IIA with four
/// stages but for the last.
const QUADRATURE: [(f64, f64); 3] = [
    (0.08858795951270394, 0.20093191373895963),
    (0.4094668644407347, 0.22924110635958625),
    (0.787659461760847, 0.06982697990145412),
];

/// The foot point u = q − N φ of a position q, with Nᵀ∇U(u) = 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Foot {
    pub(super) phi: Vec<f64>,
    pub(super) u: Vec<f64>,
    /// (NᵀH N)⁻¹ at the foot point
    inverse: Vec<f64>,
}

/// Newton's iteration did not find a foot point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missed {
    /// the largest slope of U along the directions that is left
    pub(super) slope: f64,
    /// the least eigenvalue of NᵀH N where it ended; 1 at the selection of N
    pub(super) least: f64,
}

impl Foot {
    /// The foot point of q along `directions`.
    pub(super) fn find(potential: &impl Potential, directions: &[f64], q: &[f64]) -> Result<Self, Missed> {
        let r = directions.len() / q.len();
        let mut foot = Foot { phi: vec![0.0; r], u: q.to_vec(), inverse: vec![0.0; r * r] };
        let mut before = f64::INFINITY;
        let mut slope = vec![0.0; r];
        for _ in 0..MOST_ITERATIONS {
            let matrix = curvatures(potential, &foot.u, directions);
            if !invert(r, &matrix, &mut foot.inverse) {
                break;
            }
            slope = slopes(potential, &foot.u, directions);
            for (phi, row) in foot.phi.iter_mut().zip(foot.inverse.chunks_exact(r)) {
                *phi += row.iter().zip(&slope).map(|(x, y)| x * y).sum::<f64>();
            }
            let last = std::mem::replace(&mut foot.u, moved(q, directions, &foot.phi, -1.0));
            let step = largest(foot.u.iter().zip(&last).map(|(u, last)| u - last));
            let size = largest(q.iter().copied()).max(f64::MIN_POSITIVE);
            if step <= CLOSE_ENOUGH * size || (step < NEARLY_ROUNDING * size && step >= before) {
                return Ok(foot);
            }
            before = step;
        }
        let values = SymmetricEigen::new(r, &curvatures(potential, &foot.u, directions)).values;
        Err(Missed { slope: largest(slope), least: values.last().copied().unwrap_or(f64::NAN) })
    }

    /// φ(q) with all derivatives that a number carries: each simplified Newton step gains one order of them.
    fn phi<S: Scalar>(&self, potential: &impl Potential, directions: &[f64], q: &[S]) -> Vec<S> {
        let mut phi: Vec<S> = self.phi.iter().map(|phi| S::constant(*phi)).collect();
        for _ in 0..S::DEPTH {
            let u = moved(q, directions, &phi, -1.0);
            let slope = slopes(potential, &u, directions);
            for (phi, row) in phi.iter_mut().zip(self.inverse.chunks_exact(slope.len())) {
                for (slope, inverse) in slope.iter().zip(row) {
                    *phi += *slope * *inverse;
                }
            }
        }
        phi
    }

    /// ψ(q) with U = |ψ|²/2 (Lubich 1992, Lemma 2.1).
    ///
    /// Along the straight way from the foot point, U = φᵀK̄φ with K̄ = ∫(1 − s) NᵀH(u + s N φ)N ds. With Cholesky's
    /// factor 2K̄ = L Lᵀ it is ψ = Lᵀφ.
    pub(super) fn psi<S: Scalar>(
        &self,
        potential: &impl Potential,
        directions: &[f64],
        q: &[S],
        psi: &mut [S],
    ) {
        let r = psi.len();
        let phi = self.phi(potential, directions, q);
        let mut twice = vec![S::zero(); r * r];
        for (s, weight) in QUADRATURE {
            // u + s N φ = q − (1 − s) N φ
            let between = moved(q, directions, &phi, s - 1.0);
            for (sum, entry) in twice.iter_mut().zip(curvatures(potential, &between, directions)) {
                *sum += entry * (2.0 * weight);
            }
        }
        factor(r, &mut twice);
        for (k, psi) in psi.iter_mut().enumerate() {
            *psi = S::zero();
            for (j, phi) in phi.iter().enumerate().skip(k) {
                *psi += twice[j * r + k] * *phi;
            }
        }
    }
}

/// q + factor N φ
fn moved<S: Scalar>(q: &[S], directions: &[f64], phi: &[S], factor: f64) -> Vec<S> {
    let mut moved = q.to_vec();
    for (direction, phi) in directions.chunks_exact(q.len()).zip(phi) {
        for (moved, component) in moved.iter_mut().zip(direction) {
            *moved += *phi * (factor * component);
        }
    }
    moved
}

/// Cholesky's factor L in place of the lower triangle; NaN when the matrix is not positive definite.
pub(super) fn factor<S: Scalar>(r: usize, matrix: &mut [S]) {
    for j in 0..r {
        for i in j..r {
            let mut entry = matrix[i * r + j];
            for k in 0..j {
                entry -= matrix[i * r + k] * matrix[j * r + k];
            }
            matrix[i * r + j] = if i == j { entry.sqrt() } else { entry / matrix[j * r + j] };
        }
    }
}

/// L⁻¹x in place.
pub(super) fn forward(r: usize, factor: &[f64], x: &mut [f64]) {
    for i in 0..r {
        let known: f64 = (0..i).map(|k| factor[i * r + k] * x[k]).sum();
        x[i] = (x[i] - known) / factor[i * r + i];
    }
}

/// The inverse of a positive definite matrix; false when it is not.
pub(super) fn invert(r: usize, matrix: &[f64], inverse: &mut [f64]) -> bool {
    let mut lower = matrix.to_vec();
    factor(r, &mut lower);
    if (0..r).any(|k| lower[k * r + k].is_nan() || lower[k * r + k] <= 0.0) {
        return false;
    }
    // A⁻¹ = L⁻ᵀL⁻¹
    let mut columns = vec![0.0; r * r];
    for (k, column) in columns.chunks_exact_mut(r).enumerate() {
        column[k] = 1.0;
        forward(r, &lower, column);
    }
    for i in 0..r {
        for j in 0..r {
            inverse[i * r + j] = (0..r).map(|k| columns[i * r + k] * columns[j * r + k]).sum();
        }
    }
    true
}

pub(super) fn largest(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |largest: f64, x| if x.abs() <= largest { largest } else { x.abs() })
}
