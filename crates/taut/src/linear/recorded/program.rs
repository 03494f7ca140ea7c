//! What an elimination does, found once from the places of the entries.

use crate::linear::{SaddlePattern, ordering};

/// The number of a place of an entry or factor, of which there are at most N: it is in range whatever it is, so that none is checked.
pub(in crate::linear) trait Place<const N: usize>: Copy + Default + TryFrom<usize> {
    fn index(self) -> usize;
}

/// So many places does one byte find.
pub(super) const FEW_PLACES: usize = 256;

impl Place<FEW_PLACES> for u8 {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

/// The most places.
pub(super) const MOST_PLACES: usize = 2048;

impl Place<MOST_PLACES> for u16 {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self) % MOST_PLACES
    }
}

/// The most unknowns.
pub(super) const MOST_UNKNOWNS: usize = 64;

/// So many multiplications of the dense loops, which serve one matrix at a time, take as long as an update. Measured by
/// instructions: with 13 unknowns and 170 updates three matrices together took 7500, their dense eliminations 18000.
const COST: usize = 2;

/// So few unknowns are eliminated together even where their matrix is full: dense loops have little to do, and much to set up.
const FULL: usize = 8;

/// The elimination of one unknown.
#[derive(Clone, Debug)]
pub(super) struct Pivot<P> {
    pub(super) unknown: u8,
    pub(super) diagonal: P,
    /// Entries below the diagonal and their mirror images to the right of it.
    pub(super) multipliers: Vec<(P, P)>,
    /// (place, l, u): the entry there becomes itself minus l u.
    pub(super) updates: Vec<[P; 3]>,
}

/// An entry of a factor in the solution: its row, its place, its column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<P> {
    pub(super) row: u8,
    pub(super) place: P,
    pub(super) column: u8,
}

/// The order of elimination, the place of each entry, and what happens to it.
#[derive(Clone, Debug)]
pub(super) struct Program<P> {
    pub(super) coordinates: usize,
    /// The places that are in use.
    pub(super) used: usize,
    pub(super) pivots: Vec<Pivot<P>>,
    /// Of L, in the order of the solution of L y = b.
    pub(super) forward: Vec<Entry<P>>,
    /// Of D^-1 U, in the order of the solution of D^-1 U x = y.
    pub(super) backward: Vec<Entry<P>>,
    /// The number of unknowns.
    pub(super) size: usize,
    /// The place of entry (i, j) at i + j N; nothing where there is none.
    places: Vec<Option<P>>,
}

impl<P: Copy + Default + TryFrom<usize>> Program<P> {
    /// The elimination of the coordinates by least degree, then of the multipliers; nothing where the matrix is too
    /// large or too full for so many places, or where there are pivots that cannot be on the diagonal.
    pub(super) fn new<const N: usize>(pattern: &SaddlePattern) -> Option<Self> {
        let size = pattern.size();
        let blocks = [&pattern.mass, &pattern.damping, &pattern.stiffness];
        let has_diagonal = |i: usize| blocks.iter().any(|block| block.position(i, i).is_some());
        if size > MOST_UNKNOWNS || !(0..pattern.n).all(has_diagonal) {
            return None;
        }
        let (order, filled) = ordering::coordinates_first(pattern);
        let mut program = Self {
            coordinates: pattern.n,
            used: 0,
            pivots: Vec::with_capacity(size),
            forward: Vec::new(),
            backward: Vec::new(),
            size,
            places: vec![None; size * size],
        };
        for (k, &i) in order.iter().enumerate() {
            let diagonal = program.place::<N>(i, i)?;
            for &j in order[k + 1..].iter().filter(|&&j| filled[i + j * size]) {
                program.place::<N>(j, i)?;
                program.place::<N>(i, j)?;
            }
            let unknown = u8::try_from(i).ok()?;
            program.pivots.push(Pivot { unknown, diagonal, multipliers: vec![], updates: vec![] });
        }
        program.record(&order);
        let updates: usize = program.pivots.iter().map(|pivot| pivot.updates.len()).sum();
        (size <= FULL || COST * updates <= size * size * size / 3).then_some(program)
    }

    /// A new place for entry (i, j); nothing where there are too many.
    fn place<const N: usize>(&mut self, i: usize, j: usize) -> Option<P> {
        let place = P::try_from(self.used).ok().filter(|_| self.used < N)?;
        self.used += 1;
        self.places[i + j * self.size] = Some(place);
        Some(place)
    }

    /// Writes down what the elimination of each unknown does to those after it.
    fn record(&mut self, order: &[usize]) {
        let size = order.len();
        let places = std::mem::take(&mut self.places);
        let at = |i: usize, j: usize| places[i + j * size];
        for (k, pivot) in self.pivots.iter_mut().enumerate() {
            let (now, later) = (order[k], &order[k + 1..]);
            let coupled: Vec<usize> = later.iter().copied().filter(|&i| at(i, now).is_some()).collect();
            pivot.multipliers = coupled.iter().filter_map(|&i| at(i, now).zip(at(now, i))).collect();
            pivot.updates.reserve(coupled.len() * coupled.len());
            for &j in &coupled {
                let update = |&i: &usize| Some([at(i, j)?, at(i, now)?, at(now, j)?]);
                pivot.updates.extend(coupled.iter().filter_map(update));
                if let Some((below, right)) = at(j, now).zip(at(now, j)) {
                    let (now, j) = (now as u8, j as u8);
                    self.forward.push(Entry { row: j, place: below, column: now });
                    self.backward.push(Entry { row: now, place: right, column: j });
                }
            }
        }
        self.backward.reverse();
        self.places = places;
    }

    /// The place of entry (i, j) of the matrix, which is one of those in its pattern.
    pub(super) fn entry(&self, i: usize, j: usize) -> P {
        self.places[i + j * self.size].unwrap_or_default()
    }
}
