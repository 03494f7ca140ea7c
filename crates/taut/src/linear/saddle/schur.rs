//! Saddle systems whose mass matrix couples few coordinates: the coordinates are eliminated first.

mod chain;
mod coupled;

use super::{Blocks, SaddlePattern, Scales};
use crate::linear::definite::DefiniteLdl;
use crate::linear::{Pattern, ordering};
use chain::Chain;
use coupled::CoupledMasses;

/// A mass below this share of the largest one is not divided by: multipliers may hold what has no mass of its own.
const SMALLEST_MASS: f64 = 1e-10;

/// [M Gᵀ; G −C] by the complement S = G M⁻¹Gᵀ + C of the multipliers, where M is diagonal but for small blocks.
///
/// S is definite as long as masses are positive and no constraint follows from others, so that no pivots have to be chosen.
/// Of a chain it is tridiagonal, or has blocks like a tridiagonal matrix.
#[derive(Clone, Debug)]
pub(super) struct Schur {
    mass: Pattern,
    jacobian: Pattern,
    /// coordinates that share mass with no other, and the places of their masses
    single: Vec<[usize; 2]>,
    /// the entries of G in columns of single coordinates where there are others, too: constraint, coordinate, place
    entries: Vec<[usize; 3]>,
    /// all coordinates are single
    is_diagonal: bool,
    /// for each pair of entries Gᵢₖ, Gⱼₖ of such a column of G their places, after that of Sᵢⱼ
    pairs: Vec<[usize; 3]>,
    coupled: CoupledMasses,
    /// all of G is that of chains of points
    chain: Option<Chain>,
    /// the factor and the masses that reciprocals were found of last: they are seldom others
    known_masses: (f64, Vec<f64>),
    /// of single coordinates; 0 of the others
    reciprocal_masses: Vec<f64>,
    jacobian_values: Vec<f64>,
    /// G M⁻¹
    scaled_values: Vec<f64>,
    complement: DefiniteLdl,
}

