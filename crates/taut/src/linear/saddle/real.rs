//! Saddle systems with real scales.

use std::sync::Arc;

use super::SparseOrder;
use super::assembly::Assembly;
use super::masses::Masses;
use super::remembered::remembered;
use super::schur::Schur;
use super::{Blocks, Choice, SaddlePattern, Scales};
use crate::linear::dense::blocks::BLOCK;
use crate::linear::ordered::OrderedLu;
use crate::linear::paired::Paired;
use crate::linear::pivots::KeepsPivots;
use crate::linear::recorded::RecordedLdl;
use crate::linear::{Behind, DenseLu, Pattern, Singular, SparseLu, ordering};

/// The real saddle system: assembled from its blocks, factored, solved; nothing is allocated after [`new`](Self::new),
/// except where a sparse factorisation has to choose new pivots. Large systems with a mass matrix that is diagonal but for
/// small blocks, and nothing else beside it, are solved by the complement G M⁻¹Gᵀ of the multipliers.
///
/// ```
/// use taut::linear::measured::{Blocks, Saddle, SaddlePattern, Scales};
/// use taut::linear::{Choice, Pattern};
/// // A bead of mass 2 on a rod along y, pushed by (3, 4): [2 0 0; 0 2 1; 0 1 0] (a, lambda) = (3, 4, 0).
/// let pattern = SaddlePattern {
///     n: 2,
///     m: 1,
///     mass: Pattern::diagonal(2),
///     damping: Pattern::empty(2, 2),
///     stiffness: Pattern::empty(2, 2),
///     jacobian: Pattern::dense(1, 2),
/// };
/// let blocks =
///     Blocks { mass: &[2.0, 2.0], damping: &[], stiffness: &[], jacobian: &[0.0, 1.0], compliance: &[], relaxation: &[] };
/// let mut saddle = Saddle::new(&pattern, Choice::Auto);
/// saddle.assemble_and_factor(&blocks, Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 })?;
/// let mut x = [3.0, 4.0, 0.0];
/// saddle.solve(&mut x);
/// assert_eq!(x, [1.5, 0.0, 4.0]);
/// # Ok::<(), taut::linear::Singular>(())
/// ```
#[derive(Clone, Debug)]
pub struct Saddle {
    assembly: Arc<Assembly>,
    factors: Factors,
    in_fixed_order: Option<(Box<FixedOrder>, Masses)>,
    /// The last factorisation is the one in fixed order.
    is_ordered: bool,
}

/// An elimination whose pivots are known beforehand.
#[derive(Clone, Debug)]
enum FixedOrder {
    Blocks(OrderedLu),
    Recorded(RecordedLdl),
    Paired(Box<Paired>),
}

impl FixedOrder {
    fn new(pattern: &SaddlePattern, symmetric: bool) -> Option<Self> {
        if let Some(paired) = Paired::new(pattern).filter(|_| symmetric) {
            return Some(Self::Paired(Box::new(paired)));
        }
        let recorded = if symmetric { RecordedLdl::new(pattern) } else { None };
        match recorded {
            Some(recorded) => Some(Self::Recorded(recorded)),
            None => OrderedLu::new(pattern, symmetric).map(Self::Blocks),
        }
    }

    fn factor(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        match self {
            Self::Blocks(lu) => lu.factor(blocks, scales),
            Self::Recorded(ldl) => ldl.factor(blocks, scales),
            Self::Paired(paired) => paired.factor(blocks, scales),
        }
    }

    fn solve(&self, rhs: &mut [f64]) {
        match self {
            Self::Blocks(lu) => lu.solve(rhs),
            Self::Recorded(ldl) => ldl.solve(rhs),
            Self::Paired(paired) => paired.solve(rhs),
        }
    }

    /// False, and nothing done, where this is not to be done together.
    fn solve_together(&self, rhs: &mut [f64]) -> bool {
        match self {
            Self::Blocks(_) | Self::Paired(_) => false,
            Self::Recorded(ldl) => ldl.solve_together(rhs),
        }
    }
}

#[derive(Clone, Debug)]
enum Factors {
    Dense(Box<DenseLu>),
    Sparse(Box<SparseLu<f64>>),
    Schur(Box<Schur>),
}

