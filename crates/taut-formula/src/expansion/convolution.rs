//! Sums of products of coefficients.
//!
//! Convolutions are computed four side by side: each has a lane, in which the coefficients of its two formulas lie order by
//! order. So no sum is taken across lanes, all are as long as the order says, and what a convolution costs beside its products
//! is shared by four.

use pulp::{Simd, WithSimd};

use super::AtLevel;
use super::recursion::Lists;
use super::rows::{FEW, Row};
use crate::number::Scalar;
use crate::unit::Unit;

/// The highest order that there may be room for.
pub const HIGHEST_ORDER: usize = 60;
/// So many convolutions are computed side by side.
pub(super) const LANES: usize = 4;
/// Loops over pieces of so many products are unrolled.
const PIECE: usize = 4;

/// Numbers side by side.
pub(super) type Lanes<N> = [N; LANES];

/// The numbers that Taylor coefficients are made of.
pub trait Coefficient: Scalar {
    /// Does work on coefficients, with the vector unit of the machine where it has one for these numbers.
    fn compute(work: impl Work<Self>) {
        work.run(|a, b, sum| a * b + sum);
    }
}

/// Work on coefficients.
pub trait Work<N> {
    /// Does it; a b + c is what it is told.
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy);
}

impl Coefficient for f64 {
    #[inline]
    fn compute(work: impl Work<f64>) {
        match Unit::here() {
            Unit::Vector(arch) => arch.dispatch(Vectored(work)),
            Unit::Plain => work.run(|a, b, sum| a * b + sum),
        }
    }
}

/// A type of its own, since a closure would not be compiled for the vector unit.
struct Vectored<W>(W);

impl<W: Work<f64>> WithSimd for Vectored<W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        self.0.run(f64::mul_add);
    }
}

/// Two formulas whose convolution is wanted, and the number of the sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convolution {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) sum: u32,
    /// whether Σ j aⱼ bₖ₋ⱼ / k is wanted instead of Σ aⱼ bₖ₋ⱼ
    pub(super) of_rate: bool,
}

/// Convolutions side by side: the numbers of their formulas.
#[derive(Clone, Copy, Debug)]
struct Group<S> {
    a: Lanes<S>,
    b: Lanes<S>,
}

/// The convolutions of one level.
#[derive(Clone, Debug, Default)]
pub(super) struct Convolutions {
    groups: Vec<Group<u32>>,
    /// the same where formulas are few
    few: Vec<Group<u8>>,
    /// those from here on are of rates
    plain: usize,
    /// where the first sum belongs
    first: usize,
    /// how many convolutions there are
    count: usize,
}

impl Convolutions {
    /// Of a list; the places of their sums, from `first` on, are written by number. Lanes that are left over read `zero`.
    pub(super) fn new(list: &[Convolution], first: usize, zero: u32, places: &mut [u32]) -> Self {
        let mut found = Convolutions { first, count: list.len(), ..Convolutions::default() };
        for of_rate in [false, true] {
            let of_kind: Vec<_> = list.iter().filter(|convolution| convolution.of_rate == of_rate).collect();
            for together in of_kind.chunks(LANES) {
                let mut group = Group { a: [zero; LANES], b: [zero; LANES] };
                for (lane, convolution) in together.iter().enumerate() {
                    (group.a[lane], group.b[lane]) = (convolution.a, convolution.b);
                    places[convolution.sum as usize] = (first + found.groups.len() * LANES + lane) as u32;
                }
                found.groups.push(group);
            }
            if !of_rate {
                found.plain = found.groups.len();
            }
        }
        let bytes = |slots: Lanes<u32>| slots.map(|slot| slot as u8);
        found.few = found.groups.iter().map(|group| Group { a: bytes(group.a), b: bytes(group.b) }).collect();
        found
    }

    /// How many there are.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// How many numbers their sums take.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.groups.len() * LANES
    }

    /// Their sums of an order.
    #[inline(always)]
    fn sums<'r, N>(&self, row: &'r mut [N]) -> &'r mut [Lanes<N>] {
        row[self.first..][..self.width()].as_chunks_mut().0
    }
}

/// The coefficients that the convolutions of one level read, group by group: those of a and b, order by order from 1 on.
#[derive(Clone, Debug, Default)]
pub(super) struct Filed<N> {
    coefficients: Vec<[Lanes<N>; 2]>,
    /// how many orders there is room for
    orders: usize,
}

impl<N: Scalar> Filed<N> {
    pub(super) fn new(convolutions: &Convolutions, highest: usize) -> Self {
        let orders = highest.max(1);
        Filed { coefficients: vec![[[N::zero(); LANES]; 2]; convolutions.groups.len() * orders], orders }
    }

