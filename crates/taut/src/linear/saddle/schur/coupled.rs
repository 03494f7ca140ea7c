//! Coordinates that share mass, a few together: attitudes of bodies.

use crate::linear::ordered::PivotBounds;
use crate::linear::{Pattern, SaddlePattern};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// The most coordinates that share mass: the four numbers of an attitude.
const MOST: usize = 4;
/// The place of an entry that is not there.
const NOWHERE: usize = usize::MAX;

type Numbers = [f64; MOST];

/// Blocks of M on the diagonal with their roots M = R Rᵀ, and what they add to G M⁻¹Gᵀ = Σ (R⁻¹Gᵀ)ᵀ(R⁻¹Gᵀ).
///
/// Four numbers are one register of the vector unit: R⁻¹ is kept by columns, so that R⁻¹b is a sum of these.
#[derive(Clone, Debug)]
pub(super) struct CoupledMasses {
    blocks: Vec<Block>,
    /// what the constraints have of G in the columns of a block, block by block
    parts: Vec<Part>,
    /// the place in the complement of each two parts of a block, block by block
    pairs: Vec<usize>,
    arch: Arch,
}

#[derive(Clone, Debug)]
struct Block {
    coordinates: Vec<usize>,
    /// the places of its lower half among the values of M, row by row
    places: [[usize; MOST]; MOST],
    parts: Range<usize>,
    /// the columns of R⁻¹
    inverse: [Numbers; MOST],
}

#[derive(Clone, Debug)]
struct Part {
    constraint: usize,
    /// the places among the values of G
    places: [usize; MOST],
    /// R⁻¹Gᵀ
    scaled: Numbers,
}

impl CoupledMasses {
    /// Those of a pattern; nothing where more coordinates share mass.
    pub(super) fn new(pattern: &SaddlePattern) -> Option<Self> {
        let (mut blocks, mut parts) = (Vec::new(), Vec::new());
        for coordinates in together(&pattern.mass)? {
            let mut places = [[NOWHERE; MOST]; MOST];
            for (a, &i) in coordinates.iter().enumerate() {
                for (b, &j) in coordinates[..=a].iter().enumerate() {
                    places[a][b] = pattern.mass.position(i, j).unwrap_or(NOWHERE);
                }
            }
            let first = parts.len();
            parts.extend(parts_of(&pattern.jacobian, &coordinates));
            blocks.push(Block {
                coordinates,
                places,
                parts: first..parts.len(),
                inverse: [[0.0; MOST]; MOST],
            });
        }
        Some(CoupledMasses { blocks, parts, pairs: Vec::new(), arch: Arch::new() })
    }

    /// Each two constraints that share a block.
    pub(super) fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        self.neighbours().map(|(a, b)| (self.parts[a].constraint, self.parts[b].constraint))
    }

    /// The multiplications that it takes to find their part of the complement.
    pub(super) fn multiplications(&self) -> usize {
        MOST * (self.neighbours().count() + MOST * self.parts.len())
    }

    /// Takes over where two constraints meet in the complement.
    pub(super) fn connect(&mut self, place: impl Fn(usize, usize) -> Option<usize>) {
        let found = |(a, b): (usize, usize)| place(self.parts[a].constraint, self.parts[b].constraint);
        self.pairs = self.neighbours().map(|pair| found(pair).unwrap_or(NOWHERE)).collect();
    }

    fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = |block: &Block| {
            let parts = block.parts.clone();
            parts.clone().flat_map(move |a| (a + 1..parts.end).map(move |b| (a, b)))
        };
        self.blocks.iter().flat_map(pairs)
    }

    /// The roots of `alpha` M, and R⁻¹Gᵀ; false where a block is not definite, or nearly so.
    pub(super) fn factor(&mut self, alpha: f64, mass: &[f64], jacobian: &[f64]) -> bool {
        self.arch.dispatch(Factor { masses: self, alpha, mass, jacobian })
    }

    /// Adds their part of G M⁻¹Gᵀ.
    pub(super) fn add_complement(&self, diagonal: &mut [f64], lower: &mut [f64]) {
        self.arch.dispatch(AddComplement { masses: self, diagonal, lower });
    }

    /// Replaces b by R⁻¹b, and adds G M⁻¹b.
    pub(super) fn descend(&self, x: &mut [f64], multipliers: &mut [f64]) {
        self.arch.dispatch(Descend { masses: self, x, multipliers });
    }

    /// Replaces R⁻¹b by M⁻¹(b − Gᵀμ).
    pub(super) fn ascend(&self, multipliers: &[f64], x: &mut [f64]) {
        self.arch.dispatch(Ascend { masses: self, x, multipliers });
    }
}

