//! The directions in which a strong potential is strong, and how many there are.

use std::fmt;

use super::foot::{Foot, Missed, factor, forward, invert, largest};
use super::potential::{Potential, curvature, curvatures, slopes};
use crate::linear::SymmetricEigen;
use crate::seen::Fault;

/// Eigenvalues of the Hessian below this share of the largest are those of rounding.
const ROUNDING: f64 = 1e-10;
/// The gradient on the manifold may be this share of the largest eigenvalue times the size of the positions.
const VANISHING: f64 = 1e-9;
/// The least strong eigenvalue at the start, relative to the largest.
const LEAST: f64 = 1e-8;
/// And later, relative to the start: a potential that has become so much weaker holds nothing together, and smooth motion
/// about it ends (measured: steps then shrink without end).
const WEAKENED: f64 = 1e-4;
/// Directions are chosen anew when NᵀH N, which is the identity at their selection, has lost this much.
const TURNED: f64 = 0.5;

/// Constant directions N along which foot points are sought, with NᵀH N = 1 where they were selected.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Directions {
    /// one after the other
    pub(super) basis: Vec<f64>,
    /// 1/√mᵢ of each coordinate, which makes eigenvalues comparable
    weights: Vec<f64>,
    /// the largest eigenvalue of the Hessian at the first selection
    greatest: f64,
    /// the least of the strong ones there
    least: f64,
}

/// No number of strong directions fits a potential at a start.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FootPointError {
    /// the system has no strong potential
    NoPotential,
    /// ε is not a number ≥ 0
    Epsilon(f64),
    /// the start has the wrong length
    Length {
        /// the length it has
        found: usize,
        /// the length it should have
        expected: usize,
    },
    /// there is no manifold of least potential close to the start
    NoManifold {
        /// the eigenvalues of the Hessian at the start, relative to the masses, largest first
        eigenvalues: Vec<f64>,
        /// what is wrong with the most likely rank
        closest: Unfit,
    },
    /// the mass matrix cannot be evaluated
    Fault(Fault),
}

/// Why a number of strong directions does not fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unfit {
    /// the rank that was tried; 0 when the Hessian has no positive eigenvalue
    pub rank: usize,
    /// the largest component of the gradient at the foot point, NaN when there is none
    pub gradient: f64,
    /// the least of the strong eigenvalues at the foot point
    pub least: f64,
    /// the largest of the others there, in absolute value
    pub remaining: f64,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unfit { rank, gradient, least, remaining } = *self;
        if rank == 0 {
            return write!(f, "the Hessian of the strong potential has no positive eigenvalue there");
        }
        let directions = if rank == 1 { "1 strong direction" } else { &format!("{rank} strong directions") };
        if gradient.is_nan() {
            return write!(
                f,
                "along {directions} there is no foot point (the least eigenvalue of the Hessian becomes {least:.2e})"
            );
        }
        write!(
            f,
            "with {directions} a gradient of {gradient:.2e} and an eigenvalue of {remaining:.2e} remain at the foot point, where both should vanish; the least strong eigenvalue is {least:.2e}"
        )
    }
}

impl fmt::Display for FootPointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FootPointError::NoPotential => write!(f, "the system has no strong potential"),
            FootPointError::Epsilon(epsilon) => write!(f, "epsilon is {epsilon}, but must not be negative"),
            FootPointError::Length { found, expected } => {
                write!(f, "the start has {found} positions, {expected} are needed")
            }
            FootPointError::NoManifold { eigenvalues, closest } => {
                let listed: Vec<String> = eigenvalues.iter().map(|x| format!("{x:.2e}")).collect();
                write!(
                    f,
                    "the strong potential is least on no manifold close to the start: {closest}; eigenvalues of the Hessian at the start: {}",
                    listed.join(", ")
                )
            }
            FootPointError::Fault(fault) => write!(f, "the system cannot be evaluated at the start: {fault}"),
        }
    }
}

impl std::error::Error for FootPointError {}

impl From<Fault> for FootPointError {
    fn from(fault: Fault) -> Self {
        FootPointError::Fault(fault)
    }
}

