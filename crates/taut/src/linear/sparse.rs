//! Sparse LU factorisation, real and complex.

mod analysis;
mod factors;
#[cfg(test)]
mod tests;

use super::{Behind, Complex, Number, Pattern, Singular, ordering};
use analysis::{Columnwise, choose_pivots, weights_of_rows};
use factors::Factors;
use std::sync::{Mutex, PoisonError};

/// P A Q = L U of a sparse matrix by the method of Gilbert and Peierls (SIAM J. Sci. Stat. Comput. 9, 1988), for
/// matrices whose places stay while their values change.
///
/// The first factorisation chooses the pivots P by size with a preference for the diagonal, the columns Q by
/// approximate minimum degree. The following ones keep both, and with them the pattern of L and U, until a
/// multiplier shows that the pivots have become bad; then new ones are chosen. One step of iterative refinement makes up
/// in [`solve`](Self::solve) for pivots that are not the best. Apart from a new choice of pivots nothing is allocated.
#[derive(Debug)]
pub struct SparseLu<T> {
    pattern: Pattern,
    values: Vec<T>,
    /// The column that is eliminated as the k-th.
    order: Vec<usize>,
    /// The order by minimum degree, and the other one.
    by_degree: Vec<usize>,
    behind: Option<Behind>,
    factors: Option<Factors<T>>,
    /// The values for which the pivots were chosen.
    chosen_for: Vec<T>,
    /// The largest multiplier |l| of the last factorisation.
    growth: f64,
    /// One column of the matrix under elimination; zero between the columns.
    column: Vec<T>,
    /// The vectors of a solve. A lock, because solving with a factorisation does not change it.
    scratch: Mutex<Scratch<T>>,
}

#[derive(Clone, Debug)]
struct Scratch<T> {
    right_side: Vec<T>,
    solution: Vec<T>,
    correction: Vec<T>,
}

impl<T: Number> SparseLu<T> {
    /// The multiplier |l| beyond which kept pivots are given up. Freshly chosen pivots have |l| <= 10; one
    /// refinement step recovers the three digits that this limit may cost.
    pub const GROWTH_LIMIT: f64 = 1e3;

    /// The multiplier |l| up to which [`solve_once`](Self::solve_once) is as good as with freshly chosen pivots.
    pub const FRESH_GROWTH: f64 = 10.0;

    /// Storage for square matrices of this pattern; one that is not square is filled up with zeros and found singular.
    pub fn new(pattern: Pattern) -> Self {
        let n = pattern.rows().max(pattern.cols());
        let pattern = pattern.union(&Pattern::empty(n, n));
        let (order, _) = ordering::minimum_degree(&pattern);
        Self::with_order(pattern, order)
    }

    /// Storage for square matrices of this pattern whose columns are eliminated in the given order.
    pub(super) fn with_order(pattern: Pattern, order: Vec<usize>) -> Self {
        let n = pattern.cols();
        let zero = vec![T::ZERO; n];
        Self {
            values: vec![T::ZERO; pattern.nnz()],
            pattern,
            by_degree: order.clone(),
            order,
            behind: None,
            factors: None,
            chosen_for: Vec::new(),
            growth: 0.0,
            column: zero.clone(),
            scratch: Mutex::new(Scratch {
                right_side: zero.clone(),
                solution: zero.clone(),
                correction: zero,
            }),
        }
    }