impl Schur {
    /// Storage for matrices of this pattern, where M is diagonal, or symmetric with few coordinates that share mass, there is
    /// nothing else beside it, and this takes at most `multiplications`.
    pub(super) fn new(pattern: &SaddlePattern, symmetric: bool, multiplications: f64) -> Option<Self> {
        let SaddlePattern { n, m, mass, damping, stiffness, jacobian } = pattern;
        if !(symmetric || mass.is_diagonal()) || damping.nnz() > 0 || stiffness.nnz() > 0 {
            return None;
        }
        let mut coupled = CoupledMasses::new(pattern)?;
        let is_single: Vec<bool> = (0..*n).map(|k| mass.column(k).iter().all(|&i| i == k)).collect();
        let single = (0..*n).filter(|&k| is_single[k]);
        let single: Vec<[usize; 2]> =
            single.map(|k| Some([k, mass.position(k, k)?])).collect::<Option<_>>()?;
        let of_single: usize = single.iter().map(|&[k, _]| jacobian.column(k).len().pow(2)).sum();
        let count = of_single + coupled.multiplications();
        if count as f64 > multiplications {
            return None;
        }
        let row = |place: usize| jacobian.row_indices()[place];
        let shared: Vec<(usize, usize)> = pairs(jacobian, &single).collect();
        let places = shared.iter().map(|&(a, b)| (row(a), row(b))).chain(coupled.shared());
        let complement = Pattern::from_entries(*m, *m, places.flat_map(|(i, j)| [(i, j), (j, i)]));
        let (order, of_complement) = ordering::minimum_degree(&complement);
        if count as f64 + of_complement > multiplications {
            return None;
        }
        let order = ordering::from_both_ends(&complement).unwrap_or(order);
        let complement = DefiniteLdl::new(&complement, order);
        coupled.connect(|i, j| complement.place(i, j));
        let pair = |(a, b): (usize, usize)| complement.place(row(a), row(b)).map(|place| [place, a, b]);
        let columns = jacobian.column_indices();
        let is_diagonal = single.len() == *n;
        let entries = (0..jacobian.nnz()).filter(|&place| !is_diagonal && is_single[columns[place]]);
        Some(Schur {
            is_diagonal,
            chain: Chain::new(jacobian, &complement).filter(|_| is_diagonal),
            known_masses: (f64::NAN, vec![f64::NAN; mass.nnz()]),
            mass: mass.clone(),
            entries: entries.map(|place| [row(place), columns[place], place]).collect(),
            pairs: shared.into_iter().filter_map(pair).collect(),
            single,
            coupled,
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
        if !self.find_reciprocal_masses(scales.alpha, blocks.mass) {
            return false;
        }
        if !self.coupled.factor(scales.alpha, blocks.mass, blocks.jacobian) {
            return false;
        }
        self.jacobian_values.copy_from_slice(blocks.jacobian);
        self.write_complement();
        let springs = blocks.springs(-scales.delta, scales.beta);
        for (entry, (scale, compliance)) in self.complement.values_mut().0.iter_mut().zip(springs) {
            *entry -= scale * compliance;
        }
        self.complement.factor()
    }

    /// Those of single coordinates; false where a mass is too small to be divided by.
    fn find_reciprocal_masses(&mut self, alpha: f64, mass: &[f64]) -> bool {
        if self.known_masses.0 == alpha && are_equal(&self.known_masses.1, mass) {
            return true;
        }
        self.known_masses.0 = f64::NAN;
        let masses = self.single.iter().map(|&[k, place]| (k, mass[place]));
        let largest = masses.clone().fold(0.0_f64, |largest, (_, mass)| largest.max(mass.abs()));
        for (k, mass) in masses {
            if mass.abs() <= SMALLEST_MASS * largest || mass.is_nan() {
                return false;
            }
            self.reciprocal_masses[k] = 1.0 / (alpha * mass);
        }
        self.known_masses.0 = alpha;
        self.known_masses.1.copy_from_slice(mass);
        true
    }

    /// G M⁻¹ and G M⁻¹Gᵀ
    fn write_complement(&mut self) {
        let (g, scaled) = (&self.jacobian_values, &mut self.scaled_values);
        let (diagonal, lower) = self.complement.values_mut();
        diagonal.fill(0.0);
        lower.fill(0.0);
        if let Some(chain) = &self.chain {
            return chain.write(&self.reciprocal_masses, g, scaled, (diagonal, lower));
        }
        if self.is_diagonal {
            let places = self.jacobian.row_indices().iter().zip(self.jacobian.column_indices());
            for ((&i, &k), (scaled, &g)) in places.zip(scaled.iter_mut().zip(g)) {
                *scaled = g * self.reciprocal_masses[k];
                diagonal[i] += *scaled * g;
            }
        }
        for &[i, k, place] in &self.entries {
            scaled[place] = g[place] * self.reciprocal_masses[k];
            diagonal[i] += scaled[place] * g[place];
        }
        for &[place, a, b] in &self.pairs {
            lower[place] += scaled[a] * g[b];
        }
        self.coupled.add_complement(diagonal, lower);
    }

    /// S μ = G M⁻¹b − c and M x = b − Gᵀμ
    pub(super) fn solve(&self, rhs: &mut [f64]) {
        let (x, multipliers) = rhs.split_at_mut(self.mass.cols());
        multipliers.iter_mut().for_each(|row| *row = -*row);
        if self.is_diagonal {
            x.iter_mut().zip(&self.reciprocal_masses).for_each(|(x, reciprocal)| *x *= reciprocal);
            self.jacobian.multiply_add(&self.jacobian_values, x, multipliers, 1.0);
        } else {
            for &[k, _] in &self.single {
                x[k] *= self.reciprocal_masses[k];
            }
            for &[i, k, place] in &self.entries {
                multipliers[i] += self.jacobian_values[place] * x[k];
            }
            self.coupled.descend(x, multipliers);
        }
        self.complement.solve(multipliers);
        self.ascend(x, multipliers);
    }

    /// [`Self::solve`] where b = 0, whatever stands there.
    pub(super) fn solve_rows(&self, rhs: &mut [f64]) {
        let (x, multipliers) = rhs.split_at_mut(self.mass.cols());
        x.fill(0.0);
        multipliers.iter_mut().for_each(|row| *row = -*row);
        self.complement.solve(multipliers);
        self.ascend(x, multipliers);
    }

    /// Takes M⁻¹Gᵀμ away.
    fn ascend(&self, x: &mut [f64], multipliers: &[f64]) {
        if self.is_diagonal {
            return self.jacobian.transpose_multiply_add(&self.scaled_values, multipliers, x, -1.0);
        }
        for &[i, k, place] in &self.entries {
            x[k] -= self.scaled_values[place] * multipliers[i];
        }
        self.coupled.ascend(multipliers, x);
    }
}

/// Whether all numbers are the same, eight at a time.
fn are_equal(a: &[f64], b: &[f64]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let eight = |(a, b): (&[f64; 8], &[f64; 8])| a.iter().zip(b).fold(true, |same, (a, b)| same & (a == b));
    a.len() == b.len() && a_rest == b_rest && a.iter().zip(b).all(eight)
}

/// The places of each two entries of single columns of G: their constraints share a coordinate.
fn pairs(jacobian: &Pattern, single: &[[usize; 2]]) -> impl Iterator<Item = (usize, usize)> {
    single.iter().flat_map(|&[k, _]| {
        let (start, end) = (jacobian.column_starts()[k], jacobian.column_starts()[k + 1]);
        (start..end).flat_map(move |a| (a + 1..end).map(move |b| (a, b)))
    })
}
