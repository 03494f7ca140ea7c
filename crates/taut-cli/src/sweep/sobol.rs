//! Sobol's sequence, with the direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008), shifted by a seed.

use super::sampling::{bits, share};

/// For each dimension beyond the first: degree and inner coefficients of its primitive polynomial, initial numbers.
const DIRECTIONS: [(u32, u64, &[u64]); 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Points in so many dimensions can be had.
pub const MOST_DIMENSIONS: usize = DIRECTIONS.len() + 1;

/// So many binary places; as many points can be told apart.
const PLACES: u32 = 52;

/// The direction numbers of one dimension, binary fractions in the highest bits.
pub struct Sobol {
    directions: [u64; PLACES as usize],
}

impl Sobol {
    /// The sequence in a dimension, counted from 0.
    pub fn new(dimension: usize) -> Self {
        let mut directions = [0; PLACES as usize];
        let Some((degree, inner, initial)) = dimension.checked_sub(1).and_then(|d| DIRECTIONS.get(d)) else {
            directions.iter_mut().zip(1..).for_each(|(v, k)| *v = 1_u64 << (64 - k));
            return Sobol { directions };
        };
        let s = *degree as usize;
        for k in 0..PLACES as usize {
            directions[k] = match initial.get(k) {
                Some(m) => m << (63 - k),
                None => {
                    let carried = directions[k - s] ^ directions[k - s] >> degree;
                    (1..s).fold(carried, |v, i| {
                        let taken = inner >> (s - 1 - i) & 1;
                        v ^ (taken * directions[k - i])
                    })
                }
            };
        }
        Sobol { directions }
    }

    /// The k-th number as a binary fraction, in the order of the Gray code.
    fn fraction(&self, k: u64) -> u64 {
        let gray = k ^ k >> 1;
        let set = (0..PLACES).filter(|place| gray >> place & 1 == 1);
        set.fold(0, |x, place| x ^ self.directions[place as usize])
    }

    /// The k-th number in [0, 1), all numbers of the dimension shifted digit by digit.
    pub fn shifted(&self, k: u64, seed: u64, dimension: u64) -> f64 {
        share(self.fraction(k) ^ bits(seed, dimension, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_are_those_of_the_literature() {
        let points = |dimension| {
            let sobol = Sobol::new(dimension);
            (0..8).map(|k| share(sobol.fraction(k))).collect::<Vec<_>>()
        };
        assert_eq!(points(0), [0.0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125]);
        assert_eq!(points(1), [0.0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625]);
        assert_eq!(points(2), [0.0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375]);
    }

    #[test]
    fn every_dimension_has_one_point_in_each_part() {
        for dimension in 0..MOST_DIMENSIONS {
            let sobol = Sobol::new(dimension);
            for count in [2_u64, 64, 1024] {
                let mut seen = vec![false; count as usize];
                for k in 0..count {
                    seen[(sobol.shifted(k, 5, dimension as u64) * count as f64) as usize] = true;
                }
                assert!(seen.iter().all(|seen| *seen), "dimension {dimension}, {count} points");
            }
        }
    }

    /// The first two dimensions are a (0, m, 2)-net: each elementary box of area 1/256 has one of 256 points.
    #[test]
    fn two_dimensions_are_a_net() {
        let (x, y) = (Sobol::new(0), Sobol::new(1));
        for split in 0..=8 {
            let (columns, rows) = (1 << split, 1 << (8 - split));
            let mut seen = [false; 256];
            for k in 0..256 {
                let column = (x.shifted(k, 9, 0) * f64::from(columns)) as usize;
                let row = (y.shifted(k, 9, 1) * f64::from(rows)) as usize;
                seen[column * rows as usize + row] = true;
            }
            assert!(seen.iter().all(|seen| *seen), "{columns} x {rows}");
        }
    }
}
