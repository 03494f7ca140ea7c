//! Small dense blocks of an element, and their way into the sparse blocks of the system.

use taut::linear::Pattern;

use crate::pose::{LOCAL, Place};

/// The most variables of one joint.
pub(crate) const MOST_VARIABLES: usize = 6;
/// The numbers of an element: two bodies and the variables of a joint.
pub(crate) const SIZE: usize = 2 * LOCAL + MOST_VARIABLES;
/// Where the second body begins.
pub(crate) const SECOND: usize = LOCAL;
/// Where the variables begin.
pub(crate) const VARIABLES: usize = 2 * LOCAL;

/// One row of derivatives.
pub(crate) type LocalRow = [f64; SIZE];
/// A block of second derivatives.
pub(crate) type LocalBlock = [[f64; SIZE]; SIZE];

/// Which coordinates an element touches.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub(crate) bodies: [Place; 2],
    pub(crate) variables: Vec<usize>,
}

impl Touched {
    /// The coordinate behind a local number.
    pub(crate) fn coordinate(&self, local: usize) -> Option<usize> {
        match local.checked_sub(VARIABLES) {
            Some(k) => self.variables.get(k).copied(),
            None if local < SECOND => self.bodies[0].coordinate(local),
            None => self.bodies[1].coordinate(local - SECOND),
        }
    }

    /// The numbers of a vector of the system that belong here.
    pub(crate) fn local(&self, x: &[f64]) -> LocalRow {
        std::array::from_fn(|i| self.coordinate(i).map_or(0.0, |k| x[k]))
    }

    /// The local numbers of the entries of a row that are not 0.
    pub(crate) fn row_entries(&self, row: &LocalRow) -> Vec<usize> {
        (0..SIZE).filter(|&i| row[i] != 0.0 && self.coordinate(i).is_some()).collect()
    }

    /// The places of the entries of a block that are not 0, as (local row, local column).
    pub(crate) fn block_entries(&self, block: &LocalBlock) -> Vec<(usize, usize)> {
        let known: Vec<usize> = (0..SIZE).filter(|&i| self.coordinate(i).is_some()).collect();
        let pairs = known.iter().flat_map(|&i| known.iter().map(move |&j| (i, j)));
        pairs.filter(|&(i, j)| block[i][j] != 0.0).collect()
    }

    /// Those as places of the system.
    pub(crate) fn places(&self, entries: &[(usize, usize)]) -> Vec<(usize, usize)> {
        entries.iter().filter_map(|&(i, j)| Some((self.coordinate(i)?, self.coordinate(j)?))).collect()
    }
}

/// Where local numbers go in the values of a pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scatter {
    /// local row, local column, place among the values
    to: Vec<(u32, u32, u32)>,
}

impl Scatter {
    /// For rows of a Jacobian: `entries` are (row of the element, local number).
    pub(crate) fn rows(
        pattern: &Pattern,
        first_row: usize,
        touched: &Touched,
        entries: &[(usize, usize)],
    ) -> Self {
        let place = |&(row, local): &(usize, usize)| {
            let k = pattern.position(first_row + row, touched.coordinate(local)?)?;
            Some((row as u32, local as u32, k as u32))
        };
        Scatter { to: entries.iter().filter_map(place).collect() }
    }

    /// For a block: `entries` are (local row, local column).
    pub(crate) fn block(pattern: &Pattern, touched: &Touched, entries: &[(usize, usize)]) -> Self {
        let place = |&(i, j): &(usize, usize)| {
            let k = pattern.position(touched.coordinate(i)?, touched.coordinate(j)?)?;
            Some((i as u32, j as u32, k as u32))
        };
        Scatter { to: entries.iter().filter_map(place).collect() }
    }

    /// Adds rows to the values of a pattern.
    pub(crate) fn add_rows(&self, rows: &[LocalRow], values: &mut [f64]) {
        for &(i, j, k) in &self.to {
            values[k as usize] += rows[i as usize][j as usize];
        }
    }

    /// Adds a block to the values of a pattern.
    pub(crate) fn add_block(&self, block: &LocalBlock, factor: f64, values: &mut [f64]) {
        self.add_entries(|i, j| block[i][j], factor, values);
    }

    /// The same for entries that are found only where they go somewhere.
    pub(crate) fn add_entries(&self, entry: impl Fn(usize, usize) -> f64, factor: f64, values: &mut [f64]) {
        for &(i, j, k) in &self.to {
            values[k as usize] += factor * entry(i as usize, j as usize);
        }
    }
}

/// Adds second derivatives of the attitude at (row, column) of a local block.
pub(crate) fn add_square(block: &mut LocalBlock, (row, column): (usize, usize), square: &[[f64; 4]; 4]) {
    for i in 0..4 {
        for j in 0..4 {
            block[row + i][column + j] += square[i][j];
        }
    }
}

/// Adds a column and its mirror image.
pub(crate) fn add_mixed(block: &mut LocalBlock, (row, column): (usize, usize), numbers: &[f64]) {
    for (i, x) in numbers.iter().enumerate() {
        block[row + i][column] += x;
        block[column][row + i] += x;
    }
}
