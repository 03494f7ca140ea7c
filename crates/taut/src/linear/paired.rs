//! Saddle matrices of a few bodies with constant masses, whose constraints come in pairs: pins of the plane.

mod plan;
#[cfg(test)]
mod tests;

use super::ordered::PivotBounds;
use super::{Blocks, SaddlePattern, Scales};
use plan::Plan;
use pulp::{Arch, Simd, WithSimd};
use std::sync::Arc;

/// The elimination of [M Gᵀ; G −C] with diagonal M by way of G M⁻¹Gᵀ + C. Two rows of G that are coupled with the same others are
/// one node, so that entries of the complement are matrices of 2 by 2, which fill a vector register. What happens to which of
/// them is recorded once.
#[derive(Clone, Debug)]
pub(super) struct Paired {
    plan: Arc<Plan>,
    /// G, and zeros behind it for rows that are not there.
    jacobian: Box<[f64; MOST_PLACES]>,
    n: usize,
    /// 1/M
    inverse_mass: [f64; MOST_COORDINATES],
    /// Of each place where a coordinate enters a node: (g₀, g₁, g₀, g₁), and (g₀, g₀, g₁, g₁)/M.
    entering: Box<[[Block; 2]; MOST_PLACES]>,
    /// The complement, then what the elimination of earlier nodes has left of it; inverses on the diagonal.
    values: Box<[Block; MOST_PLACES]>,
    /// L
    lower: Box<[Block; MOST_PLACES]>,
    arch: Arch,
}

/// A matrix of 2 by 2, its first column first.
type Block = [f64; 4];
type Pair = [f64; 2];

/// So many blocks does one byte find, and so many places where coordinates enter nodes.
const MOST_PLACES: usize = 256;
/// The most coordinates.
const MOST_COORDINATES: usize = 64;
/// The most nodes.
const MOST_NODES: usize = 32;
/// Fewer unknowns are eliminated entry by entry.
const FEWEST_UNKNOWNS: usize = 25;

impl Paired {
    /// Storage for symmetric matrices of this pattern; nothing where another elimination is better.
    pub(super) fn new(pattern: &SaddlePattern) -> Option<Self> {
        let SaddlePattern { n, m, mass, damping, stiffness, jacobian } = pattern;
        let bare = mass.is_diagonal() && mass.nnz() == *n && damping.nnz() == 0 && stiffness.nnz() == 0;
        let few = *n <= MOST_COORDINATES && jacobian.nnz() < MOST_PLACES;
        if !bare || !few || *m == 0 || pattern.size() < FEWEST_UNKNOWNS {
            return None;
        }
        let plan = Plan::new(jacobian)?;
        Some(Self {
            plan: Arc::new(plan),
            jacobian: Box::new([0.0; MOST_PLACES]),
            n: *n,
            inverse_mass: [0.0; MOST_COORDINATES],
            entering: Box::new([[[0.0; 4]; 2]; MOST_PLACES]),
            values: Box::new([[0.0; 4]; MOST_PLACES]),
            lower: Box::new([[0.0; 4]; MOST_PLACES]),
            arch: Arch::new(),
        })
    }

    /// Puts the complement together and eliminates. False where the pivots are bad.
    pub(super) fn factor(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        self.arch.dispatch(Factor { paired: self, blocks, scales })
    }

    /// Replaces `b` by the solution of A x = b. Call after a factorisation that succeeded.
    pub(super) fn solve(&self, b: &mut [f64]) {
        self.arch.dispatch(Solve { paired: self, b, only_rows: false });
    }

    /// The same for a right-hand side that is nothing but rows of constraints, whatever stands before them.
    pub(super) fn solve_rows(&self, b: &mut [f64]) {
        self.arch.dispatch(Solve { paired: self, b, only_rows: true });
    }
}

struct Factor<'a> {
    paired: &'a mut Paired,
    blocks: &'a Blocks<'a>,
    scales: Scales,
}

impl WithSimd for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> bool {
        let Self { paired, blocks, scales } = self;
        paired.assemble(blocks, scales) && paired.eliminate()
    }
}

impl Paired {
    /// False where a mass is not positive.
    #[inline(always)]
    fn assemble(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        let Self { plan, jacobian, inverse_mass, entering, values, .. } = self;
        let mut least = f64::INFINITY;
        for (inverse, mass) in inverse_mass.iter_mut().zip(blocks.mass) {
            let mass = scales.alpha * mass;
            least = if mass > least { least } else { mass };
            *inverse = 1.0 / mass;
        }
        let Some(values_of_jacobian) = jacobian.get_mut(..blocks.jacobian.len()) else { return false };
        values_of_jacobian.copy_from_slice(blocks.jacobian);
        for (entry, entering) in plan.entries.iter().zip(entering.iter_mut()) {
            let [a, b] = entry.slots.map(|slot| jacobian[usize::from(slot)]);
            let inverse = inverse_mass[usize::from(entry.coordinate) % MOST_COORDINATES];
            let (c, d) = (a * inverse, b * inverse);
            *entering = [[a, b, a, b], [c, c, d, d]];
        }
        for node in &plan.nodes {
            let missing = f64::from(u8::from(!node.has_two));
            values[usize::from(node.diagonal)] = [0.0, 0.0, 0.0, missing];
            node.below.iter().for_each(|&place| values[usize::from(place)] = [0.0; 4]);
        }
        for &[place, e, f] in &plan.products {
            let (one, two) = (&entering[usize::from(e)][0], &entering[usize::from(f)][1]);
            let block = &mut values[usize::from(place)];
            for lane in 0..4 {
                block[lane] += one[lane] * two[lane];
            }
        }
        if !blocks.compliance.is_empty() {
            self.add_springs(blocks, scales);
        }
        least > 0.0
    }

