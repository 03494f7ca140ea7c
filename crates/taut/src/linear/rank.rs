//! Which constraints say something new.

mod sparse;
#[cfg(test)]
mod tests;

use super::Pattern;
use super::householder::{PivotedQr, norm};
use sparse::SparseElimination;

/// The rank of a constraint Jacobian, with the redundant constraints by name (index).
///
/// Q R of the transposed Jacobian with its columns, the gradients of the constraints, scaled to length one and exchanged.
/// A constraint is dependent if what remains of its gradient, after that of the independent ones is taken out, is shorter
/// than the tolerance; of several that say the same the later ones are called dependent. Many constraints are eliminated
/// one after the other instead, with sparse gradients. Meant for messages, for the start and for repair, not for every step.
#[derive(Clone, Debug)]
pub struct ConstraintRank {
    factors: Factors,
    lengths: Vec<f64>,
    independent: Vec<usize>,
    dependent: Vec<usize>,
}

/// What the gradients have become.
#[derive(Clone, Debug)]
enum Factors {
    Dense(PivotedQr),
    Sparse(SparseElimination),
}

/// More entries than this are too many for a dense matrix.
const DENSE_ENTRIES: usize = 1 << 17;

impl ConstraintRank {
    /// A tolerance between rounding errors and angles that mechanisms have: gradients are called dependent at an
    /// angle below it.
    pub const TOLERANCE: f64 = 1e-10;

    /// The rank of the m by n Jacobian with these values in pattern order.
    pub fn new(jacobian: &Pattern, values: &[f64], tolerance: f64) -> Self {
        let (m, n) = (jacobian.rows(), jacobian.cols());
        if m * n > DENSE_ENTRIES {
            return Self::sparse(jacobian, values, tolerance);
        }
        let mut gradients = vec![0.0; n * m];
        for ((i, j), &value) in jacobian.entries().zip(values) {
            gradients[j + i * n] = value;
        }
        let mut lengths = vec![0.0; m];
        if n > 0 {
            for (gradient, length) in gradients.chunks_exact_mut(n).zip(&mut lengths) {
                *length = normalise(gradient);
            }
        }
        let qr = PivotedQr::new(n, m, gradients, tolerance);
        let (mut independent, mut dependent) =
            (qr.order[..qr.rank()].to_vec(), qr.order[qr.rank()..].to_vec());
        independent.sort_unstable();
        dependent.sort_unstable();
        Self { factors: Factors::Dense(qr), lengths, independent, dependent }
    }

    fn sparse(jacobian: &Pattern, values: &[f64], tolerance: f64) -> Self {
        let mut gradients = vec![Vec::new(); jacobian.rows()];
        for ((i, j), &value) in jacobian.entries().zip(values).filter(|(_, value)| **value != 0.0) {
            gradients[i].push((j, value));
        }
        let mut lengths = Vec::with_capacity(gradients.len());
        for gradient in &mut gradients {
            let length = norm(&gradient.iter().map(|(_, value)| *value).collect::<Vec<f64>>());
            gradient.iter_mut().for_each(|(_, value)| *value /= length);
            lengths.push(length);
        }
        let elimination = SparseElimination::new(&gradients, jacobian.cols(), tolerance);
        let (independent, dependent) = (elimination.independent(), elimination.dependent());
        Self { factors: Factors::Sparse(elimination), lengths, independent, dependent }
    }

    /// The number of independent constraints.
    pub fn rank(&self) -> usize {
        self.independent.len()
    }

    /// Constraints that together say all that all of them say, ascending.
    #[cfg(test)]
    pub(crate) fn independent(&self) -> &[usize] {
        &self.independent
    }

    /// What remains of the gradient of that independent constraint which says least that is new, all of length one; nothing where
    /// there are many constraints, or none.
    pub fn least_remainder(&self) -> Option<f64> {
        let Factors::Dense(qr) = &self.factors else { return None };
        (0..qr.rank()).map(|k| qr.r(k, k).abs()).min_by(f64::total_cmp)
    }

    /// The other constraints, ascending.
    pub fn dependent(&self) -> &[usize] {
        &self.dependent
    }

    /// The independent constraints from which a dependent one follows, with their factors: its gradient is the sum of
    /// factor times gradient. Empty for a constraint without gradient and for an independent one.
    pub fn combination(&self, dependent: usize) -> Vec<(usize, f64)> {
        let factors = match &self.factors {
            Factors::Dense(qr) => self.dense_combination(qr, dependent),
            Factors::Sparse(elimination) => elimination.combination(dependent),
        };
        let scaled = factors.into_iter().filter(|(_, factor)| factor.abs() > Self::TOLERANCE);
        let mut combination: Vec<(usize, f64)> =
            scaled.map(|(i, factor)| (i, factor * self.lengths[dependent] / self.lengths[i])).collect();
        combination.sort_unstable_by_key(|&(i, _)| i);
        combination
    }

    fn dense_combination(&self, qr: &PivotedQr, dependent: usize) -> Vec<(usize, f64)> {
        let rank = self.rank();
        let Some(place) = qr.order.iter().position(|&i| i == dependent).filter(|&place| place >= rank) else {
            return Vec::new();
        };
        let mut factors: Vec<f64> = (0..rank).map(|i| qr.r(i, place)).collect();
        qr.solve_upper(&mut factors);
        qr.order.iter().copied().zip(factors).collect()
    }
}

/// Scales a vector to length one and returns the length it had; a zero vector stays.
fn normalise(x: &mut [f64]) -> f64 {
    let length = norm(x);
    if length > 0.0 {
        x.iter_mut().for_each(|x| *x /= length);
    }
    length
}
