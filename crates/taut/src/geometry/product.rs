//! G f_z, the product of two sparse blocks.

use crate::linear::Pattern;
use crate::system::PartitionStructure;

/// How G f_z is put together from the entries of G and of the derivatives of the rates.
pub(crate) struct Product {
    pattern: Pattern,
    /// the place in the product, in G and in the rates of each term
    terms: Vec<[usize; 3]>,
    /// space for the product
    values: Vec<f64>,
}

impl Product {
    pub(crate) fn of_end_rate(structure: &PartitionStructure) -> Self {
        let (n, p) = (structure.n(), structure.p());
        let of_z = || {
            let rates = structure.rates.entries().enumerate();
            rates.filter(move |(_, (i, j))| *i < n && (n..n + p).contains(j))
        };
        let pairs = || {
            structure.jacobian.entries().enumerate().flat_map(move |(e, (k, i))| {
                of_z().filter(move |(_, (row, _))| *row == i).map(move |(d, (_, j))| ([e, d], (k, j - n)))
            })
        };
        let (pattern, terms) = Pattern::with_places(structure.m(), p, |place| {
            pairs().map(|([e, d], (k, j))| [place(k, j), e, d]).collect()
        });
        Product { values: vec![0.0; pattern.nnz()], terms, pattern }
    }

    /// Its places, m × p.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.pattern.entries()
    }

    /// Its values, in the order of its places.
    pub(crate) fn values(&mut self, jacobian: &[f64], rates: &[f64]) -> &[f64] {
        self.values.fill(0.0);
        for &[place, e, d] in &self.terms {
            self.values[place] += jacobian[e] * rates[d];
        }
        &self.values
    }
}
