//! Coordinates that share mass, a few together: attitudes of bodies.

mod group;
mod root;

use crate::linear::{Pattern, SaddlePattern};
use group::{Group, LANES, OwnRow};
use pulp::{Arch, Simd, WithSimd};
use root::{forward, invert, product, take_root};
use std::ops::Range;

/// The most coordinates that share mass: the four numbers of an attitude.
const MOST: usize = 4;
/// The place of an entry that is not there.
const NOWHERE: usize = usize::MAX;

type Numbers = [f64; MOST];

/// Blocks of M on the diagonal with their roots M = R Rᵀ, and what they add to G M⁻¹Gᵀ = Σ (R⁻¹Gᵀ)ᵀ(R⁻¹Gᵀ).
///
/// Four numbers are one register of the vector unit: R⁻¹ is kept by columns, so that R⁻¹b is a sum of these, and R⁻¹Gᵀ of four
/// constraints by rows, so that four products with it are one sum. A row that has entries in one block only, as every quaternion has one, is
/// eliminated with that block: what is left to the complement is a quarter smaller where bodies hang together by ball joints.
#[derive(Clone, Debug)]
pub(super) struct CoupledMasses {
    blocks: Vec<Block>,
    /// what the constraints have of G in the columns of a block, block by block
    groups: Vec<Group>,
    /// the places in the complement of one constraint of a block with those of a group that come after it, block by block
    targets: Vec<[usize; LANES]>,
    arch: Arch,
}

#[derive(Clone, Debug)]
struct Block {
    coordinates: Vec<usize>,
    /// the places of its lower half among the values of M, row by row
    places: [[usize; MOST]; MOST],
    own: Option<OwnRow>,
    groups: Range<usize>,
    /// the columns of R⁻¹
    inverse: [Numbers; MOST],
}

/// What a constraint has in the columns of a block: places among the values of G.
#[derive(Clone, Copy, Debug)]
struct Row {
    constraint: usize,
    places: [usize; MOST],
}

#[inline(always)]
fn at(values: &[f64], place: usize) -> f64 {
    if place < values.len() { values[place] } else { 0.0 }
}

impl CoupledMasses {
    /// Those of a pattern; nothing where more coordinates share mass.
    pub(super) fn new(pattern: &SaddlePattern) -> Option<Self> {
        let mut entries = vec![0; pattern.m];
        pattern.jacobian.row_indices().iter().for_each(|&row| entries[row] += 1);
        let (mut blocks, mut groups) = (Vec::new(), Vec::new());
        for coordinates in together(&pattern.mass)? {
            let mut places = [[NOWHERE; MOST]; MOST];
            for (a, &i) in coordinates.iter().enumerate() {
                for (b, &j) in coordinates[..=a].iter().enumerate() {
                    places[a][b] = pattern.mass.position(i, j).unwrap_or(NOWHERE);
                }
            }
            let mut rows = rows_of(&pattern.jacobian, &coordinates);
            let here = |row: &Row| row.places.iter().filter(|place| **place != NOWHERE).count();
            let own = rows.iter().position(|row| here(row) == entries[row.constraint]);
            let own = own.map(|k| OwnRow::new(rows.remove(k)));
            let first = groups.len();
            groups.extend(rows.chunks(LANES).map(Group::new));
            let inverse = [[0.0; MOST]; MOST];
            blocks.push(Block { coordinates, places, own, groups: first..groups.len(), inverse });
        }
        Some(CoupledMasses { blocks, groups, targets: Vec::new(), arch: Arch::new() })
    }

    /// Whether each constraint is eliminated with a block.
    pub(super) fn eliminated(&self, constraints: usize) -> Vec<bool> {
        let mut eliminated = vec![false; constraints];
        let own = self.blocks.iter().filter_map(|block| block.own.as_ref());
        own.for_each(|own| eliminated[own.constraint] = true);
        eliminated
    }

