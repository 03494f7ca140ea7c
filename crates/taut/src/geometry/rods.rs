//! The rods of a system at one state: gradients, least corrections, what is left of them.

use crate::linear::{MinimumNorm, Pattern};
use crate::system::{Fault, MechanicalSystem};

/// Gradients at a smaller angle are dependent. Beside a dead point by this angle, rounding errors of positions that such
/// constraints hold are 1e-10, which turns the branches by 1e-4: closer to it they could not be told.
pub(crate) const DEPENDENT: f64 = 1e-6;

/// Gradients that differ by less than this factor in length are taken as they are.
const ALIKE: f64 = 1e4;

/// The constraints without compliance, by their numbers.
pub(crate) struct Rods<'a> {
    system: &'a dyn MechanicalSystem,
    /// their numbers among all constraints
    pub(crate) numbers: Vec<usize>,
}

impl<'a> Rods<'a> {
    /// All rods of a system.
    pub(crate) fn all(system: &'a dyn MechanicalSystem) -> Self {
        let constraints = &system.structure().constraints;
        let numbers = (0..constraints.len()).filter(|&k| constraints[k].compliance() == 0.0).collect();
        Rods { system, numbers }
    }

    /// The rods that are none of these.
    pub(crate) fn without(system: &'a dyn MechanicalSystem, left_out: &[usize]) -> Self {
        let mut rods = Rods::all(system);
        rods.numbers.retain(|k| !left_out.contains(k));
        rods
    }

    /// The name of a row.
    pub(crate) fn name(&self, row: usize) -> String {
        self.system.structure().constraints[self.numbers[row]].name.clone()
    }

    /// The values that belong to rods, from those of all constraints.
    pub(crate) fn select(&self, all: &[f64]) -> Vec<f64> {
        self.numbers.iter().map(|&k| all[k]).collect()
    }

    /// The pattern of their gradients, and the gradients at a state.
    pub(crate) fn gradients(&self, t: f64, q: &[f64], v: &[f64]) -> Result<(Pattern, Vec<f64>), Fault> {
        let pattern = &self.system.structure().jacobian;
        let mut jacobian = vec![0.0; pattern.nnz()];
        self.system.jacobian(t, q, v, &mut jacobian)?;
        if self.numbers.len() == pattern.rows() {
            return Ok((pattern.clone(), jacobian));
        }
        let place = |k: usize| self.numbers.binary_search(&k).ok();
        let entries =
            || pattern.entries().zip(&jacobian).filter_map(|((i, j), x)| Some(((place(i)?, j), *x)));
        let own = Pattern::from_entries(self.numbers.len(), q.len(), entries().map(|(entry, _)| entry));
        Ok((own, entries().map(|(_, value)| value).collect()))
    }

