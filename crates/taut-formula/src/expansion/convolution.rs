//! Sums of products of coefficients.
//!
//! The coefficients of a formula that convolutions read lie one after the other, forwards in one column and backwards in
//! another, so that a convolution is the scalar product of a part of each.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::recursion::Level;
use super::rows::{FEW, Row};
use crate::number::Scalar;
use crate::unit::Unit;

/// The highest order that there may be room for.
pub const HIGHEST_ORDER: usize = 60;
/// So many products are added up side by side.
const LANES: usize = 4;
/// Scalar products are as long as a multiple of the lanes, so that some places behind the highest order are read.
const ROOM: usize = HIGHEST_ORDER + LANES;
/// Where the coefficient of order 0 would be in a column that goes backwards. No convolution has it: it stays zero, like what
/// comes behind it.
const ORIGIN: usize = HIGHEST_ORDER + 1;

/// The coefficients of a formula.
type Column<N> = [N; ROOM];

/// The numbers that Taylor coefficients are made of.
pub trait Coefficient: Scalar {
    /// Does work on coefficients, with the vector unit of the machine where it has one for these numbers.
    fn compute(work: impl Work<Self>) {
        work.run(|a, b, sum| a * b + sum, OneByOne);
    }
}

/// Work on coefficients.
pub trait Work<N> {
    /// Does it; a b + c is what it is told, and so are scalar products.
    fn run(self, multiply_add: impl Fn(N, N, N) -> N + Copy, products: impl ScalarProduct<N>);
}

/// How scalar products are computed.
pub trait ScalarProduct<N>: Copy {
    /// Σ aᵢ bᵢ
    fn of(self, a: &[N], b: &[N]) -> N;
}

/// By the arithmetic of the numbers.
#[derive(Clone, Copy)]
struct OneByOne;

impl<N: Scalar> ScalarProduct<N> for OneByOne {
    #[inline(always)]
    fn of(self, a: &[N], b: &[N]) -> N {
        a.iter().zip(b).fold(N::zero(), |sum, (a, b)| sum + *a * *b)
    }
}

/// With a vector unit.
#[derive(Clone, Copy)]
struct SideBySide<S>(S);

impl<S: Simd> ScalarProduct<f64> for SideBySide<S> {
    #[inline(always)]
    fn of(self, a: &[f64], b: &[f64]) -> f64 {
        let ((a, last_a), (b, last_b)) = (S::as_simd_f64s(a), S::as_simd_f64s(b));
        let mut sum = self.0.splat_f64s(0.0);
        for (a, b) in a.iter().zip(b) {
            sum = self.0.mul_add_f64s(*a, *b, sum);
        }
        let mut total = self.0.reduce_sum_f64s(sum);
        for (a, b) in last_a.iter().zip(last_b) {
            total = a.mul_add(*b, total);
        }
        total
    }
}

impl Coefficient for f64 {
    #[inline]
    fn compute(work: impl Work<f64>) {
        match Unit::here() {
            Unit::Vector(arch) => arch.dispatch(Vectored(work)),
            Unit::Plain => work.run(|a, b, sum| a * b + sum, OneByOne),
        }
    }
}

/// A type of its own, since a closure would not be compiled for the vector unit.
struct Vectored<W>(W);

impl<W: Work<f64>> WithSimd for Vectored<W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run(f64::mul_add, SideBySide(simd));
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

/// The convolutions of one level, by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Convolutions {
    /// coefficients as they are, and coefficients backwards
    plain: Vec<(u32, u32)>,
    /// coefficients of rates, and coefficients backwards
    of_rates: Vec<(u32, u32)>,
    /// where the first sum belongs
    first: usize,
}

impl Convolutions {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.plain.len() + self.of_rates.len()
    }
}

/// Formulas that have columns of one kind, level by level.
#[derive(Clone, Debug, Default)]
struct Slots {
    slots: Vec<u32>,
    /// the formulas where they are few
    few: Vec<u8>,
    /// where levels end
    ends: [usize; 3],
}