struct Factor<'a> {
    masses: &'a mut CoupledMasses,
    alpha: f64,
    mass: &'a [f64],
    jacobian: &'a [f64],
}

impl WithSimd for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { masses, alpha, mass, jacobian } = self;
        let at = |values: &[f64], place: usize| values.get(place).copied().unwrap_or(0.0);
        for block in &mut masses.blocks {
            let mut root = [[0.0; MOST]; MOST];
            for i in 0..MOST {
                for j in 0..=i {
                    root[i][j] = alpha * at(mass, block.places[i][j]);
                }
            }
            if !take_root(&mut root, block.coordinates.len()) {
                return false;
            }
            block.inverse = invert(&root);
        }
        // Roots wait for divisions: those of the next block begin before, as long as nothing else is in between.
        for block in &masses.blocks {
            for part in &mut masses.parts[block.parts.clone()] {
                let mut row = [0.0; MOST];
                for k in 0..MOST {
                    row[k] = at(jacobian, part.places[k]);
                }
                part.scaled = forward(&block.inverse, row);
            }
        }
        true
    }
}

struct AddComplement<'a> {
    masses: &'a CoupledMasses,
    diagonal: &'a mut [f64],
    lower: &'a mut [f64],
}

impl WithSimd for AddComplement<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let CoupledMasses { blocks, parts, pairs, .. } = self.masses;
        let mut places = pairs.iter();
        for block in blocks {
            let mut parts = parts[block.parts.clone()].iter();
            while let Some(Part { constraint, scaled, .. }) = parts.next() {
                self.diagonal[*constraint] += product(scaled, scaled);
                for (other, &place) in parts.clone().zip(&mut places) {
                    if let Some(entry) = self.lower.get_mut(place) {
                        *entry += product(scaled, &other.scaled);
                    }
                }
            }
        }
    }
}

struct Descend<'a> {
    masses: &'a CoupledMasses,
    x: &'a mut [f64],
    multipliers: &'a mut [f64],
}

impl WithSimd for Descend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for block in &self.masses.blocks {
            let y = forward(&block.inverse, block.gather(self.x));
            block.scatter(&y, self.x);
            for Part { constraint, scaled, .. } in &self.masses.parts[block.parts.clone()] {
                self.multipliers[*constraint] += product(scaled, &y);
            }
        }
    }
}

struct Ascend<'a> {
    masses: &'a CoupledMasses,
    x: &'a mut [f64],
    multipliers: &'a [f64],
}

impl WithSimd for Ascend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for block in &self.masses.blocks {
            let mut y = block.gather(self.x);
            for Part { constraint, scaled, .. } in &self.masses.parts[block.parts.clone()] {
                let multiplier = self.multipliers[*constraint];
                for k in 0..MOST {
                    y[k] -= scaled[k] * multiplier;
                }
            }
            let mut x = [0.0; MOST];
            for k in 0..MOST {
                x[k] = product(&block.inverse[k], &y);
            }
            block.scatter(&x, self.x);
        }
    }
}

