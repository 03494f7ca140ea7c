//! Elimination of one small symmetric matrix: what happens to which entry is recorded once.

use super::program::FEW_PLACES as PLACES;
use crate::linear::dense::blocks::BLOCK;
use crate::linear::inverse::MOST_PIECES;
use crate::linear::ordered::{OrderedLu, PivotBounds};
use crate::linear::saddle::Assembly;
use crate::linear::{Blocks, SaddlePattern, Scales, ordering};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;
use std::sync::Arc;

/// L D Lᵀ of a symmetric saddle matrix with pivots in the order of [`OrderedLu`](crate::linear::ordered::OrderedLu), of which
/// only entries that may differ from zero are looked at.
#[derive(Clone, Debug)]
pub(in crate::linear) struct RecordedLdl {
    size: usize,
    coordinates: usize,
    pivots: Arc<[Pivot]>,
    /// (row, entry of L, column), in the order of the solution of L y = b.
    substitutions: Arc<[[u8; 3]]>,
    assembly: Arc<Assembly>,
    /// The places that are in use.
    used: usize,
    /// The lower half of the matrix, then L D.
    values: Box<[f64; PLACES]>,
    /// L
    lower: Box<[f64; PLACES]>,
    reciprocals: Vec<f64>,
    /// Sizes by which pivots are judged.
    references: Vec<f64>,
    /// The same factors in columns, where it takes fewer instructions to solve with these.
    columns: Option<Box<Columns>>,
    arch: Arch,
}

/// Factors in columns, and where the entries of L lie in them.
#[derive(Clone, Debug)]
struct Columns {
    lu: OrderedLu,
    /// (entry of L, place)
    places: Arc<[(u8, usize)]>,
}

impl Columns {
    /// The same elimination, with the order and the entries that it fills.
    fn new(
        pattern: &SaddlePattern,
        (order, filled): (Vec<usize>, Vec<bool>),
        substitutions: &[[u8; 3]],
    ) -> Option<Self> {
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &unknown)| position[unknown] = k);
        let lu = OrderedLu::in_order(pattern, true, (order, filled))?;
        let (stride, at) = (lu.stride(), |unknown: u8| position[usize::from(unknown)]);
        let place = |&[row, entry, column]: &[u8; 3]| (entry, at(row) + at(column) * stride);
        Some(Columns { places: substitutions.iter().map(place).collect(), lu })
    }
}

/// The elimination of one unknown.
#[derive(Clone, Debug)]
struct Pivot {
    unknown: u8,
    diagonal: u8,
    /// The entries below the diagonal.
    below: Vec<u8>,
    /// (place, i, j): the entry there becomes itself minus lᵢ d lⱼ.
    updates: Vec<[u8; 3]>,
}

/// The place of mirror images, where nobody looks.
const UNUSED: u8 = u8::MAX;
/// The most unknowns.
const MOST_UNKNOWNS: usize = 64;
/// Up to so many unknowns a shorter array holds them.
const FEW_UNKNOWNS: usize = 16;
/// So many updates for each entry of the matrix take as long as dense loops, measured by instructions: a full matrix of 13
/// unknowns has 3 for each.
const MOST_UPDATES: usize = 2;
/// With more entries of L than these it is better to solve by columns.
const MOST_SUBSTITUTIONS: usize = 24;