impl Slots {
    fn new(mut slots: Vec<u32>, levels: &[Level]) -> Self {
        let level = |slot: u32| levels[slot as usize];
        slots.sort_unstable_by_key(|&slot| (level(slot), slot));
        slots.dedup();
        let ends = Level::ALL.map(|last| slots.partition_point(|&slot| level(slot) <= last));
        Slots { few: slots.iter().map(|&slot| slot as u8).collect(), ends, slots }
    }

    /// The columns of all formulas that have one.
    fn columns(&self) -> HashMap<u32, u32> {
        self.slots.iter().zip(0..).map(|(&slot, column)| (slot, column)).collect()
    }

    fn at(&self, level: Level) -> Range<usize> {
        let last = level as usize;
        last.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[last]
    }
}

/// Which formulas have columns: coefficients as they are, those of rates, and coefficients backwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    plain: Slots,
    rates: Slots,
    backwards: Slots,
}

impl Columns {
    /// Of all convolutions, by level; which of two factors of a product goes backwards is free.
    pub(super) fn new(list: &mut [Vec<Convolution>; 3], levels: &[Level]) -> Self {
        let rates = list.iter().flatten().filter(|convolution| convolution.of_rate);
        let (rates, mut backwards): (Vec<u32>, HashSet<u32>) = rates.map(|rate| (rate.a, rate.b)).unzip();
        let mut plain = HashSet::new();
        for product in list.iter_mut().flatten().filter(|convolution| !convolution.of_rate) {
            let missing = |a: &u32, b: &u32| !plain.contains(a) as u8 + !backwards.contains(b) as u8;
            if missing(&product.b, &product.a) < missing(&product.a, &product.b) {
                std::mem::swap(&mut product.a, &mut product.b);
            }
            plain.insert(product.a);
            backwards.insert(product.b);
        }
        Columns {
            plain: Slots::new(plain.into_iter().collect(), levels),
            rates: Slots::new(rates, levels),
            backwards: Slots::new(backwards.into_iter().collect(), levels),
        }
    }

    /// The convolutions of all levels by columns; the places of their sums, from `first` on, are written by number.
    pub(super) fn convolutions(
        &self,
        list: &[Vec<Convolution>; 3],
        mut first: usize,
        places: &mut [u32],
    ) -> [Convolutions; 3] {
        let [plain, rates, backwards] = [&self.plain, &self.rates, &self.backwards].map(Slots::columns);
        list.each_ref().map(|list| {
            let mut found = Convolutions { first, ..Convolutions::default() };
            for of_rate in [false, true] {
                let (forwards, pairs) = match of_rate {
                    false => (&plain, &mut found.plain),
                    true => (&rates, &mut found.of_rates),
                };
                for convolution in list.iter().filter(|convolution| convolution.of_rate == of_rate) {
                    pairs.push((forwards[&convolution.a], backwards[&convolution.b]));
                    places[convolution.sum as usize] = first as u32;
                    first += 1;
                }
            }
            found
        })
    }
}

/// The coefficients of formulas that convolutions read.
#[derive(Clone, Debug, Default)]
pub(super) struct Filed<N> {
    plain: Vec<Column<N>>,
    rates: Vec<Column<N>>,
    backwards: Vec<Column<N>>,
}

impl<N: Scalar> Filed<N> {
    pub(super) fn new(columns: &Columns) -> Self {
        let [plain, rates, backwards] = [&columns.plain, &columns.rates, &columns.backwards]
            .map(|slots| vec![[N::zero(); ROOM]; slots.slots.len()]);
        Filed { plain, rates, backwards }
    }

    /// The sums of order k, into the row of that order.
    #[inline(always)]
    pub(super) fn convolve(
        &self,
        convolutions: &Convolutions,
        k: usize,
        row: &mut [N],
        products: impl ScalarProduct<N>,
    ) {
        let sums = &mut row[convolutions.first..][..convolutions.count()];
        let (plain, of_rates) = sums.split_at_mut(convolutions.plain.len());
        scalar_products(&self.plain, &self.backwards, &convolutions.plain, k, plain, products);
        if of_rates.is_empty() {
            return;
        }
        scalar_products(&self.rates, &self.backwards, &convolutions.of_rates, k, of_rates, products);
        let inverse = N::constant(1.0) / k as f64;
        for sum in of_rates {
            *sum *= inverse;
        }
    }