    /// The same for a saddle matrix, with a second order to choose from: that with fewer entries in the factors is taken.
    pub(super) fn or_behind(mut self, behind: Option<Behind>) -> Self {
        self.behind = behind;
        self
    }

    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.pattern.cols()
    }

    /// The entries of L and U together, a measure of storage and time; zero before the first factorisation.
    #[cfg(test)]
    pub(super) fn fill(&self) -> usize {
        self.factors.as_ref().map_or(0, Factors::entries)
    }

    /// The values of the matrix in pattern order. A factorisation leaves them as they are.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Factors the matrix, on the pattern and the pivots of the last time if they serve.
    ///
    /// # Errors
    /// [`Singular`] with the first column, in the order of elimination, that depends on those before it.
    pub fn factor(&mut self) -> Result<(), Singular> {
        if let Some(factors) = &mut self.factors
            && let Ok(growth) = factors.refactor(&self.values, &mut self.column)
            && growth <= Self::GROWTH_LIMIT
        {
            self.growth = growth;
            return Ok(());
        }
        self.factors = None;
        let (order, mut factors) = self.choose()?;
        self.order = order;
        self.growth = factors.refactor(&self.values, &mut self.column)?;
        self.factors = Some(factors);
        self.chosen_for.clone_from(&self.values);
        Ok(())
    }

    /// Factors without values yet, and their order. By minimum degree multipliers come early, where they have no pivot: the
    /// exchanges of rows may then fill the factors up. In the other order exchanges are rare.
    fn choose(&self) -> Result<(Vec<usize>, Factors<T>), Singular> {
        let Self { pattern, values, by_degree, .. } = self;
        let least = Columnwise { order: by_degree, partners: &[], weights: Vec::new() };
        let Some(Behind { order, partners, multipliers }) = &self.behind else {
            let chosen = choose_pivots(pattern, values, least, usize::MAX)?;
            return chosen.map(|factors| (by_degree.clone(), factors)).ok_or(Singular { pivot: 0 });
        };
        let weights = weights_of_rows(pattern, values, multipliers);
        let behind = Columnwise { order, partners, weights };
        let steady = choose_pivots(pattern, values, behind, usize::MAX).ok().flatten();
        let most = steady.as_ref().map_or(usize::MAX, Factors::entries);
        match (choose_pivots(pattern, values, least, most), steady) {
            (Ok(Some(factors)), _) => Ok((by_degree.clone(), factors)),
            (_, Some(factors)) => Ok((order.clone(), factors)),
            (Err(singular), None) => Err(singular),
            (Ok(None), None) => Err(Singular { pivot: 0 }),
        }
    }

    /// The values for which the pivots in use were chosen; nothing before the first factorisation.
    pub fn chosen_for(&self) -> &[T] {
        if self.factors.is_some() { &self.chosen_for } else { &[] }
    }

    /// Chooses pivots for values from [`chosen_for`](Self::chosen_for): factors are then the same, to the last bit, as with
    /// a factorisation that has kept its pivots since. False when the values do not fit.
    pub fn choose_for(&mut self, values: &[T]) -> bool {
        self.factors = None;
        if values.len() != self.values.len() {
            return values.is_empty();
        }
        self.values.copy_from_slice(values);
        self.factor().is_ok()
    }

    /// Replaces `b` by the solution of A x = b. Call after a [`factor`](Self::factor) that succeeded;
    /// without one `b` stays as it is.
    pub fn solve(&self, b: &mut [T]) {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let Scratch { solution, correction, .. } = &mut *scratch;
        self.solve_refined(b, solution, correction);
    }

    /// [`solve`](Self::solve) for iterations that find out themselves how good a solution is: not refined unless the
    /// pivots have become worse than freshly chosen ones.
    pub fn solve_once(&self, b: &mut [T]) {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let Scratch { solution, correction, .. } = &mut *scratch;
        self.solve_roughly(b, solution, correction);
    }

    fn solve_roughly(&self, b: &mut [T], solution: &mut [T], correction: &mut [T]) {
        let Some(factors) = &self.factors else { return };
        if self.growth > Self::FRESH_GROWTH {
            return self.solve_refined(b, solution, correction);
        }
        factors.solve(b, solution);
        for (&j, &x) in self.order.iter().zip(&*solution) {
            b[j] = x;
        }
    }

    /// x = A^-1 b, then x + A^-1 (b - A x).
    fn solve_refined(&self, b: &mut [T], solution: &mut [T], correction: &mut [T]) {
        let Some(factors) = &self.factors else { return };
        factors.solve(b, solution);
        self.subtract_product(solution, b);
        factors.solve(b, correction);
        for ((&j, &x), &d) in self.order.iter().zip(&*solution).zip(&*correction) {
            b[j] = x + d;
        }
    }

    /// b -= A x, where x is in the order of elimination.
    fn subtract_product(&self, x: &[T], b: &mut [T]) {
        let starts = self.pattern.column_starts();
        for (&j, &x) in self.order.iter().zip(x) {
            let range = starts[j]..starts[j + 1];
            for (&i, &a) in self.pattern.row_indices()[range.clone()].iter().zip(&self.values[range]) {
                b[i] -= a * x;
            }
        }
    }
}

impl SparseLu<Complex> {
    /// [`solve_once`](Self::solve_once) with the real and imaginary parts apart.
    pub fn solve_parts_once(&self, re: &mut [f64], im: &mut [f64]) {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let Scratch { right_side, solution, correction } = &mut *scratch;
        for ((z, &re), &im) in right_side.iter_mut().zip(&*re).zip(&*im) {
            *z = Complex::new(re, im);
        }
        self.solve_roughly(right_side, solution, correction);
        for ((z, re), im) in right_side.iter().zip(re).zip(im) {
            (*re, *im) = (z.re, z.im);
        }
    }
}

impl<T: Number> Clone for SparseLu<T> {
    fn clone(&self) -> Self {
        let scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            pattern: self.pattern.clone(),
            values: self.values.clone(),
            order: self.order.clone(),
            by_degree: self.by_degree.clone(),
            behind: self.behind.clone(),
            factors: self.factors.clone(),
            chosen_for: self.chosen_for.clone(),
            growth: self.growth,
            column: self.column.clone(),
            scratch: Mutex::new(scratch.clone()),
        }
    }
}