    /// Sums of so many products for the order above, into its row.
    #[inline(always)]
    fn products(
        &self,
        convolutions: &Convolutions,
        count: usize,
        row: &mut [N],
        multiply_add: impl Fn(N, N, N) -> N + Copy,
    ) {
        let mut columns = self.coefficients.as_slice();
        for sum in convolutions.sums(row) {
            let Some((column, others)) = columns.split_at_checked(self.orders) else { return };
            columns = others;
            let column = &column[..count];
            let mut total = [N::zero(); LANES];
            for j in 0..count {
                let (a, b) = (&column[j][0], &column[count - 1 - j][1]);
                for lane in 0..LANES {
                    total[lane] = multiply_add(a[lane], b[lane], total[lane]);
                }
            }
            *sum = total;
        }
    }

    /// Files the coefficients of order k away.
    #[inline(always)]
    pub(super) fn keep(&mut self, convolutions: &Convolutions, k: usize, row: &[N]) {
        match <&[N; FEW]>::try_from(row) {
            Ok(row) => self.file(&convolutions.few, convolutions.plain, k, row),
            Err(_) => self.file(&convolutions.groups, convolutions.plain, k, row),
        }
    }

    #[inline(always)]
    fn file<R: Row<N> + ?Sized>(&mut self, groups: &[Group<R::Slot>], plain: usize, k: usize, row: &R) {
        let mut columns = self.coefficients.as_mut_slice();
        for group in groups {
            let Some((column, others)) = columns.split_at_mut_checked(self.orders) else { return };
            columns = others;
            let [a, b] = &mut column[k - 1];
            for lane in 0..LANES {
                a[lane] = row.read(group.a[lane]);
            }
            for lane in 0..LANES {
                b[lane] = row.read(group.b[lane]);
            }
        }
        // Apart from the copies, which the compiler would mix with products.
        let order = N::constant(k as f64);
        let mut columns = &mut self.coefficients[plain * self.orders..];
        while let Some((column, others)) = columns.split_at_mut_checked(self.orders) {
            columns = others;
            column[k - 1][0].iter_mut().for_each(|a| *a *= order);
        }
    }
}

/// Convolutions that are as long as one another, with what was filed for them.
#[derive(Clone, Copy)]
pub(super) struct Together<'a, N> {
    pub(super) convolutions: &'a Convolutions,
    pub(super) filed: &'a Filed<N>,
    /// the levels whose sines and cosines are computed with them
    pub(super) lists: &'a [Lists],
    pub(super) levels: &'a [AtLevel<N>],
}

impl<N: Coefficient> Together<'_, N> {
    /// The sums of order k, Σ aⱼ bₖ₋ⱼ over 0 < j < k, into the row of that order.
    #[inline(always)]
    pub(super) fn convolve(self, k: usize, row: &mut [N], multiply_add: impl Fn(N, N, N) -> N + Copy) {
        // Loops of a known length are unrolled.
        match (k - 1) / PIECE {
            0 => self.pieces::<0>(k - 1, row, multiply_add),
            1 => self.pieces::<1>(k - 1, row, multiply_add),
            2 => self.pieces::<2>(k - 1, row, multiply_add),
            3 => self.pieces::<3>(k - 1, row, multiply_add),
            4 => self.pieces::<4>(k - 1, row, multiply_add),
            5 => self.pieces::<5>(k - 1, row, multiply_add),
            6 => self.pieces::<6>(k - 1, row, multiply_add),
            _ => self.products(k - 1, row, multiply_add),
        }
        if self.convolutions.plain < self.convolutions.groups.len() {
            let sums_of_rates = self.convolutions.sums(row)[self.convolutions.plain..].as_flattened_mut();
            let inverse = N::constant(1.0) / k as f64;
            sums_of_rates.iter_mut().for_each(|sum| *sum *= inverse);
        }
    }

    /// Sums of so many products: P pieces and a rest.
    #[inline(always)]
    fn pieces<const P: usize>(self, count: usize, row: &mut [N], multiply_add: impl Fn(N, N, N) -> N + Copy) {
        match count % PIECE {
            0 => self.products(P * PIECE, row, multiply_add),
            1 => self.products(P * PIECE + 1, row, multiply_add),
            2 => self.products(P * PIECE + 2, row, multiply_add),
            _ => self.products(P * PIECE + 3, row, multiply_add),
        }
    }

    #[inline(always)]
    fn products(self, count: usize, row: &mut [N], multiply_add: impl Fn(N, N, N) -> N + Copy) {
        self.filed.products(self.convolutions, count, row, multiply_add);
        for (level, lists) in self.levels.iter().zip(self.lists) {
            if lists.pairs.count() > 0 {
                level.pairs.products(&lists.pairs, count, row, multiply_add);
            }
        }
    }
}
