//! Coordinates that share mass, a few together: attitudes of bodies.

use crate::linear::ordered::PivotBounds;
use crate::linear::{Pattern, SaddlePattern};
use std::ops::Range;

/// The most coordinates that share mass: the four numbers of an attitude.
const MOST: usize = 4;
/// The place of an entry that is not there.
const NOWHERE: usize = usize::MAX;

type Numbers = [f64; MOST];

/// Blocks of M on the diagonal with their roots M = R Rᵀ, and what they add to G M⁻¹Gᵀ = Σ (R⁻¹Gᵀ)ᵀ(R⁻¹Gᵀ).
#[derive(Clone, Debug)]
pub(super) struct CoupledMasses {
    blocks: Vec<Block>,
    /// what the constraints have of G in the columns of a block, block by block
    parts: Vec<Part>,
    /// for each two parts of a block their numbers, after the place in the complement
    pairs: Vec<[usize; 3]>,
}

#[derive(Clone, Debug)]
struct Block {
    coordinates: Vec<usize>,
    /// the places of its lower half among the values of M, row by row
    places: [[usize; MOST]; MOST],
    parts: Range<usize>,
    /// R, with the reciprocals of its diagonal
    root: [Numbers; MOST],
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
            blocks.push(Block { coordinates, places, parts: first..parts.len(), root: [[0.0; MOST]; MOST] });
        }
        Some(CoupledMasses { blocks, parts, pairs: Vec::new() })
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
        let found = |(a, b): (usize, usize)| {
            place(self.parts[a].constraint, self.parts[b].constraint).map(|place| [place, a, b])
        };
        self.pairs = self.neighbours().filter_map(found).collect();
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
        let at = |values: &[f64], place: usize| values.get(place).copied().unwrap_or(0.0);
        for block in &mut self.blocks {
            for (row, places) in block.root.iter_mut().zip(&block.places) {
                *row = places.map(|place| alpha * at(mass, place));
            }
            if !take_root(&mut block.root, block.coordinates.len()) {
                return false;
            }
            for part in &mut self.parts[block.parts.clone()] {
                part.scaled = forward(&block.root, part.places.map(|place| at(jacobian, place)));
            }
        }
        true
    }

    /// Adds their part of G M⁻¹Gᵀ.
    pub(super) fn add_complement(&self, diagonal: &mut [f64], lower: &mut [f64]) {
        for Part { constraint, scaled, .. } in &self.parts {
            diagonal[*constraint] += product(scaled, scaled);
        }
        for &[place, a, b] in &self.pairs {
            lower[place] += product(&self.parts[a].scaled, &self.parts[b].scaled);
        }
    }

    /// Replaces b by R⁻¹b, and adds G M⁻¹b.
    pub(super) fn descend(&self, x: &mut [f64], multipliers: &mut [f64]) {
        for block in &self.blocks {
            let y = forward(&block.root, block.gather(x));
            block.scatter(&y, x);
            for Part { constraint, scaled, .. } in &self.parts[block.parts.clone()] {
                multipliers[*constraint] += product(scaled, &y);
            }
        }
    }

    /// Replaces R⁻¹b by M⁻¹(b − Gᵀμ).
    pub(super) fn ascend(&self, multipliers: &[f64], x: &mut [f64]) {
        for block in &self.blocks {
            let mut y = block.gather(x);
            for Part { constraint, scaled, .. } in &self.parts[block.parts.clone()] {
                y.iter_mut().zip(scaled).for_each(|(y, w)| *y -= w * multipliers[*constraint]);
            }
            block.scatter(&backward(&block.root, y), x);
        }
    }
}

impl Block {
    fn gather(&self, x: &[f64]) -> Numbers {
        let mut numbers = [0.0; MOST];
        numbers.iter_mut().zip(&self.coordinates).for_each(|(number, &k)| *number = x[k]);
        numbers
    }

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

fn product(a: &Numbers, b: &Numbers) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

/// Replaces the lower half of a definite matrix by its root, with the reciprocals of the diagonal, and 1 beyond `size`.
fn take_root(matrix: &mut [Numbers; MOST], size: usize) -> bool {
    for j in 0..MOST {
        if j >= size {
            matrix[j][j] = 1.0;
            continue;
        }
        let reference = matrix[j][j];
        let pivot = reference - (0..j).map(|k| matrix[j][k] * matrix[j][k]).sum::<f64>();
        if !PivotBounds::COORDINATES.permit(pivot, reference) {
            return false;
        }
        let reciprocal = 1.0 / pivot.sqrt();
        matrix[j][j] = reciprocal;
        for i in j + 1..size {
            let rest = matrix[i][j] - (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum::<f64>();
            matrix[i][j] = rest * reciprocal;
        }
    }
    true
}

/// R⁻¹b
#[inline]
fn forward(root: &[Numbers; MOST], b: Numbers) -> Numbers {
    let mut y = b;
    for i in 0..MOST {
        for k in 0..i {
            y[i] -= root[i][k] * y[k];
        }
        y[i] *= root[i][i];
    }
    y
}

/// R⁻ᵀb
#[inline]
fn backward(root: &[Numbers; MOST], b: Numbers) -> Numbers {
    let mut x = b;
    for i in (0..MOST).rev() {
        for k in i + 1..MOST {
            x[i] -= root[k][i] * x[k];
        }
        x[i] *= root[i][i];
    }
    x
}