impl Block {
    #[inline(always)]
    fn gather(&self, x: &[f64]) -> Numbers {
        let mut numbers = [0.0; MOST];
        numbers.iter_mut().zip(&self.coordinates).for_each(|(number, &k)| *number = x[k]);
        numbers
    }

    #[inline(always)]
    fn scatter(&self, numbers: &Numbers, x: &mut [f64]) {
        self.coordinates.iter().zip(numbers).for_each(|(&k, number)| x[k] = *number);
    }
}

/// The sets of coordinates that share mass with each other; nothing where one is too large.
fn together(mass: &Pattern) -> Option<Vec<Vec<usize>>> {
    let mut set_of: Vec<usize> = (0..mass.cols()).collect();
    let mut sets: Vec<Vec<usize>> = set_of.iter().map(|&k| vec![k]).collect();
    for (i, j) in mass.entries() {
        let (kept, other) = (set_of[i].min(set_of[j]), set_of[i].max(set_of[j]));
        if kept == other {
            continue;
        }
        let moved = std::mem::take(&mut sets[other]);
        moved.iter().for_each(|&k| set_of[k] = kept);
        sets[kept].extend(moved);
        if sets[kept].len() > MOST {
            return None;
        }
    }
    sets.retain(|set| set.len() > 1);
    sets.iter_mut().for_each(|set| set.sort_unstable());
    Some(sets)
}

/// The constraints that have entries in these columns.
fn parts_of(jacobian: &Pattern, coordinates: &[usize]) -> Vec<Part> {
    let mut rows: Vec<usize> = coordinates.iter().flat_map(|&k| jacobian.column(k)).copied().collect();
    rows.sort_unstable();
    rows.dedup();
    let part = |constraint: usize| {
        let mut places = [NOWHERE; MOST];
        for (place, &k) in places.iter_mut().zip(coordinates) {
            *place = jacobian.position(constraint, k).unwrap_or(NOWHERE);
        }
        Part { constraint, places, scaled: [0.0; MOST] }
    };
    rows.into_iter().map(part).collect()
}

/// The halves of a register are added first.
#[inline(always)]
fn product(a: &Numbers, b: &Numbers) -> f64 {
    (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])
}

/// Replaces the lower half of a definite matrix by its root, with the reciprocals of the diagonal, and 1 beyond `size`.
#[inline(always)]
fn take_root(matrix: &mut [Numbers; MOST], size: usize) -> bool {
    for j in 0..MOST {
        if j >= size {
            matrix[j][j] = 1.0;
            continue;
        }
        let reference = matrix[j][j];
        let mut pivot = reference;
        for k in 0..j {
            pivot -= matrix[j][k] * matrix[j][k];
        }
        if !PivotBounds::COORDINATES.permit(pivot, reference) {
            return false;
        }
        let reciprocal = 1.0 / pivot.sqrt();
        matrix[j][j] = reciprocal;
        for i in j + 1..MOST {
            let mut rest = matrix[i][j];
            for k in 0..j {
                rest -= matrix[i][k] * matrix[j][k];
            }
            matrix[i][j] = rest * reciprocal;
        }
    }
    true
}

/// The columns of R⁻¹, of a root with the reciprocals of its diagonal.
#[inline(always)]
fn invert(root: &[Numbers; MOST]) -> [Numbers; MOST] {
    let mut columns = [[0.0; MOST]; MOST];
    for j in 0..MOST {
        columns[j][j] = root[j][j];
        for i in j + 1..MOST {
            let mut rest = 0.0;
            for k in j..i {
                rest -= root[i][k] * columns[j][k];
            }
            columns[j][i] = rest * root[i][i];
        }
    }
    columns
}

/// R⁻¹b
#[inline(always)]
fn forward(columns: &[Numbers; MOST], b: Numbers) -> Numbers {
    let mut y = [0.0; MOST];
    for k in 0..MOST {
        for i in 0..MOST {
            y[i] += columns[k][i] * b[k];
        }
    }
    y
}