impl RecordedLdl {
    /// Storage for symmetric matrices of this pattern; nothing where another elimination is better.
    pub(in crate::linear) fn new(pattern: &SaddlePattern) -> Option<Self> {
        let size = pattern.size();
        if size > MOST_UNKNOWNS || pattern.m == 0 {
            return None;
        }
        let (order, filled) = ordering::coordinates_first(pattern);
        let mut places = vec![UNUSED; size * size];
        let mut used = 0;
        for (k, &j) in order.iter().enumerate() {
            for &i in order[k..].iter().filter(|&&i| i == j || filled[i + j * size]) {
                places[i + j * size] = u8::try_from(used).ok().filter(|&place| place < UNUSED)?;
                used += 1;
            }
        }
        let at = |i: usize, j: usize| places[i + j * size];
        let mut substitutions = Vec::new();
        let eliminate = |(k, &now): (usize, &usize)| {
            let is_below = |i: &&usize| at(**i, now) != UNUSED;
            let rows: Vec<usize> = order[k + 1..].iter().filter(is_below).copied().collect();
            substitutions.extend(rows.iter().map(|&i| [i as u8, at(i, now), now as u8]));
            let pairs = rows.iter().enumerate().flat_map(|(k, &j)| rows[k..].iter().map(move |&i| (i, j)));
            Pivot {
                unknown: now as u8,
                diagonal: at(now, now),
                below: rows.iter().map(|&i| at(i, now)).collect(),
                updates: pairs.map(|(i, j)| [at(i, j), at(i, now), at(j, now)]).collect(),
            }
        };
        let pivots: Vec<Pivot> = order.iter().enumerate().map(eliminate).collect();
        let updates: usize = pivots.iter().map(|pivot| pivot.updates.len()).sum();
        if updates > MOST_UPDATES * size * size {
            return None;
        }
        let assembly = Assembly::lower_half(pattern, |i, j| usize::from(at(i, j)));
        let columns = match substitutions.len() {
            ..=MOST_SUBSTITUTIONS => None,
            _ => Columns::new(pattern, (order, filled), &substitutions).map(Box::new),
        };
        Some(Self {
            columns,
            size,
            coordinates: pattern.n,
            pivots: pivots.into(),
            substitutions: substitutions.into(),
            assembly: Arc::new(assembly),
            used,
            values: Box::new([0.0; PLACES]),
            lower: Box::new([0.0; PLACES]),
            reciprocals: vec![0.0; size],
            references: vec![0.0; size],
            arch: Arch::new(),
        })
    }

    /// Puts the matrix together and eliminates. False where the pivots are bad.
    pub(in crate::linear) fn factor(&mut self, blocks: &Blocks<'_>, scales: Scales) -> bool {
        let Self { assembly, values, used, .. } = self;
        values[..*used].fill(0.0);
        assembly.each(blocks, scales.factors(), |place, scale, value| {
            values[place % PLACES] += scale * value;
        });
        let good = self.eliminate(0..self.coordinates, PivotBounds::COORDINATES)
            && self.eliminate(self.coordinates..self.size, PivotBounds::MULTIPLIERS);
        if let Some(Columns { lu, places }) = self.columns.as_deref_mut() {
            let (matrix, reciprocals) = lu.factors_mut();
            reciprocals.copy_from_slice(&self.reciprocals);
            for &(entry, place) in places.iter() {
                matrix[place] = self.lower[usize::from(entry)];
            }
        }
        good
    }

    fn eliminate(&mut self, part: Range<usize>, bounds: PivotBounds) -> bool {
        let Self { values, lower, .. } = self;
        let pivots = &self.pivots[part.clone()];
        let (references, reciprocals) = (&mut self.references[part.clone()], &mut self.reciprocals[part]);
        for (pivot, reference) in pivots.iter().zip(references.iter_mut()) {
            *reference = values[usize::from(pivot.diagonal)].abs();
        }
        for ((pivot, reference), reciprocal) in pivots.iter().zip(references).zip(reciprocals) {
            let diagonal = values[usize::from(pivot.diagonal)];
            if !bounds.permit(diagonal.abs(), *reference) {
                return false;
            }
            *reciprocal = 1.0 / diagonal;
            for &place in &pivot.below {
                lower[usize::from(place)] = values[usize::from(place)] * *reciprocal;
            }
            for &[place, i, j] in &pivot.updates {
                values[usize::from(place)] -= lower[usize::from(i)] * values[usize::from(j)];
            }
        }
        true
    }

    /// Replaces `b` by the solution of A x = b. Call after a factorisation that succeeded.
    pub(in crate::linear) fn solve(&self, b: &mut [f64]) {
        if let Some(columns) = &self.columns {
            return columns.lu.solve(b);
        }
        match self.size {
            ..=FEW_UNKNOWNS => self.substitute::<FEW_UNKNOWNS>(b),
            _ => self.substitute::<MOST_UNKNOWNS>(b),
        }
    }

    fn substitute<const N: usize>(&self, b: &mut [f64]) {
        let b = &mut b[..self.size];
        let mut x = [0.0; N];
        x[..self.size].copy_from_slice(b);
        for &[row, entry, column] in self.substitutions.iter() {
            x[usize::from(row) % N] -= self.lower[usize::from(entry)] * x[usize::from(column) % N];
        }
        for (pivot, reciprocal) in self.pivots.iter().zip(&self.reciprocals) {
            x[usize::from(pivot.unknown) % N] *= reciprocal;
        }
        for &[row, entry, column] in self.substitutions.iter().rev() {
            x[usize::from(column) % N] -= self.lower[usize::from(entry)] * x[usize::from(row) % N];
        }
        b.copy_from_slice(&x[..self.size]);
    }

