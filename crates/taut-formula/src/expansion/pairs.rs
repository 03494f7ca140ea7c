//! Sines and cosines of angles, four side by side.
//!
//! The sine and the cosine of an angle need one another and the angle, and nothing else. Four of each lie side by side, in the
//! coefficients of an order as well as in what is filed away: both convolutions read the angles once, and a new order is
//! computed for four angles at a time and filed as it is.

use super::convolution::{LANES, Lanes};
use super::rows::{FEW, Row};
use crate::number::Scalar;

/// A sine and a cosine that are computed beside others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) angle: u32,
    /// numbers the convolutions of the sine and of the cosine
    pub(super) inner: u32,
}

/// Places of four sines and four cosines.
pub(super) const BLOCK: usize = 2 * LANES;

/// The sines and cosines of one level.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    angles: Vec<Lanes<u32>>,
    /// the same where formulas are few
    few: Vec<Lanes<u8>>,
    /// where the sines of the first four angles are found, before the cosines; those of the next follow
    first: usize,
    /// where their convolutions are found
    sums: usize,
    /// how many angles there are
    count: usize,
}

impl Pairs {
    /// Of a list whose sines and cosines are found in blocks from `first` on; the places of their convolutions, from `sums` on, are
    /// written by number. Lanes that are left over read `zero`.
    pub(super) fn new(list: &[Pair], first: usize, sums: usize, zero: u32, places: &mut [u32]) -> Self {
        let mut found = Pairs { first, sums, count: list.len(), ..Pairs::default() };
        for (block, together) in list.chunks(LANES).enumerate() {
            let mut angles = [zero; LANES];
            for (lane, pair) in together.iter().enumerate() {
                angles[lane] = pair.angle;
                let place = (sums + block * BLOCK + lane) as u32;
                places[pair.inner as usize] = place;
                places[pair.inner as usize + 1] = place + LANES as u32;
            }
            found.angles.push(angles);
            found.few.push(angles.map(|slot| slot as u8));
        }
        found
    }

    /// How many angles there are.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// How many numbers their convolutions take.
    pub(super) fn width(&self) -> usize {
        self.angles.len() * BLOCK
    }

    /// The convolutions of an order.
    #[inline(always)]
    fn sums<'r, N>(&self, row: &'r mut [N]) -> &'r mut [[Lanes<N>; 2]] {
        blocks(&mut row[self.sums..][..self.width()])
    }
}

/// Sines and cosines by blocks.
#[inline(always)]
fn blocks<N>(numbers: &mut [N]) -> &mut [[Lanes<N>; 2]] {
    numbers.as_chunks_mut().0.as_chunks_mut().0
}

/// The coefficients of one level, four angles after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct FiledPairs<N> {
    /// order by order from 1 on: k times the angles, sines and cosines
    coefficients: Vec<[Lanes<N>; 3]>,
    /// cosines and negative sines at the point of expansion
    slopes: Vec<[Lanes<N>; 2]>,
    /// how many orders there is room for
    orders: usize,
}

impl<N: Scalar> FiledPairs<N> {
    pub(super) fn new(pairs: &Pairs, highest: usize) -> Self {
        let (blocks, orders) = (pairs.angles.len(), highest.max(1));
        FiledPairs {
            coefficients: vec![[[N::zero(); LANES]; 3]; blocks * orders],
            slopes: vec![[[N::zero(); LANES]; 2]; blocks],
            orders,
        }
    }

    /// Takes over the values at the point of expansion.
    pub(super) fn place(&mut self, pairs: &Pairs, values: &mut [N]) {
        let values = blocks(&mut values[pairs.first..][..pairs.width()]);
        for (slopes, [sines, cosines]) in self.slopes.iter_mut().zip(values) {
            *slopes = [*cosines, sines.map(|sine| -sine)];
        }
    }

    /// Sums of so many products for the order above.
    #[inline(always)]
    pub(super) fn products(
        &self,
        pairs: &Pairs,
        count: usize,
        row: &mut [N],
        multiply_add: impl Fn(N, N, N) -> N + Copy,
    ) {
        let inverse = N::constant(1.0) / (count + 1) as f64;
        let mut columns = self.coefficients.as_slice();
        for sums in pairs.sums(row) {
            let Some((column, others)) = columns.split_at_checked(self.orders) else { return };
            columns = others;
            let column = &column[..count];
            let mut total = [[N::zero(); LANES]; 2];
            for j in 0..count {
                let (angles, [_, sines, cosines]) = (&column[j][0], &column[count - 1 - j]);
                for lane in 0..LANES {
                    total[0][lane] = multiply_add(angles[lane], cosines[lane], total[0][lane]);
                    total[1][lane] = multiply_add(angles[lane], sines[lane], total[1][lane]);
                }
            }
            *sums = total.map(|total| total.map(|sum| sum * inverse));
        }
    }

    /// The coefficients of order k, from those of the angles, which are filed away.
    #[inline(always)]
    pub(super) fn pass(
        &mut self,
        pairs: &Pairs,
        k: usize,
        row: &mut [N],
        multiply_add: impl Fn(N, N, N) -> N + Copy,
    ) {
        match <&mut [N; FEW]>::try_from(&mut *row) {
            Ok(row) => self.follow(pairs, &pairs.few, k, row, multiply_add),
            Err(_) => self.follow(pairs, &pairs.angles, k, row, multiply_add),
        }
    }

    #[inline(always)]
    fn follow<R: Row<N> + AsMut<[N]> + ?Sized>(
        &mut self,
        pairs: &Pairs,
        angles: &[Lanes<R::Slot>],
        k: usize,
        row: &mut R,
        multiply_add: impl Fn(N, N, N) -> N + Copy,
    ) {
        let order = N::constant(k as f64);
        let mut columns = self.coefficients.as_mut_slice();
        for (block, (slots, [cosines, minus_sines])) in angles.iter().zip(&self.slopes).enumerate() {
            let Some((column, others)) = columns.split_at_mut_checked(self.orders) else { return };
            columns = others;
            let mut angle = [N::zero(); LANES];
            for lane in 0..LANES {
                angle[lane] = row.read(slots[lane]);
            }
            let row = row.as_mut();
            let [of_sines, of_cosines] = pairs.sums(row)[block];
            let (mut sine, mut cosine) = (of_sines, of_cosines);
            for lane in 0..LANES {
                sine[lane] = multiply_add(cosines[lane], angle[lane], of_sines[lane]);
                cosine[lane] = multiply_add(minus_sines[lane], angle[lane], -of_cosines[lane]);
            }
            blocks(&mut row[pairs.first..][..pairs.width()])[block] = [sine, cosine];
            column[k - 1] = [angle.map(|angle| angle * order), sine, cosine];
        }
    }
}
