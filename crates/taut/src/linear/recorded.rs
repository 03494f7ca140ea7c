//! Elimination of several small sparse matrices together: what happens to which entry is recorded once.

mod lanes;
mod program;
mod symmetric;
#[cfg(test)]
mod tests;
mod transformation;

pub(super) use lanes::{LANES, Lanes};
pub(super) use symmetric::RecordedLdl;
pub(crate) use transformation::Transformation;

use super::ordered::PivotBounds;
use super::{Blocks, Complex, Pattern, SaddlePattern};
use program::{Entry, FEW_PLACES, MOST_PLACES, MOST_UNKNOWNS, Place, Program};
use pulp::{Arch, Simd, WithSimd};

/// L U of small sparse saddle matrices that differ in their scales only, with pivots in the order of
/// [`OrderedLu`](super::ordered::OrderedLu). Vector registers hold the same entry of all of them.
#[derive(Clone, Debug)]
pub(super) enum Recorded {
    /// with few entries
    Small(Elimination<u8, FEW_PLACES>),
    /// with more of them
    Large(Elimination<u16, MOST_PLACES>),
}

impl Recorded {
    /// Storage for matrices of this pattern; nothing where another elimination is better.
    pub(super) fn new(pattern: &SaddlePattern) -> Option<Self> {
        let large = || Elimination::new(pattern).map(Recorded::Large);
        Elimination::new(pattern).map(Recorded::Small).or_else(large)
    }

    /// Puts the matrix together, with the factors of M, D, K and C, and eliminates. False where the pivots are bad.
    pub(super) fn factor(&mut self, blocks: &Blocks<'_>, scales: &[Lanes; 4]) -> bool {
        match self {
            Recorded::Small(recorded) => recorded.factor(blocks, scales),
            Recorded::Large(recorded) => recorded.factor(blocks, scales),
        }
    }

    /// Replaces the right-hand sides of all matrices by the solutions: those of real matrices first, then real and
    /// imaginary parts of the others. Call after a factorisation that succeeded.
    pub(super) fn solve(&self, reals: usize, b: &mut [f64]) {
        match self {
            Recorded::Small(recorded) => recorded.solve(reals, b),
            Recorded::Large(recorded) => recorded.solve(reals, b),
        }
    }

    /// Replaces residuals r of all stages by the updates −(T ⊗ I) A⁻¹ (T⁻¹ ⊗ I) r, A the matrices of all lanes; after the
    /// first transformation rows of constraints are multiplied by the factors given.
    pub(super) fn solve_stages(&self, transformation: &Transformation, rows: &[Lanes], stages: &mut [f64]) {
        match self {
            Recorded::Small(recorded) => recorded.solve_stages(transformation, rows, stages),
            Recorded::Large(recorded) => recorded.solve_stages(transformation, rows, stages),
        }
    }
}

/// What is recorded, with at most N places of entries and factors.
#[derive(Clone, Debug)]
pub(super) struct Elimination<P, const N: usize> {
    program: Program<P>,
    arch: Arch,
    /// The matrix, then its factors, the reciprocals of pivots on the diagonal.
    values: Box<[Lanes; N]>,
    /// Sizes of the diagonal by which pivots are judged.
    references: Vec<[f64; LANES]>,
    places: Places<P>,
}

/// The places of the blocks.
#[derive(Clone, Debug)]
struct Places<P> {
    mass: Vec<P>,
    damping: Vec<P>,
    stiffness: Vec<P>,
    jacobian: Vec<P>,
    jacobian_transposed: Vec<P>,
    compliance: Vec<P>,
}

impl<P: Place<N>, const N: usize> Elimination<P, N> {
    fn new(pattern: &SaddlePattern) -> Option<Self> {
        let program = Program::new::<N>(pattern)?;
        let n = pattern.n;
        let block = |block: &Pattern| block.entries().map(|(i, j)| program.entry(i, j)).collect();
        let places = Places {
            mass: block(&pattern.mass),
            damping: block(&pattern.damping),
            stiffness: block(&pattern.stiffness),
            jacobian: pattern.jacobian.entries().map(|(i, j)| program.entry(n + i, j)).collect(),
            jacobian_transposed: pattern.jacobian.entries().map(|(i, j)| program.entry(j, n + i)).collect(),
            compliance: (n..pattern.size()).map(|i| program.entry(i, i)).collect(),
        };
        Some(Self {
            references: vec![[0.0; LANES]; program.size],
            program,
            arch: Arch::new(),
            values: vec![Lanes::ZERO; N].into_boxed_slice().try_into().ok()?,
            places,
        })
    }

