//! Results that are known before a run. Most of them are the same again and again, such as masses: these are not read from anywhere.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use crate::unit::Unit;

/// Numbers come again after so many at most.
const LONGEST: usize = 4;
/// Fewer are copied.
const FEWEST: usize = 32;
/// So many are written at a time: a multiple of every period, and of what a vector holds.
const AT_ONCE: usize = 24;

/// Some registers of results that are known.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    /// after how many registers numbers come again; 0 where they do not
    period: usize,
}

/// The pieces of these registers.
pub(super) fn pieces(file: &[f64], ranges: &[Range<usize>]) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    for range in ranges {
        let mut at = range.start;
        while at < range.end {
            let until = |period: usize| {
                let differs = |k: &usize| file[*k].to_bits() != file[*k - period].to_bits();
                (at + period..range.end).find(differs).unwrap_or(range.end)
            };
            let longest = (1..=LONGEST).rev().max_by_key(|&period| until(period)).unwrap_or(1);
            let end = until(longest);
            match found.last_mut() {
                _ if end - at >= FEWEST => found.push(Piece { range: at..end, period: longest }),
                Some(last) if last.period == 0 && last.range.end == at => last.range.end = end,
                _ => found.push(Piece { range: at..end, period: 0 }),
            }
            at = end;
        }
    }
    found
}

impl Piece {
    /// Writes what these registers of it hold.
    pub(super) fn fill(&self, slice: &mut [f64], registers: &[f64]) {
        let again = Again { period: self.period, slice, registers };
        match Unit::here() {
            Unit::Vector(arch) => arch.dispatch(again),
            Unit::Plain => again.write(),
        }
    }
}

/// Numbers that come again after so many.
struct Again<'a> {
    period: usize,
    slice: &'a mut [f64],
    registers: &'a [f64],
}

impl WithSimd for Again<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        self.write();
    }
}

impl Again<'_> {
    #[inline(always)]
    fn write(self) {
        match self.period {
            1 => self.rows::<1>(),
            2 => self.rows::<2>(),
            3 => self.rows::<3>(),
            4 => self.rows::<4>(),
            _ => self.slice.copy_from_slice(self.registers),
        }
    }

    #[inline(always)]
    fn rows<const P: usize>(self) {
        let Some(first) = self.registers.first_chunk::<P>() else {
            return self.slice.copy_from_slice(self.registers);
        };
        // Many at a time: so they are vectors, whatever the period is.
        let many: [f64; AT_ONCE] = std::array::from_fn(|k| first[k % P]);
        let (rows, rest) = self.slice.as_chunks_mut::<AT_ONCE>();
        for row in rows {
            *row = many;
        }
        rest.copy_from_slice(&many[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_come_again_are_those_of_the_registers() {
        let mut file: Vec<f64> = (0..300).map(f64::from).collect();
        file[40..90].fill(2.0);
        (90..151).for_each(|k| file[k] = [0.0, -9.81][k % 2]);
        (151..200).for_each(|k| file[k] = [1.0, -0.0, 0.0][k % 3]);
        let pieces = pieces(&file, &[3..260, 280..300]);
        let covered: Vec<usize> = pieces.iter().flat_map(|piece| piece.range.clone()).collect();
        assert_eq!(covered, (3..260).chain(280..300).collect::<Vec<_>>());
        let periods: Vec<usize> = pieces.iter().map(|piece| piece.period).collect();
        assert_eq!(periods, [0, 1, 2, 3, 0, 0]);
        // Any part of a piece may be asked for.
        for piece in &pieces {
            for registers in [piece.range.clone(), piece.range.start + 5..piece.range.end - 3] {
                let mut slice = vec![f64::NAN; registers.len()];
                piece.fill(&mut slice, &file[registers.clone()]);
                let same = slice.iter().zip(&file[registers]).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{piece:?}");
            }
        }
    }
}