    fn add_springs(&mut self, blocks: &Blocks<'_>, scales: Scales) {
        for (row, (scale, compliance)) in blocks.springs(-scales.delta, scales.beta).enumerate() {
            for node in &self.plan.nodes {
                for (lane, _) in [0, 3].into_iter().zip(node.rows).filter(|(_, own)| *own == row) {
                    self.values[usize::from(node.diagonal)][lane] -= scale * compliance;
                }
            }
        }
    }

    /// False where the pivots are bad.
    #[inline(always)]
    fn eliminate(&mut self) -> bool {
        let Self { plan, values, lower, .. } = self;
        let mut references = [[0.0; 2]; MOST_NODES];
        for (node, reference) in plan.nodes.iter().zip(&mut references) {
            let [one, _, _, two] = values[usize::from(node.diagonal)];
            *reference = [one, two];
        }
        for (node, reference) in plan.nodes.iter().zip(&references) {
            let diagonal = &mut values[usize::from(node.diagonal)];
            let [first, below, _, last] = *diagonal;
            let inverse = 1.0 / first;
            let share = below * inverse;
            let second = last - share * below;
            let bounds = PivotBounds::MULTIPLIERS;
            if !bounds.permit(first, reference[0]) || !bounds.permit(second, reference[1]) {
                return false;
            }
            let corner = 1.0 / second;
            let across = -share * corner;
            *diagonal = [inverse - share * across, across, across, corner];
            let inverse = *diagonal;
            for &place in &node.below {
                lower[usize::from(place)] = product(&values[usize::from(place)], &inverse);
            }
            for &[place, i, j] in &node.updates {
                let taken = product_transposed(&lower[usize::from(i)], &values[usize::from(j)]);
                let block = &mut values[usize::from(place)];
                for lane in 0..4 {
                    block[lane] -= taken[lane];
                }
            }
        }
        true
    }
}

/// A B
#[inline(always)]
fn product(a: &Block, b: &Block) -> Block {
    let mut product = [0.0; 4];
    for column in 0..2 {
        for row in 0..2 {
            product[row + 2 * column] = a[row] * b[2 * column] + a[row + 2] * b[1 + 2 * column];
        }
    }
    product
}

/// A Bᵀ
#[inline(always)]
fn product_transposed(a: &Block, b: &Block) -> Block {
    let mut product = [0.0; 4];
    for column in 0..2 {
        for row in 0..2 {
            product[row + 2 * column] = a[row] * b[column] + a[row + 2] * b[column + 2];
        }
    }
    product
}

struct Solve<'a> {
    paired: &'a Paired,
    b: &'a mut [f64],
    only_rows: bool,
}

impl WithSimd for Solve<'_> {
    type Output = ();

    /// (G M⁻¹Gᵀ + C) λ = G M⁻¹r − s, then x = M⁻¹(r − Gᵀλ).
    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Paired { plan, n, inverse_mass, entering, .. } = self.paired;
        let (coordinates, rows) = self.b.split_at_mut(*n);
        let mut x = [0.0; MOST_COORDINATES];
        let mut pairs = [[0.0; 2]; MOST_NODES];
        for (pair, node) in pairs.iter_mut().zip(&plan.nodes) {
            *pair = [-rows[node.rows[0]], if node.has_two { -rows[node.rows[1]] } else { 0.0 }];
        }
        if !self.only_rows {
            x[..*n].copy_from_slice(coordinates);
            for (entry, [_, [c, _, d, _]]) in plan.entries.iter().zip(entering.iter()) {
                let pair = &mut pairs[usize::from(entry.node) % MOST_NODES];
                let x = x[usize::from(entry.coordinate) % MOST_COORDINATES];
                *pair = [pair[0] + c * x, pair[1] + d * x];
            }
            x[..*n].iter_mut().zip(inverse_mass).for_each(|(x, inverse)| *x *= inverse);
        }
        self.paired.substitute(&mut pairs);
        for (pair, node) in pairs.iter().zip(&plan.nodes) {
            rows[node.rows[0]] = pair[0];
            if node.has_two {
                rows[node.rows[1]] = pair[1];
            }
        }
        for (entry, [_, [c, _, d, _]]) in plan.entries.iter().zip(entering.iter()) {
            let pair = pairs[usize::from(entry.node) % MOST_NODES];
            x[usize::from(entry.coordinate) % MOST_COORDINATES] -= c * pair[0] + d * pair[1];
        }
        coordinates.copy_from_slice(&x[..*n]);
    }
}

impl Paired {
    /// L y = b, then D x = y, then Lᵀ.
    #[inline(always)]
    fn substitute(&self, pairs: &mut [Pair; MOST_NODES]) {
        let Self { plan, values, lower, .. } = self;
        for &[row, place, column] in &plan.substitutions {
            let ([a, b, c, d], [x, y]) = (lower[usize::from(place)], pairs[usize::from(column) % MOST_NODES]);
            let pair = &mut pairs[usize::from(row) % MOST_NODES];
            *pair = [pair[0] - (a * x + c * y), pair[1] - (b * x + d * y)];
        }
        for (node, pair) in plan.nodes.iter().zip(pairs.iter_mut()) {
            let ([a, b, c, d], [x, y]) = (values[usize::from(node.diagonal)], *pair);
            *pair = [a * x + c * y, b * x + d * y];
        }
        for &[row, place, column] in plan.substitutions.iter().rev() {
            let ([a, b, c, d], [x, y]) = (lower[usize::from(place)], pairs[usize::from(row) % MOST_NODES]);
            let pair = &mut pairs[usize::from(column) % MOST_NODES];
            *pair = [pair[0] - (a * x + b * y), pair[1] - (c * x + d * y)];
        }
    }
}
