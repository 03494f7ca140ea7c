//! The linear systems of the steps: saddle points of mass, damping, stiffness and constraints.

#[cfg(test)]
mod allocations;
mod assembly;
mod complex;
mod condition;
mod family;
mod masses;
mod real;
mod remembered;
mod schur;
#[cfg(test)]
mod tests;

pub use complex::ComplexSaddle;
pub(crate) use family::SaddleFamily;
pub use real::Saddle;

use super::{Complex, Pattern, ordering};
pub(super) use assembly::{Assembly, Factor};

/// The places of the entries of the matrix
///
/// ```text
/// [ alpha M + beta D + gamma K    G^T     ]
/// [ G                            -delta C ]
/// ```
///
/// with n coordinates and m constraints; C is diagonal. This is Newton's matrix of every implicit step in second-
/// order form (with rods C = 0, with stiff springs C is the compliance; Lubich 1992, section 8). With m = 0 it is
/// any matrix pencil, so alpha E + gamma J of E x' = f(x) has mass E, stiffness J and no damping.
///
/// Springs with dampers have C / (1 - beta delta R) in the place of C, R their relaxation times: with beta = -z and
/// delta = 1/z^2 the row (1 + R/z) G dq = C dlambda, divided by its first factor so that the matrix stays symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaddlePattern {
    /// Number of coordinates.
    pub n: usize,
    /// Number of constraints.
    pub m: usize,
    /// M, n by n.
    pub mass: Pattern,
    /// D, n by n.
    pub damping: Pattern,
    /// K, n by n.
    pub stiffness: Pattern,
    /// G, m by n.
    pub jacobian: Pattern,
}

impl SaddlePattern {
    /// The pattern of alpha E + gamma J: no constraints, no damping.
    pub fn pencil(mass: Pattern, stiffness: Pattern) -> Self {
        let n = mass.cols();
        Self { n, m: 0, mass, damping: Pattern::empty(n, n), stiffness, jacobian: Pattern::empty(0, n) }
    }

    /// The pattern of accelerations and multipliers, from those of M and G: neither damping nor stiffness.
    pub fn accelerations(mass: Pattern, jacobian: Pattern) -> Self {
        let (m, n) = (jacobian.rows(), jacobian.cols());
        Self { n, m, mass, damping: Pattern::empty(n, n), stiffness: Pattern::empty(n, n), jacobian }
    }

    /// n + m, the number of unknowns.
    pub fn size(&self) -> usize {
        self.n + self.m
    }

    /// The entries of all blocks in the whole matrix, in no order; those that blocks share come more than once.
    pub(super) fn entries(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.n;
        let blocks = [&self.mass, &self.damping, &self.stiffness].map(Pattern::entries);
        let lower = self.jacobian.entries().map(move |(i, j)| (n + i, j));
        let upper = self.jacobian.entries().map(move |(i, j)| (j, n + i));
        let compliance = (n..n + self.m).map(|i| (i, i));
        blocks.into_iter().flatten().chain(lower).chain(upper).chain(compliance)
    }

    /// The whole matrix.
    pub fn matrix(&self) -> Pattern {
        Pattern::from_entries(self.size(), self.size(), self.entries())
    }
}

/// The numbers of the blocks, each in the order of its pattern.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    /// M, as many values as the mass pattern has entries.
    pub mass: &'a [f64],
    /// D, as many values as the damping pattern has entries.
    pub damping: &'a [f64],
    /// K, as many values as the stiffness pattern has entries.
    pub stiffness: &'a [f64],
    /// G, as many values as the Jacobian pattern has entries.
    pub jacobian: &'a [f64],
    /// The diagonal of C: m values, or none where every constraint is rigid.
    pub compliance: &'a [f64],
    /// The relaxation times of damped springs: m values, or none where no spring is damped.
    pub relaxation: &'a [f64],
}

impl Blocks<'_> {
    /// The factor and the compliance of each spring, for the factors -delta of C and beta of D.
    #[inline(always)]
    pub(super) fn springs<T: Factor>(&self, minus_delta: T, beta: T) -> impl Iterator<Item = (T, f64)> {
        self.compliance.iter().enumerate().map(move |(k, &compliance)| match self.relaxation.get(k) {
            Some(relaxation) => (minus_delta.relaxed(beta, *relaxation), compliance),
            None => (minus_delta, compliance),
        })
    }
}

