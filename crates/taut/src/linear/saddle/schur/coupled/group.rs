//! Rows of constraints side by side, and the one that a block has for itself.

use super::root::{forward, product};
use super::{MOST, NOWHERE, Numbers, Row, at};
use crate::linear::ordered::PivotBounds;

/// So many constraints are taken together: one register of the vector unit for each coordinate of a block.
pub(super) const LANES: usize = 4;

/// The values at four places, 0 where there is none. (Functions of arrays that take closures are not compiled for the vector unit.)
#[inline(always)]
fn gather(values: &[f64], places: &[usize; 4]) -> [f64; 4] {
    [at(values, places[0]), at(values, places[1]), at(values, places[2]), at(values, places[3])]
}

/// Constraints with entries in the columns of a block, side by side.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// the first one again where there are fewer, with nothing in its columns
    pub(super) constraints: [usize; LANES],
    pub(super) count: usize,
    /// the places among the values of G, column by column
    places: [[usize; LANES]; MOST],
    /// where each column begins, when there are four and they lie one after the other
    starts: Option<[usize; MOST]>,
    /// R⁻¹Gᵀ, row by row
    pub(super) scaled: [[f64; LANES]; MOST],
    /// its products with that of the row that the block has for itself
    pub(super) coupling: [f64; LANES],
}

impl Group {
    pub(super) fn new(rows: &[Row]) -> Self {
        let mut constraints = [rows.first().map_or(0, |row| row.constraint); LANES];
        let mut places = [[NOWHERE; LANES]; MOST];
        for (lane, row) in rows.iter().enumerate() {
            constraints[lane] = row.constraint;
            for (column, place) in places.iter_mut().zip(row.places) {
                column[lane] = place;
            }
        }
        let follow =
            |column: &[usize; LANES]| column.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
        let starts = places.iter().all(follow).then(|| places.map(|column| column[0]));
        let nothing = [[0.0; LANES]; MOST];
        Group { constraints, count: rows.len(), places, starts, scaled: nothing, coupling: [0.0; LANES] }
    }

    /// Their entries of G, column by column.
    #[inline(always)]
    fn read(&self, jacobian: &[f64]) -> [[f64; LANES]; MOST] {
        let mut columns = [[0.0; LANES]; MOST];
        for k in 0..MOST {
            let together = match &self.starts {
                Some(starts) => jacobian.get(starts[k]..starts[k] + LANES),
                None => None,
            };
            match together {
                Some(column) => columns[k].copy_from_slice(column),
                None => columns[k] = gather(jacobian, &self.places[k]),
            }
        }
        columns
    }

    /// R⁻¹Gᵀ, with the columns of R⁻¹.
    #[inline(always)]
    pub(super) fn scale(&mut self, inverse: &[Numbers; MOST], jacobian: &[f64]) {
        let columns = self.read(jacobian);
        for i in 0..MOST {
            let mut scaled = [0.0; LANES];
            for k in 0..=i {
                for lane in 0..LANES {
                    scaled[lane] += inverse[k][i] * columns[k][lane];
                }
            }
            self.scaled[i] = scaled;
        }
    }

    /// The products with R⁻¹b.
    #[inline(always)]
    pub(super) fn products(&self, y: &Numbers) -> [f64; LANES] {
        let [a, b, c, d] = &self.scaled;
        let mut products = [0.0; LANES];
        for lane in 0..LANES {
            products[lane] = (a[lane] * y[0] + c[lane] * y[2]) + (b[lane] * y[1] + d[lane] * y[3]);
        }
        products
    }

    /// R⁻¹Gᵀ of one constraint.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Numbers {
        let [a, b, c, d] = &self.scaled;
        [a[lane], b[lane], c[lane], d[lane]]
    }
}

/// A row with entries in the columns of one block only, such as that of the length of a quaternion: it is eliminated with the block.
#[derive(Clone, Debug)]
pub(super) struct OwnRow {
    pub(super) constraint: usize,
    /// the places among the values of G
    places: [usize; MOST],
    /// R⁻¹Gᵀ
    pub(super) scaled: Numbers,
    /// of its entry in the complement
    pub(super) reciprocal: f64,
}

impl OwnRow {
    pub(super) fn new(Row { constraint, places }: Row) -> Self {
        OwnRow { constraint, places, scaled: [0.0; MOST], reciprocal: 0.0 }
    }

    /// R⁻¹Gᵀ, and the pivot, of which a spring has its compliance; false where that is too small to be divided by.
    #[inline(always)]
    pub(super) fn factor(&mut self, inverse: &[Numbers; MOST], jacobian: &[f64], compliance: f64) -> bool {
        self.scaled = forward(inverse, &gather(jacobian, &self.places));
        let pivot = product(&self.scaled, &self.scaled) + compliance;
        self.reciprocal = 1.0 / pivot;
        PivotBounds::MULTIPLIERS.permit(pivot, pivot)
    }
}