    fn factor(&mut self, blocks: &Blocks<'_>, scales: &[Lanes; 4]) -> bool {
        self.arch.dispatch(Factor { recorded: self, blocks, scales })
    }

    fn solve(&self, reals: usize, b: &mut [f64]) {
        match self.program.size {
            size if size <= FEWEST_UNKNOWNS => self.solve_among::<FEWEST_UNKNOWNS>(reals, b),
            size if size <= FEW_UNKNOWNS => self.solve_among::<FEW_UNKNOWNS>(reals, b),
            _ => self.solve_among::<MOST_UNKNOWNS>(reals, b),
        }
    }

    fn solve_among<const M: usize>(&self, reals: usize, b: &mut [f64]) {
        let size = self.program.size;
        let (real, complex) = b.split_at_mut(reals * size);
        let mut x = [Lanes::ZERO; M];
        for (lane, b) in real.chunks_exact(size).enumerate() {
            x.iter_mut().zip(b).for_each(|(x, b)| x.re[lane] = *b);
        }
        for (pair, b) in complex.chunks_exact(2 * size).enumerate() {
            let (lane, (re, im)) = (reals + pair, b.split_at(size));
            x.iter_mut().zip(re.iter().zip(im)).for_each(|(x, (re, im))| x.set(lane, Complex::new(*re, *im)));
        }
        self.arch.dispatch(Solve { recorded: self, x: &mut x });
        for (lane, b) in real.chunks_exact_mut(size).enumerate() {
            x.iter().zip(b).for_each(|(x, b)| *b = x.re[lane]);
        }
        for (pair, b) in complex.chunks_exact_mut(2 * size).enumerate() {
            let (lane, (re, im)) = (reals + pair, b.split_at_mut(size));
            x.iter()
                .zip(re.iter_mut().zip(im))
                .for_each(|(x, (re, im))| (*re, *im) = (x.re[lane], x.im[lane]));
        }
    }
}

impl<P: Place<N>, const N: usize> Elimination<P, N> {
    fn solve_stages(&self, transformation: &Transformation, rows: &[Lanes], stages: &mut [f64]) {
        match self.program.size {
            size if size <= FEWEST_UNKNOWNS => {
                self.solve_stages_among::<FEWEST_UNKNOWNS>(transformation, rows, stages)
            }
            size if size <= FEWER_UNKNOWNS => {
                self.solve_stages_among::<FEWER_UNKNOWNS>(transformation, rows, stages)
            }
            size if size <= FEW_UNKNOWNS => {
                self.solve_stages_among::<FEW_UNKNOWNS>(transformation, rows, stages)
            }
            _ => self.solve_stages_among::<MOST_UNKNOWNS>(transformation, rows, stages),
        }
    }

    fn solve_stages_among<const M: usize>(
        &self,
        transformation: &Transformation,
        rows: &[Lanes],
        stages: &mut [f64],
    ) {
        self.arch.dispatch(SolveStages::<'_, P, N, M> { recorded: self, transformation, rows, stages });
    }
}

/// Up to so many unknowns shorter arrays hold them.
const FEWEST_UNKNOWNS: usize = 4;
const FEWER_UNKNOWNS: usize = 8;
const FEW_UNKNOWNS: usize = 16;

struct Factor<'a, P, const N: usize> {
    recorded: &'a mut Elimination<P, N>,
    blocks: &'a Blocks<'a>,
    scales: &'a [Lanes; 4],
}

impl<P: Place<N>, const N: usize> WithSimd for Factor<'_, P, N> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Elimination { program, values, references, places, .. } = self.recorded;
        assemble(values, program.used, places, self.blocks, self.scales);
        let (coordinates, multipliers) = program.pivots.split_at(program.coordinates);
        if multipliers.is_empty() {
            return eliminate(simd, coordinates, values, references, PivotBounds::VARIABLES);
        }
        eliminate(simd, coordinates, values, references, PivotBounds::COORDINATES)
            && eliminate(simd, multipliers, values, references, PivotBounds::MULTIPLIERS)
    }
}