    /// Their gradients as a matrix, column by column.
    pub(crate) fn matrix(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Fault> {
        let (pattern, values) = self.gradients(t, q, v)?;
        let mut matrix = vec![0.0; pattern.rows() * pattern.cols()];
        for ((i, j), value) in pattern.entries().zip(values) {
            matrix[i + j * pattern.rows()] = value;
        }
        Ok(matrix)
    }

    /// g
    pub(crate) fn values(&self, t: f64, q: &[f64]) -> Result<Vec<f64>, Fault> {
        let mut rows = vec![0.0; self.system.structure().m()];
        self.system.constraint(t, q, &mut rows)?;
        Ok(self.select(&rows))
    }

    /// G v + g_t
    pub(crate) fn rates(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Fault> {
        let mut rows = vec![0.0; self.system.structure().m()];
        self.system.constraint_rate(t, q, v, &mut rows)?;
        Ok(self.select(&rows))
    }

    /// The part of g'' without accelerations.
    pub(crate) fn curvatures(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Fault> {
        let mut rows = vec![0.0; self.system.structure().m()];
        self.system.curvature(t, q, v, &mut rows)?;
        Ok(self.select(&rows))
    }

    /// The lengths of the gradients at a state.
    pub(crate) fn lengths(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Fault> {
        let pattern = &self.system.structure().jacobian;
        let mut jacobian = vec![0.0; pattern.nnz()];
        self.system.jacobian(t, q, v, &mut jacobian)?;
        let all = row_lengths(pattern, &jacobian);
        Ok(self.numbers.iter().map(|&k| all[k]).collect())
    }

    /// By what constraints are divided so that their gradients, of these lengths, are of one length, as powers of two; nothing where
    /// they are alike.
    pub(crate) fn divisors(&self, lengths: &[f64]) -> Vec<f64> {
        let present = || lengths.iter().copied().filter(|length| *length > 0.0);
        let (shortest, longest) = (present().fold(f64::INFINITY, f64::min), present().fold(0.0, f64::max));
        if !(longest > ALIKE * shortest) {
            return Vec::new();
        }
        let mut divisors = vec![1.0; self.system.structure().m()];
        for (&k, length) in self.numbers.iter().zip(lengths).filter(|(_, length)| **length > 0.0) {
            divisors[k] = length.log2().round().exp2();
        }
        divisors
    }

    /// The shortest change of coordinates that takes residuals away, in the norm given by the weights: coordinates of weight
    /// 0 stay. Where residuals contradict each other, they are left least.
    pub(crate) fn correction(&self, matrix: &[f64], residual: &[f64], weights: &[f64]) -> Vec<f64> {
        let (rows, n) = (self.numbers.len(), weights.len());
        let free: Vec<usize> = (0..n).filter(|&j| weights[j] > 0.0).collect();
        let weighted = free.iter().flat_map(|&j| {
            let weight = weights[j];
            matrix[j * rows..(j + 1) * rows].iter().map(move |entry| entry * weight)
        });
        let shortest = MinimumNorm::new(rows, free.len(), weighted.collect(), DEPENDENT);
        let opposite: Vec<f64> = residual.iter().map(|r| -r).collect();
        let mut change = vec![0.0; n];
        for (&j, x) in free.iter().zip(shortest.solve(&opposite)) {
            change[j] = weights[j] * x;
        }
        change
    }

    /// Corrects positions until g = 0 up to rounding; how far they would still move. Coordinates of weight 0 stay.
    pub(crate) fn approach(&self, t: f64, q: &mut [f64], v: &[f64], weights: &[f64]) -> Result<f64, Fault> {
        let mut last = 0.0;
        for _ in 0..MOST_CORRECTIONS {
            let (matrix, residual) = (self.matrix(t, q, v)?, self.values(t, q)?);
            let change = self.correction(&matrix, &residual, weights);
            q.iter_mut().zip(&change).for_each(|(q, change)| *q += change);
            last = largest(&change);
            if last <= CLOSE_ENOUGH * (1.0 + largest(q)) {
                break;
            }
        }
        Ok(last)
    }
}

/// Squares between these bounds have neither lost digits nor overflown.
const PLAIN_SQUARES: (f64, f64) = (1e-200, 1e200);

/// The lengths of the rows of a matrix.
pub(crate) fn row_lengths(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let mut lengths = vec![0.0_f64; pattern.rows()];
    for (&row, value) in pattern.row_indices().iter().zip(values) {
        lengths[row] += value * value;
    }
    if lengths.iter().all(|square| (PLAIN_SQUARES.0..PLAIN_SQUARES.1).contains(square)) {
        lengths.iter_mut().for_each(|square| *square = square.sqrt());
        return lengths;
    }
    // By the largest entry.
    let mut sizes = vec![0.0_f64; pattern.rows()];
    for (&row, value) in pattern.row_indices().iter().zip(values) {
        sizes[row] = sizes[row].max(value.abs());
    }
    lengths.fill(0.0);
    for (&row, value) in pattern.row_indices().iter().zip(values).filter(|(_, value)| **value != 0.0) {
        lengths[row] += (value / sizes[row]).powi(2);
    }
    sizes.iter().zip(lengths).map(|(size, square)| size * square.sqrt()).collect()
}

/// Newton's iteration gives up after so many corrections.
const MOST_CORRECTIONS: usize = 30;
/// It ends when a correction is below this share of the positions.
const CLOSE_ENOUGH: f64 = 1e-14;

/// The largest |xᵢ|.
pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, x| x.abs().max(largest))
}