impl Saddle {
    /// Storage for matrices of this pattern.
    pub fn new(pattern: &SaddlePattern, choice: Choice) -> Self {
        Self::with_symmetry(pattern, choice, false)
    }

    /// Storage for matrices of any pattern, with an order for the sparse ones of them that has good pivots.
    pub(crate) fn pencil(matrix: Pattern, choice: Choice, behind: impl FnOnce() -> Option<Behind>) -> Self {
        let size = matrix.cols();
        let mut saddle = Self::new(&SaddlePattern::pencil(matrix, Pattern::empty(size, size)), choice);
        if let Factors::Sparse(lu) = saddle.factors {
            saddle.factors = Factors::Sparse(Box::new(lu.or_behind(behind())));
        }
        saddle
    }

    /// Storage for matrices of this pattern that will be symmetric, which saves operations.
    pub fn symmetric(pattern: &SaddlePattern, choice: Choice) -> Self {
        Self::with_symmetry(pattern, choice, true)
    }

    fn with_symmetry(pattern: &SaddlePattern, choice: Choice, symmetric: bool) -> Self {
        remembered(pattern, choice, symmetric, || Self::set_up(pattern, choice, symmetric))
    }

    fn set_up(pattern: &SaddlePattern, choice: Choice, symmetric: bool) -> Self {
        let (assembly, factors) = match choice.sparse_order(pattern) {
            None => {
                let lu = DenseLu::new(pattern.size());
                (Assembly::dense(pattern, lu.stride()), Factors::Dense(Box::new(lu)))
            }
            Some(SparseOrder { matrix, assembly, order, multiplications }) => {
                let factors = match Schur::new(pattern, symmetric, multiplications) {
                    Some(schur) => Factors::Schur(Box::new(schur)),
                    None => {
                        let behind = ordering::behind_coordinates(pattern);
                        let lu = SparseLu::with_order(matrix, order).or_behind(behind);
                        Factors::Sparse(Box::new(lu))
                    }
                };
                (assembly, factors)
            }
        };
        let in_fixed_order = match choice.may_fix_order() {
            true => FixedOrder::new(pattern, symmetric).map(Box::new).zip(Masses::of(pattern)),
            false => None,
        };
        Self { assembly: Arc::new(assembly), factors, in_fixed_order, is_ordered: false }
    }

    /// Takes the storage, and leaves none.
    pub(crate) fn take(&mut self) -> Self {
        let factors = Factors::Dense(Box::new(DenseLu::new(0)));
        let nothing = Self { assembly: Arc::default(), factors, in_fixed_order: None, is_ordered: false };
        std::mem::replace(self, nothing)
    }

    /// The number of unknowns, n + m.
    pub fn size(&self) -> usize {
        match &self.factors {
            Factors::Dense(lu) => lu.size(),
            Factors::Sparse(lu) => lu.size(),
            Factors::Schur(schur) => schur.size(),
        }
    }

    /// Whether the elimination is sparse.
    pub fn is_sparse(&self) -> bool {
        !matches!(self.factors, Factors::Dense(_))
    }

    /// Puts the matrix together and factors it.
    ///
    /// # Errors
    /// [`Singular`] names the unknown without a pivot. A constraint (`pivot >= n`) then most likely follows from
    /// others; which, tells [`ConstraintRank`](crate::linear::ConstraintRank). Rounding can hide this: a
    /// redundant constraint may leave a pivot that is tiny and not zero, and multipliers that are large.
    pub fn assemble_and_factor(&mut self, blocks: &Blocks<'_>, scales: Scales) -> Result<(), Singular> {
        if let Some((ordered, masses)) = &mut self.in_fixed_order {
            self.is_ordered = masses.are_there(blocks) && ordered.factor(blocks, scales);
            if self.is_ordered {
                return Ok(());
            }
        }
        if let Factors::Schur(schur) = &mut self.factors
            && !schur.factor(blocks, scales)
        {
            self.factors = Factors::Sparse(Box::new(of_saddle(&schur.pattern())));
        }
        let assembly = &self.assembly;
        let write = |matrix: &mut [f64]| {
            matrix.fill(0.0);
            assembly.each(blocks, scales.factors(), |place, scale, value| matrix[place] += scale * value);
        };
        match &mut self.factors {
            Factors::Dense(lu) => {
                write(lu.matrix_mut());
                lu.factor()
            }
            Factors::Sparse(lu) => {
                write(lu.values_mut());
                lu.factor()
            }
            Factors::Schur(_) => Ok(()),
        }
    }