#[inline(always)]
fn assemble<P: Place<N>, const N: usize>(
    values: &mut [Lanes; N],
    used: usize,
    places: &Places<P>,
    blocks: &Blocks<'_>,
    [alpha, beta, gamma, minus_delta]: &[Lanes; 4],
) {
    values[..used].fill(Lanes::ZERO);
    for (&place, &value) in places.jacobian.iter().zip(blocks.jacobian) {
        values[place.index()] = Lanes::from_real(value);
    }
    for (&place, &value) in places.jacobian_transposed.iter().zip(blocks.jacobian) {
        values[place.index()] = Lanes::from_real(value);
    }
    let terms = [
        (&places.mass, blocks.mass, alpha),
        (&places.damping, blocks.damping, beta),
        (&places.stiffness, blocks.stiffness, gamma),
    ];
    for (places, block, scale) in terms {
        for (&place, &value) in places.iter().zip(block) {
            values[place.index()].add_scaled(scale, value);
        }
    }
    for (&place, (scale, compliance)) in places.compliance.iter().zip(blocks.springs(*minus_delta, *beta)) {
        values[place.index()].add_scaled(&scale, compliance);
    }
}

#[inline(always)]
fn eliminate<S: Simd, P: Place<N>, const N: usize>(
    simd: S,
    pivots: &[program::Pivot<P>],
    values: &mut [Lanes; N],
    references: &mut [[f64; LANES]],
    bounds: PivotBounds,
) -> bool {
    for (pivot, reference) in pivots.iter().zip(references.iter_mut()) {
        *reference = values[pivot.diagonal.index()].size();
    }
    for (pivot, reference) in pivots.iter().zip(references) {
        let diagonal = &mut values[pivot.diagonal.index()];
        let sizes = diagonal.size().into_iter().zip(&*reference);
        if !sizes.fold(true, |all, (size, reference)| all & bounds.permit(size, *reference)) {
            return false;
        }
        let reciprocal = diagonal.reciprocal();
        *diagonal = reciprocal;
        for &(below, _) in &pivot.multipliers {
            values[below.index()] = values[below.index()].times(&reciprocal);
        }
        for &[place, l, u] in &pivot.updates {
            let (l, u) = (&values[l.index()], &values[u.index()]);
            values[place.index()] = values[place.index()].minus_product(simd, l, u);
        }
        for &(_, right) in &pivot.multipliers {
            values[right.index()] = values[right.index()].times(&reciprocal);
        }
    }
    true
}

struct Solve<'a, P, const N: usize, const M: usize> {
    recorded: &'a Elimination<P, N>,
    x: &'a mut [Lanes; M],
}

impl<P: Place<N>, const N: usize, const M: usize> WithSimd for Solve<'_, P, N, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.recorded.substitute(simd, self.x);
    }
}

struct SolveStages<'a, P, const N: usize, const M: usize> {
    recorded: &'a Elimination<P, N>,
    transformation: &'a Transformation,
    rows: &'a [Lanes],
    stages: &'a mut [f64],
}

impl<P: Place<N>, const N: usize, const M: usize> WithSimd for SolveStages<'_, P, N, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { recorded, transformation, rows, stages } = self;
        let size = recorded.program.size;
        // (A function of arrays that takes a closure is not always compiled for the vector unit.)
        let mut x = [Lanes::ZERO; M];
        for (k, x) in x.iter_mut().enumerate().take(size) {
            let mut sum = Lanes::ZERO;
            for (into, residual) in transformation.into.iter().zip(stages.chunks_exact(size)) {
                sum.minus_scaled(simd, into, residual[k]);
            }
            *x = sum;
        }
        for (x, row) in x.iter_mut().skip(recorded.program.coordinates).zip(rows) {
            *x = x.times(row);
        }
        recorded.substitute(simd, &mut x);
        for (back, update) in transformation.back.iter().zip(stages.chunks_exact_mut(size)) {
            for (update, x) in update.iter_mut().zip(&x) {
                *update = x.dot(simd, back);
            }
        }
    }
}

impl<P: Place<N>, const N: usize> Elimination<P, N> {
    /// L y = b, then D^-1 y, then D^-1 U x = y. M is a power of two, so that unknowns need no check.
    #[inline(always)]
    fn substitute<S: Simd, const M: usize>(&self, simd: S, x: &mut [Lanes; M]) {
        let (values, program) = (&*self.values, &self.program);
        let index = |unknown: u8| usize::from(unknown) & (M - 1);
        for &Entry { row, place, column } in &program.forward {
            let (l, y) = (&values[place.index()], &x[index(column)]);
            x[index(row)] = x[index(row)].minus_product(simd, l, y);
        }
        for pivot in &program.pivots {
            let unknown = index(pivot.unknown);
            x[unknown] = x[unknown].times(&values[pivot.diagonal.index()]);
        }
        for &Entry { row, place, column } in &program.backward {
            let (u, y) = (&values[place.index()], &x[index(column)]);
            x[index(row)] = x[index(row)].minus_product(simd, u, y);
        }
    }
}
