//! Coordinates that have mass of their own.

use super::{Blocks, SaddlePattern};

/// Where the masses of coordinates are among the values of M.
///
/// Eliminations in a fixed order begin with pivots that a definite mass matrix makes good. A coordinate without mass has nothing
/// in that place but what stiffness and multipliers of the moment leave there, which may be as small as a rounding error.
#[derive(Clone, Debug)]
pub(super) struct Masses(Vec<usize>);

impl Masses {
    /// Of coordinates under constraints; nothing where one has no mass. Without constraints nothing is asked for.
    pub(super) fn of(pattern: &SaddlePattern) -> Option<Self> {
        let coordinates = if pattern.m == 0 { 0 } else { pattern.n };
        (0..coordinates).map(|k| pattern.mass.position(k, k)).collect::<Option<Vec<usize>>>().map(Masses)
    }

    /// Whether all coordinates have mass now.
    pub(super) fn are_there(&self, blocks: &Blocks<'_>) -> bool {
        self.0.iter().all(|&place| blocks.mass.get(place).is_some_and(|mass| *mass != 0.0))
    }
}