    /// Files the coefficients of order k of the formulas of a level away.
    #[inline(always)]
    pub(super) fn keep(&mut self, columns: &Columns, level: Level, k: usize, row: &[N]) {
        match <&[N; FEW]>::try_from(row) {
            Ok(row) => self.file(columns, level, k, row, |slots| &slots.few),
            Err(_) => self.file(columns, level, k, row, |slots| &slots.slots),
        }
    }

    #[inline(always)]
    fn file<R: Row<N> + ?Sized>(
        &mut self,
        columns: &Columns,
        level: Level,
        k: usize,
        row: &R,
        slots: impl Fn(&Slots) -> &[R::Slot],
    ) {
        let order = N::constant(k as f64);
        let (forwards, backwards) = (k.min(HIGHEST_ORDER), ORIGIN.saturating_sub(k));
        let at = columns.plain.at(level);
        for (column, slot) in self.plain[at.clone()].iter_mut().zip(&slots(&columns.plain)[at]) {
            write(column, forwards, row.read(*slot));
        }
        let at = columns.rates.at(level);
        for (column, slot) in self.rates[at.clone()].iter_mut().zip(&slots(&columns.rates)[at]) {
            write(column, forwards, row.read(*slot) * order);
        }
        let at = columns.backwards.at(level);
        for (column, slot) in self.backwards[at.clone()].iter_mut().zip(&slots(&columns.backwards)[at]) {
            column[backwards] = row.read(*slot);
        }
    }
}

/// Writes a coefficient, and zeros behind it: scalar products go so far beyond it, and what another expansion left there may
/// have no value.
#[inline(always)]
fn write<N: Scalar>(column: &mut Column<N>, k: usize, coefficient: N) {
    let zero = N::zero();
    column[k..k + LANES].copy_from_slice(&[coefficient, zero, zero, zero]);
}

/// Σ aⱼ bₖ₋ⱼ over 0 < j < k, of pairs of columns.
#[inline(always)]
fn scalar_products<N: Scalar>(
    a: &[Column<N>],
    b: &[Column<N>],
    pairs: &[(u32, u32)],
    k: usize,
    sums: &mut [N],
    products: impl ScalarProduct<N>,
) {
    match (k - 1).div_ceil(LANES) {
        0 => sums.fill(N::zero()),
        1 => of_length::<N, 4>(a, b, pairs, k, sums, products),
        2 => of_length::<N, 8>(a, b, pairs, k, sums, products),
        3 => of_length::<N, 12>(a, b, pairs, k, sums, products),
        4 => of_length::<N, 16>(a, b, pairs, k, sums, products),
        5 => of_length::<N, 20>(a, b, pairs, k, sums, products),
        6 => of_length::<N, 24>(a, b, pairs, k, sums, products),
        _ => of_any_length(a, b, pairs, k, sums, products),
    }
}

/// Where the coefficient of order k − 1 is in a column that goes backwards.
fn start(k: usize) -> usize {
    (ORIGIN + 1).saturating_sub(k)
}

/// Scalar products of L products each, a multiple of the lanes.
#[inline(always)]
fn of_length<N: Scalar, const L: usize>(
    a: &[Column<N>],
    b: &[Column<N>],
    pairs: &[(u32, u32)],
    k: usize,
    sums: &mut [N],
    products: impl ScalarProduct<N>,
) {
    let from = start(k);
    for (sum, pair) in sums.iter_mut().zip(pairs) {
        let (a, b) = (&a[pair.0 as usize][1..=L], &b[pair.1 as usize][from..from + L]);
        *sum = products.of(a, b);
    }
}

#[inline(always)]
fn of_any_length<N: Scalar>(
    a: &[Column<N>],
    b: &[Column<N>],
    pairs: &[(u32, u32)],
    k: usize,
    sums: &mut [N],
    products: impl ScalarProduct<N>,
) {
    let (from, length) = (start(k), (k - 1).next_multiple_of(LANES));
    for (sum, pair) in sums.iter_mut().zip(pairs) {
        let (a, b) = (&a[pair.0 as usize][1..=length], &b[pair.1 as usize][from..from + length]);
        *sum = products.of(a, b);
    }
}