    /// Each two constraints that share a block.
    pub(super) fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        self.meetings().flatten().flatten()
    }

    /// The multiplications that it takes to find their part of the complement.
    pub(super) fn multiplications(&self) -> usize {
        let rows = |block: &Block| {
            let others: usize = self.groups[block.groups.clone()].iter().map(|group| group.count).sum();
            others + usize::from(block.own.is_some())
        };
        let of_block = |rows: usize| MOST * (rows * rows.saturating_sub(1) / 2 + MOST * rows);
        self.blocks.iter().map(|block| of_block(rows(block))).sum()
    }

    /// Takes over where two constraints meet in the complement.
    pub(super) fn connect(&mut self, place: impl Fn(usize, usize) -> Option<usize>) {
        let found = |pair: Option<(usize, usize)>| pair.and_then(|(i, j)| place(i, j)).unwrap_or(NOWHERE);
        self.targets = self.meetings().map(|meeting| meeting.map(found)).collect();
    }

    /// Each constraint of a block with those that come after it, group by group.
    fn meetings(&self) -> impl Iterator<Item = [Option<(usize, usize)>; LANES]> {
        let with = |k: usize, lane: usize, other: usize| {
            let (one, group) = (self.groups[k].constraints[lane], &self.groups[other]);
            let later = move |b: usize| b < group.count && (other > k || b > lane);
            std::array::from_fn(move |b| later(b).then(|| (one, group.constraints[b])))
        };
        let of_block = move |block: &Block| {
            let end = block.groups.end;
            let lanes =
                block.groups.clone().flat_map(|k| (0..self.groups[k].count).map(move |lane| (k, lane)));
            lanes.flat_map(move |(k, lane)| (k..end).map(move |other| with(k, lane, other)))
        };
        self.blocks.iter().flat_map(of_block)
    }

    /// The roots of `alpha` M, and R⁻¹Gᵀ, with the compliance of each row in the complement; false where a block is not definite, or
    /// nearly so.
    pub(super) fn factor(
        &mut self,
        alpha: f64,
        mass: &[f64],
        jacobian: &[f64],
        compliance: impl Fn(usize) -> f64,
    ) -> bool {
        self.arch.dispatch(Factor { masses: self, alpha, mass, jacobian, compliance })
    }

    /// Adds their part of G M⁻¹Gᵀ, of which [`Self::reduce`] takes more away on the diagonal.
    pub(super) fn add_complement(&self, diagonal: &mut [f64], lower: &mut [f64]) {
        self.arch.dispatch(AddComplement { masses: self, diagonal, lower });
    }

    /// Takes from the diagonal what the rows that are eliminated with their blocks take from it.
    pub(super) fn reduce(&self, diagonal: &mut [f64]) {
        for Block { own, groups, .. } in &self.blocks {
            let Some(own) = own else { continue };
            for group in &self.groups[groups.clone()] {
                for (&constraint, coupling) in group.constraints[..group.count].iter().zip(group.coupling) {
                    diagonal[constraint] -= coupling * own.reciprocal * coupling;
                }
            }
        }
    }

    /// Replaces b by R⁻¹b, and adds G M⁻¹b.
    pub(super) fn descend(&self, x: &mut [f64], multipliers: &mut [f64]) {
        self.arch.dispatch(Descend { masses: self, x, multipliers });
    }

    /// [`Self::descend`] where b = 0.
    pub(super) fn descend_rows(&self, multipliers: &mut [f64]) {
        for Block { own, groups, .. } in &self.blocks {
            let Some(own) = own else { continue };
            let reached = multipliers[own.constraint] * own.reciprocal;
            for group in &self.groups[groups.clone()] {
                for (&constraint, coupling) in group.constraints.iter().zip(group.coupling) {
                    multipliers[constraint] -= coupling * reached;
                }
            }
        }
    }

    /// Replaces R⁻¹b by M⁻¹(b − Gᵀμ), and finds the μ of rows that were eliminated with their blocks.
    pub(super) fn ascend(&self, multipliers: &mut [f64], x: &mut [f64]) {
        self.arch.dispatch(Ascend { masses: self, x, multipliers });
    }
}

struct Factor<'a, F> {
    masses: &'a mut CoupledMasses,
    alpha: f64,
    mass: &'a [f64],
    jacobian: &'a [f64],
    compliance: F,
}

