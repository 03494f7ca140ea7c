//! Saddle systems with a diagonal mass matrix: the coordinates are eliminated first.

use super::{Blocks, SaddlePattern, Scales};
use crate::linear::{Pattern, Singular, SparseLu, ordering};

/// A mass below this share of the largest one is not divided by: multipliers may hold what has no mass of its own.
const SMALLEST_MASS: f64 = 1e-10;

/// [M Gᵀ; G −C] with diagonal M, by the complement S = G M⁻¹Gᵀ + C of the multipliers.
///
/// Of a chain S is tridiagonal, and a solution takes a third of the operations of a general elimination.
#[derive(Clone, Debug)]
pub(super) struct Schur {
    mass: Pattern,
    jacobian: Pattern,
    /// where the terms Gᵢₖ Gⱼₖ / Mₖ belong, for each coordinate k the pairs (i, j) of its constraints
    places: Vec<usize>,
    /// where the diagonal of S is
    diagonal: Vec<usize>,
    reciprocal_masses: Vec<f64>,
    jacobian_values: Vec<f64>,
    /// G M⁻¹
    scaled_values: Vec<f64>,
    complement: SparseLu<f64>,
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
        let complement = Pattern::from_entries(*m, *m, pairs(jacobian).chain((0..*m).map(|i| (i, i))));
        let (order, of_complement) = ordering::minimum_degree(&complement);
        // The pattern holds every pair.
        let place = |(i, j): (usize, usize)| complement.position(i, j).unwrap_or_default();
        if count as f64 + of_complement > multiplications {
            return None;
        }
        Some(Schur {
            mass: mass.clone(),
            places: pairs(jacobian).map(place).collect(),
            diagonal: (0..*m).map(|i| place((i, i))).collect(),
            reciprocal_masses: vec![0.0; *n],
            jacobian_values: vec![0.0; jacobian.nnz()],
            scaled_values: vec![0.0; jacobian.nnz()],
            jacobian: jacobian.clone(),
            complement: SparseLu::with_order(complement, order),
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

    /// Takes the blocks over; false where masses are too small to be divided by.
    pub(super) fn assemble(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        let largest = blocks.mass.iter().fold(0.0_f64, |largest, mass| largest.max(mass.abs()));
        if !blocks.mass.iter().all(|mass| mass.abs() > SMALLEST_MASS * largest) {
            return false;
        }
        for (reciprocal, mass) in self.reciprocal_masses.iter_mut().zip(blocks.mass) {
            *reciprocal = 1.0 / (scales.alpha * mass);
        }
        self.jacobian_values.copy_from_slice(blocks.jacobian);
        let values = self.complement.values_mut();
        values.fill(0.0);
        let mut places = self.places.iter();
        for (reciprocal, ends) in self.reciprocal_masses.iter().zip(self.jacobian.column_starts().windows(2))
        {
            let column = &blocks.jacobian[ends[0]..ends[1]];
            for (g, scaled) in column.iter().zip(&mut self.scaled_values[ends[0]..ends[1]]) {
                *scaled = g * reciprocal;
                for (other, &place) in column.iter().zip(&mut places) {
                    values[place] += *scaled * other;
                }
            }
        }
        let springs = blocks.springs(-scales.delta, scales.beta);
        for (&place, (scale, compliance)) in self.diagonal.iter().zip(springs) {
            values[place] -= scale * compliance;
        }
        true
    }

    /// The elimination of the complement.
    pub(super) fn complement(&self) -> &SparseLu<f64> {
        &self.complement
    }

    /// The elimination of the complement.
    pub(super) fn complement_mut(&mut self) -> &mut SparseLu<f64> {
        &mut self.complement
    }

    /// Factors the complement.
    pub(super) fn factor(&mut self) -> Result<(), Singular> {
        let n = self.mass.cols();
        self.complement.factor().map_err(|Singular { pivot }| Singular { pivot: n + pivot })
    }

    /// S μ = G M⁻¹b − c and M x = b − Gᵀμ; `solve` solves with the complement.
    pub(super) fn solve(&self, rhs: &mut [f64], solve: impl Fn(&SparseLu<f64>, &mut [f64])) {
        let (x, multipliers) = rhs.split_at_mut(self.mass.cols());
        for (x, reciprocal) in x.iter_mut().zip(&self.reciprocal_masses) {
            *x *= reciprocal;
        }
        multipliers.iter_mut().for_each(|row| *row = -*row);
        self.jacobian.multiply_add(&self.jacobian_values, x, multipliers, 1.0);
        solve(&self.complement, multipliers);
        self.jacobian.transpose_multiply_add(&self.scaled_values, multipliers, x, -1.0);
    }
}

/// The places of S: pairs of constraints that share a coordinate.
fn pairs(jacobian: &Pattern) -> impl Iterator<Item = (usize, usize)> {
    (0..jacobian.cols()).flat_map(|k| {
        let column = jacobian.column(k);
        column.iter().flat_map(move |&i| column.iter().map(move |&j| (i, j)))
    })
}