impl Directions {
    /// Finds how many strong directions there are near a start, and which.
    ///
    /// Away from the manifold the Hessian has full rank, and its largest gap may be elsewhere: the numbers of directions
    /// are tried in the order of the gaps behind them, and a number is right when the gradient vanishes at the foot point
    /// and nothing is left there of the other eigenvalues.
    pub(super) fn find(
        potential: &impl Potential,
        weights: &[f64],
        q: &[f64],
    ) -> Result<Self, FootPointError> {
        let eigen = scaled_eigenvalues(potential, weights, q);
        let values = &eigen.values;
        let gap = |r: usize| {
            let next = values.get(r).map_or(0.0, |next| next.abs());
            values[r - 1] / next.max(f64::EPSILON * values[0])
        };
        let mut ranks: Vec<usize> = (1..=values.len()).filter(|r| values[r - 1] > 0.0).collect();
        ranks.sort_by(|&r, &s| gap(s).total_cmp(&gap(r)));
        let mut closest = None;
        for rank in ranks {
            match Self::select(potential, weights, &eigen, rank, q) {
                Ok(directions) => return Ok(directions),
                Err(unfit) => closest = closest.or(Some(unfit)),
            }
        }
        let nothing = Unfit { rank: 0, gradient: f64::NAN, least: f64::NAN, remaining: f64::NAN };
        Err(FootPointError::NoManifold { eigenvalues: eigen.values, closest: closest.unwrap_or(nothing) })
    }

    /// Selects a known number of directions at the start of a run.
    pub(super) fn begin(
        potential: &impl Potential,
        weights: &[f64],
        rank: usize,
        q: &[f64],
    ) -> Result<Self, Unfit> {
        Self::select(potential, weights, &scaled_eigenvalues(potential, weights, q), rank, q)
    }

    fn select(
        potential: &impl Potential,
        weights: &[f64],
        eigen: &SymmetricEigen,
        rank: usize,
        q: &[f64],
    ) -> Result<Self, Unfit> {
        let missed =
            |missed: Missed| Unfit { rank, gradient: f64::NAN, least: missed.least, remaining: f64::NAN };
        let foot = Foot::find(potential, &leading(eigen, weights, rank), q).map_err(missed)?;
        let there = scaled_eigenvalues(potential, weights, &foot.u);
        let greatest = there.values[0];
        let unfit = Unfit {
            rank,
            gradient: largest(slopes(potential, &foot.u, &units(weights))),
            least: there.values[rank - 1],
            remaining: largest(there.values[rank..].iter().copied()),
        };
        let vanishing = VANISHING * greatest * scaled_size(weights, &foot.u);
        let fits = unfit.gradient <= vanishing
            && unfit.remaining <= ROUNDING * greatest
            && unfit.least >= LEAST * greatest;
        if !fits {
            return Err(unfit);
        }
        let basis = leading(&there, weights, rank);
        Foot::find(potential, &basis, q).map_err(missed)?;
        Ok(Directions { basis, weights: weights.to_vec(), greatest, least: unfit.least })
    }

    /// Looks at an accepted position: chooses new directions when the manifold has turned away from the old ones.
    ///
    /// On the manifold H = ψ_qᵀψ_q. With N = D⁻¹ψ_qᵀ(ψ_q D⁻¹ψ_qᵀ)⁻¹, normal to it in the metric D of the masses, the new
    /// NᵀH N is the identity and the new ψ_q = NᵀH is the old one: multipliers do not jump.
    ///
    /// # Errors
    /// A sentence with numbers when the Hessian loses rank or the gradient does not vanish.
    pub(super) fn follow(&mut self, potential: &impl Potential, q: &[f64]) -> Result<(), String> {
        let n = q.len();
        let r = self.basis.len() / n;
        let foot = Foot::find(potential, &self.basis, q).map_err(|missed| self.explain(missed))?;
        let gradient = largest(slopes(potential, &foot.u, &units(&self.weights)));
        let vanishing = VANISHING * self.greatest * scaled_size(&self.weights, &foot.u);
        if gradient.is_nan() || gradient > vanishing {
            return Err(format!(
                "a gradient of {gradient:.2e} of the strong potential remains at the foot point, where it should vanish: the motion has left the manifold on which it is least"
            ));
        }
        let mut lower = curvatures(potential, &foot.u, &self.basis);
        if SymmetricEigen::new(r, &lower).values[r - 1] > TURNED {
            return Ok(());
        }
        factor(r, &mut lower);
        // ψ_q D^(−1/2) = L⁻¹NᵀH D^(−1/2), column by column
        let units = units(&self.weights);
        let mut jacobian = vec![0.0; n * r];
        for (unit, column) in units.chunks_exact(n).zip(jacobian.chunks_exact_mut(r)) {
            for (entry, direction) in column.iter_mut().zip(self.basis.chunks_exact(n)) {
                *entry = curvature(potential, &foot.u, direction, unit);
            }
            forward(r, &lower, column);
        }
        let mut gram = vec![0.0; r * r];
        for column in jacobian.chunks_exact(r) {
            for i in 0..r {
                for j in 0..r {
                    gram[i * r + j] += column[i] * column[j];
                }
            }
        }
        let least = SymmetricEigen::new(r, &gram).values[r - 1];
        let mut inverse = vec![0.0; r * r];
        if least.is_nan() || least < WEAKENED * self.least || !invert(r, &gram, &mut inverse) {
            return Err(self.lost_rank(least));
        }
        for (k, direction) in self.basis.chunks_exact_mut(n).enumerate() {
            for (i, component) in direction.iter_mut().enumerate() {
                let column = &jacobian[i * r..(i + 1) * r];
                let row = &inverse[k * r..(k + 1) * r];
                *component = self.weights[i] * row.iter().zip(column).map(|(x, y)| x * y).sum::<f64>();
            }
        }
        Ok(())
    }