/// The factors of the blocks of a real matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Factor of M.
    pub alpha: f64,
    /// Factor of D.
    pub beta: f64,
    /// Factor of K.
    pub gamma: f64,
    /// Factor of C, which enters as -delta C.
    pub delta: f64,
}

impl Scales {
    /// In the order of [`Assembly::each`].
    pub(super) fn factors(self) -> [f64; 5] {
        [self.alpha, self.beta, self.gamma, 1.0, -self.delta]
    }
}

/// The factors of the blocks of a complex matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComplexScales {
    /// Factor of M.
    pub alpha: Complex,
    /// Factor of D.
    pub beta: Complex,
    /// Factor of K.
    pub gamma: Complex,
    /// Factor of C, which enters as -delta C.
    pub delta: Complex,
}

impl From<Scales> for ComplexScales {
    fn from(scales: Scales) -> Self {
        let [alpha, beta, gamma, delta] =
            [scales.alpha, scales.beta, scales.gamma, scales.delta].map(Complex::from);
        Self { alpha, beta, gamma, delta }
    }
}

impl ComplexScales {
    /// In the order of [`Assembly::each`].
    fn factors(self) -> [Complex; 5] {
        [self.alpha, self.beta, self.gamma, Complex::from(1.0), -self.delta]
    }
}

/// How the matrix is stored and factored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// Dense up to [`Choice::ALWAYS_DENSE`] unknowns; with constraints in a fixed order without exchange of rows, where
    /// pivots are good, and the matrices of all eigenvalues of a Runge-Kutta matrix together, where they are sparse. Beyond,
    /// the operations of a sparse elimination are counted in
    /// the order that would be used; sparse if they, each [`Choice::SPARSE_COST`] times as slow as in the dense
    /// loops, are fewer than the N^3 / 3 of the dense one.
    #[default]
    Auto,
    /// Dense elimination: best for small or full matrices.
    Dense,
    /// Sparse elimination: best for long chains and large nets.
    Sparse,
}

impl Choice {
    /// So few unknowns are never worth the bookkeeping of a sparse elimination.
    pub const ALWAYS_DENSE: usize = 60;

    /// How much longer a multiplication takes in a sparse elimination than in a dense one. Measured: on random
    /// patterns of 64 to 200 unknowns the times of both cross where this makes the rule change.
    pub const SPARSE_COST: f64 = 10.0;

    /// Whether pivots may be taken in a fixed order, as long as they are good.
    fn may_fix_order(self) -> bool {
        self == Self::Auto
    }

    /// How to factor sparse, if that shall be done.
    fn sparse_order(self, pattern: &SaddlePattern) -> Option<SparseOrder> {
        let size = pattern.size();
        if self == Self::Dense || (self == Self::Auto && size <= Self::ALWAYS_DENSE) {
            return None;
        }
        let (matrix, assembly) = Assembly::sparse(pattern);
        let (order, multiplications) = ordering::minimum_degree(&matrix);
        let pays = Self::SPARSE_COST * multiplications < (size as f64).powi(3) / 3.0;
        (self == Self::Sparse || pays).then_some(SparseOrder { matrix, assembly, order, multiplications })
    }
}

/// The whole matrix, dense and column-major.
#[cfg(test)]
pub(super) fn dense_matrix(pattern: &SaddlePattern, blocks: &Blocks<'_>, scales: Scales) -> Vec<f64> {
    let mut matrix = vec![0.0; pattern.size() * pattern.size()];
    Assembly::dense(pattern, pattern.size())
        .each(blocks, scales.factors(), |place, scale, value| matrix[place] += scale * value);
    matrix
}

/// How a matrix is factored sparse.
struct SparseOrder {
    /// the whole matrix
    matrix: Pattern,
    /// where its blocks lie in it
    assembly: Assembly,
    /// of its elimination
    order: Vec<usize>,
    multiplications: f64,
}