    /// Replaces up to [`BLOCK`] vectors, one after the other in `b`, by the solutions of A x = b. Vector registers hold the
    /// same entry of all of them, so that several cost about as much as one. False, and nothing done, where there are more.
    pub(in crate::linear) fn solve_together(&self, b: &mut [f64]) -> bool {
        let possible = b.len() <= BLOCK * self.size;
        if possible {
            self.arch.dispatch(SolveTogether { ldl: self, b });
        }
        possible
    }

    /// Writes A⁻¹ row by row, each in so many pieces, up to [`MOST_PIECES`]. All unit vectors go through the substitutions side
    /// by side. Call after a factorisation that succeeded.
    pub(in crate::linear) fn invert(&self, pieces: usize, inverse: &mut [[f64; BLOCK]]) {
        self.arch.dispatch(Invert { ldl: self, pieces, inverse });
    }
}

struct Invert<'a> {
    ldl: &'a RecordedLdl,
    pieces: usize,
    inverse: &'a mut [[f64; BLOCK]],
}

impl WithSimd for Invert<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        match self.pieces {
            1 => self.substitute::<1>(),
            2 => self.substitute::<2>(),
            3 => self.substitute::<3>(),
            4 => self.substitute::<4>(),
            5 => self.substitute::<5>(),
            _ => self.substitute::<MOST_PIECES>(),
        }
    }
}

impl Invert<'_> {
    #[inline(always)]
    fn substitute<const P: usize>(self) {
        let RecordedLdl { lower, substitutions, pivots, reciprocals, .. } = self.ldl;
        let rows = self.inverse.as_chunks_mut::<P>().0;
        for (k, row) in rows.iter_mut().enumerate() {
            *row = [[0.0; BLOCK]; P];
            row.as_flattened_mut()[k] = 1.0;
        }
        for &[row, entry, column] in substitutions.iter() {
            let known = rows[usize::from(column)];
            subtract_pieces(&mut rows[usize::from(row)], lower[usize::from(entry)], &known);
        }
        for (pivot, reciprocal) in pivots.iter().zip(reciprocals) {
            rows[usize::from(pivot.unknown)].as_flattened_mut().iter_mut().for_each(|x| *x *= reciprocal);
        }
        for &[row, entry, column] in substitutions.iter().rev() {
            let known = rows[usize::from(row)];
            subtract_pieces(&mut rows[usize::from(column)], lower[usize::from(entry)], &known);
        }
    }
}

#[inline(always)]
fn subtract_pieces<const P: usize>(y: &mut [[f64; BLOCK]; P], u: f64, l: &[[f64; BLOCK]; P]) {
    for (y, l) in y.iter_mut().zip(l) {
        subtract(y, u, l);
    }
}

struct SolveTogether<'a> {
    ldl: &'a RecordedLdl,
    b: &'a mut [f64],
}

impl WithSimd for SolveTogether<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        match self.ldl.size {
            ..=FEW_UNKNOWNS => self.substitute::<FEW_UNKNOWNS>(),
            _ => self.substitute::<MOST_UNKNOWNS>(),
        }
    }
}

impl SolveTogether<'_> {
    #[inline(always)]
    fn substitute<const N: usize>(self) {
        let RecordedLdl { size, lower, substitutions, pivots, reciprocals, .. } = self.ldl;
        let mut x = [[0.0; BLOCK]; N];
        for (lane, b) in self.b.chunks_exact(*size).enumerate() {
            for (x, b) in x.iter_mut().zip(b) {
                x[lane % BLOCK] = *b;
            }
        }
        for &[row, entry, column] in substitutions.iter() {
            let known = x[usize::from(column) % N];
            subtract(&mut x[usize::from(row) % N], lower[usize::from(entry)], &known);
        }
        for (pivot, reciprocal) in pivots.iter().zip(reciprocals) {
            x[usize::from(pivot.unknown) % N].iter_mut().for_each(|x| *x *= reciprocal);
        }
        for &[row, entry, column] in substitutions.iter().rev() {
            let known = x[usize::from(row) % N];
            subtract(&mut x[usize::from(column) % N], lower[usize::from(entry)], &known);
        }
        for (lane, b) in self.b.chunks_exact_mut(*size).enumerate() {
            for (x, b) in x.iter().zip(b) {
                *b = x[lane % BLOCK];
            }
        }
    }
}

/// y -= u l
#[inline(always)]
fn subtract(y: &mut [f64; BLOCK], u: f64, l: &[f64; BLOCK]) {
    for (y, l) in y.iter_mut().zip(l) {
        *y -= u * l;
    }
}