    /// [`solve`](Self::solve) for iterations that find out themselves how good a solution is: sparse solutions are not
    /// refined unless the pivots have become bad.
    pub fn solve_once(&self, rhs: &mut [f64]) {
        if let Some(ordered) = self.at_hand() {
            return ordered.solve(rhs);
        }
        match &self.factors {
            Factors::Dense(lu) => lu.solve(rhs),
            Factors::Sparse(lu) => lu.solve_once(rhs),
            Factors::Schur(schur) => schur.solve(rhs),
        }
    }

    /// [`solve_once`](Self::solve_once) for a right-hand side that is nothing but rows of constraints, whatever stands before them.
    pub(crate) fn solve_rows(&self, rhs: &mut [f64], n: usize) {
        match (self.at_hand(), &self.factors) {
            (Some(FixedOrder::Paired(paired)), _) => return paired.solve_rows(rhs),
            (None, Factors::Schur(schur)) => return schur.solve_rows(rhs),
            _ => {}
        }
        rhs[..n].fill(0.0);
        self.solve_once(rhs);
    }

    /// [`solve_once`](Self::solve_once) for several right-hand sides, which lie one after the other. Up to four of a small
    /// symmetric matrix cost about as much as one.
    pub fn solve_together(&self, rhs: &mut [f64]) {
        if self.at_hand().is_some_and(|ordered| ordered.solve_together(rhs)) {
            return;
        }
        for rhs in rhs.chunks_exact_mut(self.size().max(1)) {
            self.solve_once(rhs);
        }
    }

    /// Writes the inverse of a small symmetric matrix, row by row in pieces. False, and nothing done, where it is no such matrix.
    pub(crate) fn invert(&self, pieces: usize, inverse: &mut [[f64; BLOCK]]) -> bool {
        let Some(FixedOrder::Recorded(ldl)) = self.at_hand() else { return false };
        ldl.invert(pieces, inverse);
        true
    }

    /// Replaces the right-hand side (n + m values) by the solution. Call after a factorisation that succeeded.
    pub fn solve(&self, rhs: &mut [f64]) {
        if let Some(ordered) = self.at_hand() {
            return ordered.solve(rhs);
        }
        match &self.factors {
            Factors::Dense(lu) => lu.solve(rhs),
            Factors::Sparse(lu) => lu.solve(rhs),
            Factors::Schur(schur) => schur.solve(rhs),
        }
    }

    /// The factors in fixed order, if the last factorisation made them.
    fn at_hand(&self) -> Option<&FixedOrder> {
        self.in_fixed_order.as_ref().filter(|_| self.is_ordered).map(|(ordered, _)| &**ordered)
    }
}

/// Storage for the elimination of a whole matrix.
fn of_saddle(pattern: &SaddlePattern) -> SparseLu<f64> {
    SparseLu::new(pattern.matrix()).or_behind(ordering::behind_coordinates(pattern))
}

impl KeepsPivots for Saddle {
    fn chosen_for(&self) -> Vec<f64> {
        match &self.factors {
            Factors::Dense(_) | Factors::Schur(_) => Vec::new(),
            Factors::Sparse(lu) => lu.chosen_for().to_vec(),
        }
    }

    fn choose_for(&mut self, values: &[f64]) -> bool {
        if let Factors::Schur(schur) = &mut self.factors
            && !values.is_empty()
        {
            // The complement was no longer good enough.
            self.factors = Factors::Sparse(Box::new(of_saddle(&schur.pattern())));
        }
        match &mut self.factors {
            Factors::Sparse(lu) => lu.choose_for(values),
            Factors::Dense(_) | Factors::Schur(_) => values.is_empty(),
        }
    }
}

#[cfg(test)]
impl Saddle {
    /// The entries of the factors of a sparse elimination.
    pub(crate) fn fill(&self) -> usize {
        match &self.factors {
            Factors::Sparse(lu) => lu.fill(),
            Factors::Dense(_) | Factors::Schur(_) => 0,
        }
    }
}
