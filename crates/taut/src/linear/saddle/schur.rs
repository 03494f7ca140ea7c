//! Saddle systems with a diagonal mass matrix: the coordinates are eliminated first.

use super::{Blocks, SaddlePattern, Scales};
use crate::linear::definite::DefiniteLdl;
use crate::linear::{Pattern, ordering};

/// A mass below this share of the largest one is not divided by: multipliers may hold what has no mass of its own.
const SMALLEST_MASS: f64 = 1e-10;

/// [M Gᵀ; G −C] with diagonal M, by the complement S = G M⁻¹Gᵀ + C of the multipliers.
///
/// S is definite as long as masses are positive and no constraint follows from others, so that no pivots have to be chosen.
/// Of a chain it is tridiagonal.
#[derive(Clone, Debug)]
pub(super) struct Schur {
    mass: Pattern,
    jacobian: Pattern,
    /// for each pair of entries Gᵢₖ, Gⱼₖ of a column of G their places, after that of Sᵢⱼ
    pairs: Vec<[usize; 3]>,
    reciprocal_masses: Vec<f64>,
    jacobian_values: Vec<f64>,
    /// G M⁻¹
    scaled_values: Vec<f64>,
    complement: DefiniteLdl,
}

impl Schur {
    /// Storage for matrices of this pattern, where M is diagonal, there is nothing else beside it, and this takes at
    /// most `multiplications`.
    pub(super) fn new(pattern: &SaddlePattern, multiplications: f64) -> Option<Self> {
        let SaddlePattern { n, m, mass, damping, stiffness, jacobian } = pattern;
        if !mass.is_diagonal() || damping.nnz() > 0 || stiffness.nnz() > 0 {
            return None;
        }
        let count: usize = (0..*n).map(|k| jacobian.column(k).len().pow(2)).sum();
        if count as f64 > multiplications {
            return None;
        }
        let places = pairs(jacobian).map(|(a, b)| (jacobian.row_indices()[a], jacobian.row_indices()[b]));
        let complement = Pattern::from_entries(*m, *m, places.flat_map(|(i, j)| [(i, j), (j, i)]));
        let (order, of_complement) = ordering::minimum_degree(&complement);
        if count as f64 + of_complement > multiplications {
            return None;
        }
        let complement = DefiniteLdl::new(&complement, order);
        let place = |(a, b): (usize, usize)| {
            complement.place(jacobian.row_indices()[a], jacobian.row_indices()[b]).map(|place| [place, a, b])
        };
        Some(Schur {
            mass: mass.clone(),
            pairs: pairs(jacobian).filter_map(place).collect(),
            reciprocal_masses: vec![0.0; *n],
            jacobian_values: vec![0.0; jacobian.nnz()],
            scaled_values: vec![0.0; jacobian.nnz()],
            jacobian: jacobian.clone(),
            complement,
        })
    }

    /// The number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.mass.cols() + self.jacobian.rows()
    }

    /// The pattern of the whole matrix, for a general elimination.
    pub(super) fn pattern(&self) -> SaddlePattern {
        let (n, m) = (self.mass.cols(), self.jacobian.rows());
        let none = Pattern::empty(n, n);
        let (mass, jacobian) = (self.mass.clone(), self.jacobian.clone());
        SaddlePattern { n, m, mass, damping: none.clone(), stiffness: none, jacobian }
    }

    /// Takes the blocks over and factors; false where masses are too small to be divided by, or the complement is not
    /// definite.
    pub(super) fn factor(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        let largest = blocks.mass.iter().fold(0.0_f64, |largest, mass| largest.max(mass.abs()));
        if !blocks.mass.iter().all(|mass| mass.abs() > SMALLEST_MASS * largest) {
            return false;
        }
        for (reciprocal, mass) in self.reciprocal_masses.iter_mut().zip(blocks.mass) {
            *reciprocal = 1.0 / (scales.alpha * mass);
        }
        self.jacobian_values.copy_from_slice(blocks.jacobian);
        self.write_complement();
        let springs = blocks.springs(-scales.delta, scales.beta);
        for (entry, (scale, compliance)) in self.complement.values_mut().0.iter_mut().zip(springs) {
            *entry -= scale * compliance;
        }
        self.complement.factor()
    }

    /// G M⁻¹ and G M⁻¹Gᵀ
    fn write_complement(&mut self) {
        let (g, scaled) = (&self.jacobian_values, &mut self.scaled_values);
        let (diagonal, lower) = self.complement.values_mut();
        diagonal.fill(0.0);
        lower.fill(0.0);
        let entries = self.jacobian.row_indices().iter().zip(self.jacobian.column_indices());
        for (((&i, &k), &g), scaled) in entries.zip(g).zip(&mut *scaled) {
            *scaled = g * self.reciprocal_masses[k];
            diagonal[i] += *scaled * g;
        }
        for &[place, a, b] in &self.pairs {
            lower[place] += scaled[a] * g[b];
        }
    }

    /// S μ = G M⁻¹b − c and M x = b − Gᵀμ
    pub(super) fn solve(&self, rhs: &mut [f64]) {
        let (x, multipliers) = rhs.split_at_mut(self.mass.cols());
        for (x, reciprocal) in x.iter_mut().zip(&self.reciprocal_masses) {
            *x *= reciprocal;
        }
        multipliers.iter_mut().for_each(|row| *row = -*row);
        self.jacobian.multiply_add(&self.jacobian_values, x, multipliers, 1.0);
        self.complement.solve(multipliers);
        self.jacobian.transpose_multiply_add(&self.scaled_values, multipliers, x, -1.0);
    }
}

/// The places of each two entries of a column of G: their constraints share a coordinate.
fn pairs(jacobian: &Pattern) -> impl Iterator<Item = (usize, usize)> {
    let columns = jacobian.column_starts().windows(2);
    columns.flat_map(|ends| {
        let (start, end) = (ends[0], ends[1]);
        (start..end).flat_map(move |a| (a + 1..end).map(move |b| (a, b)))
    })
}