    /// Why there is no foot point, in words.
    pub(super) fn explain(&self, missed: Missed) -> String {
        if missed.least.is_nan() || missed.least <= WEAKENED {
            return format!(
                "the Hessian of the strong potential loses rank: relative to where its directions were chosen, its least strong eigenvalue is {:.2e}",
                missed.least
            );
        }
        format!(
            "the strong potential has no foot point: Newton's iteration leaves a slope of {:.2e}; the position is too far from the manifold on which the potential is least",
            missed.slope
        )
    }

    fn lost_rank(&self, least: f64) -> String {
        format!(
            "the Hessian of the strong potential loses rank: its least strong eigenvalue was {:.2e} at the start and is {least:.2e} now",
            self.least
        )
    }

    /// All numbers, for a snapshot.
    pub(super) fn to_numbers(&self) -> Vec<f64> {
        [self.basis.as_slice(), &self.weights, &[self.greatest, self.least]].concat()
    }

    /// Directions of the same size with other numbers, those of [`Directions::to_numbers`]; nothing when there are not as
    /// many.
    pub(super) fn with_numbers(&self, numbers: &[f64]) -> Option<Self> {
        let (basis, rest) = numbers.split_at_checked(self.basis.len())?;
        let (weights, rest) = rest.split_at_checked(self.weights.len())?;
        let &[greatest, least] = rest else { return None };
        Some(Directions { basis: basis.to_vec(), weights: weights.to_vec(), greatest, least })
    }
}

/// The eigenvalues of D^(−1/2) H D^(−1/2), D the diagonal of the mass matrix.
fn scaled_eigenvalues(potential: &impl Potential, weights: &[f64], q: &[f64]) -> SymmetricEigen {
    SymmetricEigen::new(q.len(), &curvatures(potential, q, &units(weights)))
}

/// The directions of the first eigenvectors, with NᵀH N = 1.
fn leading(eigen: &SymmetricEigen, weights: &[f64], rank: usize) -> Vec<f64> {
    let scaled = |(vector, value): (&[f64], &f64)| {
        let scale = 1.0 / value.sqrt();
        vector.iter().zip(weights).map(|(x, weight)| x * weight * scale).collect::<Vec<f64>>()
    };
    eigen.vectors.chunks_exact(weights.len()).zip(&eigen.values).take(rank).flat_map(scaled).collect()
}

/// The unit vectors, each times its weight.
fn units(weights: &[f64]) -> Vec<f64> {
    let n = weights.len();
    let mut units = vec![0.0; n * n];
    for (i, weight) in weights.iter().enumerate() {
        units[i * n + i] = *weight;
    }
    units
}

/// The size of positions in the metric of the masses.
fn scaled_size(weights: &[f64], q: &[f64]) -> f64 {
    largest(q.iter().zip(weights).map(|(q, weight)| q / weight)).max(f64::MIN_POSITIVE)
}