impl<F: Fn(usize) -> f64> WithSimd for Factor<'_, F> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { masses, alpha, mass, jacobian, compliance } = self;
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
        for Block { own, groups, inverse, .. } in &mut masses.blocks {
            let groups = &mut masses.groups[groups.clone()];
            for group in groups.iter_mut() {
                group.scale(inverse, jacobian);
            }
            let Some(own) = own else { continue };
            if !own.factor(inverse, jacobian, compliance(own.constraint)) {
                return false;
            }
            for group in groups {
                group.coupling = group.products(&own.scaled);
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
        let CoupledMasses { blocks, groups, targets, .. } = self.masses;
        let mut targets = targets.iter();
        for Block { own, groups: here, .. } in blocks {
            let reciprocal = match own {
                Some(own) => own.reciprocal,
                None => 0.0,
            };
            let mut groups = &groups[here.clone()];
            while let [group, beyond @ ..] = groups {
                for lane in 0..group.count {
                    let scaled = group.lane(lane);
                    self.diagonal[group.constraints[lane]] += product(&scaled, &scaled);
                    let coupling = group.coupling[lane] * reciprocal;
                    for (other, places) in groups.iter().zip(&mut targets) {
                        let mut entries = other.products(&scaled);
                        for b in 0..LANES {
                            entries[b] -= coupling * other.coupling[b];
                        }
                        for b in 0..LANES {
                            if let Some(entry) = self.lower.get_mut(places[b]) {
                                *entry += entries[b];
                            }
                        }
                    }
                }
                groups = beyond;
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
            let y = forward(&block.inverse, &block.gather(self.x));
            block.scatter(&y, self.x);
            let mut reached = 0.0;
            if let Some(own) = &block.own {
                self.multipliers[own.constraint] += product(&own.scaled, &y);
                reached = self.multipliers[own.constraint] * own.reciprocal;
            }
            for group in &self.masses.groups[block.groups.clone()] {
                let mut changes = group.products(&y);
                for lane in 0..LANES {
                    changes[lane] -= group.coupling[lane] * reached;
                }
                for lane in 0..LANES {
                    self.multipliers[group.constraints[lane]] += changes[lane];
                }
            }
        }
    }
}

struct Ascend<'a> {
    masses: &'a CoupledMasses,
    x: &'a mut [f64],
    multipliers: &'a mut [f64],
}

impl WithSimd for Ascend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for block in &self.masses.blocks {
            let mut y = block.gather(self.x);
            let (mut away, mut reached) = ([[0.0; LANES]; MOST], [0.0; LANES]);
            for group in &self.masses.groups[block.groups.clone()] {
                let mut multipliers = [0.0; LANES];
                for lane in 0..LANES {
                    multipliers[lane] = self.multipliers[group.constraints[lane]];
                }
                for lane in 0..LANES {
                    reached[lane] += group.coupling[lane] * multipliers[lane];
                    for k in 0..MOST {
                        away[k][lane] += group.scaled[k][lane] * multipliers[lane];
                    }
                }
            }
            for k in 0..MOST {
                y[k] -= sum(&away[k]);
            }
            if let Some(own) = &block.own {
                let multiplier = own.reciprocal * (self.multipliers[own.constraint] - sum(&reached));
                self.multipliers[own.constraint] = multiplier;
                for k in 0..MOST {
                    y[k] -= own.scaled[k] * multiplier;
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

/// The halves of a register are added first.
#[inline(always)]
fn sum(x: &[f64; LANES]) -> f64 {
    (x[0] + x[2]) + (x[1] + x[3])
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
fn rows_of(jacobian: &Pattern, coordinates: &[usize]) -> Vec<Row> {
    let mut rows: Vec<usize> = coordinates.iter().flat_map(|&k| jacobian.column(k)).copied().collect();
    rows.sort_unstable();
    rows.dedup();
    let row = |constraint: usize| {
        let mut places = [NOWHERE; MOST];
        for (place, &k) in places.iter_mut().zip(coordinates) {
            *place = jacobian.position(constraint, k).unwrap_or(NOWHERE);
        }
        Row { constraint, places }
    };
    rows.into_iter().map(row).collect()
}
