//! Sums of products of coefficients, several at a time.

use pulp::{Simd, WithSimd};

use super::rows::{FEW, Row};
use crate::number::Scalar;
use crate::unit::Unit;

/// So many convolutions are taken together.
pub(super) const LANES: usize = 4;

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

/// The convolutions of one level, in groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Convolutions {
    a: Vec<[u32; LANES]>,
    b: Vec<[u32; LANES]>,
    /// so many groups are of coefficients as they are, those behind them of rates
    plain: usize,
    /// where the first sum belongs
    first: usize,
    count: usize,
}

impl Convolutions {
    /// Puts convolutions into groups; the places of their sums, from `first` on, are written by number. `zero` is the
    /// formula that lanes without convolution read.
    pub(super) fn new(list: &[Convolution], first: u32, zero: u32, places: &mut [u32]) -> Self {
        let mut groups = Convolutions { first: first as usize, count: list.len(), ..Convolutions::default() };
        for of_rate in [false, true] {
            let kind: Vec<_> = list.iter().filter(|convolution| convolution.of_rate == of_rate).collect();
            for group in kind.chunks(LANES) {
                let (mut a, mut b) = ([zero; LANES], [zero; LANES]);
                for (lane, convolution) in group.iter().enumerate() {
                    (a[lane], b[lane]) = (convolution.a, convolution.b);
                    places[convolution.sum as usize] = first + (groups.a.len() * LANES + lane) as u32;
                }
                groups.a.push(a);
                groups.b.push(b);
            }
            groups.plain = if of_rate { groups.plain } else { groups.a.len() };
        }
        groups
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn groups(&self) -> usize {
        self.a.len()
    }
}

/// Coefficients that convolutions are made of: of each group those of the first factors from order 0 on, then those of the
/// second.
#[derive(Clone, Debug, Default)]
pub(super) struct Filed<N> {
    coefficients: Vec<[N; LANES]>,
    orders: usize,
    /// the formulas where they are few
    few: (Vec<[u8; LANES]>, Vec<[u8; LANES]>),
}

impl<N: Scalar> Filed<N> {
    pub(super) fn new(convolutions: &Convolutions, orders: usize) -> Self {
        let bytes = |slots: &[[u32; LANES]]| slots.iter().map(|slots| slots.map(|slot| slot as u8)).collect();
        Filed {
            coefficients: vec![[N::zero(); LANES]; 2 * convolutions.groups() * orders],
            orders,
            few: (bytes(&convolutions.a), bytes(&convolutions.b)),
        }
    }

    /// The sums of order k, into the row of that order.
    #[inline(always)]
    pub(super) fn convolve(
        &self,
        convolutions: &Convolutions,
        k: usize,
        row: &mut [N],
        multiply_add: impl Fn(N, N, N) -> N,
    ) {
        let sums = row[convolutions.first..].as_chunks_mut::<LANES>().0;
        let inverse = N::constant(1.0) / k as f64;
        let groups = self.coefficients.chunks_exact(2 * self.orders);
        for (number, (out, group)) in sums.iter_mut().zip(groups).enumerate() {
            let (a, b) = group.split_at(self.orders);
            let mut sum = [N::zero(); LANES];
            for (a, b) in a[1..k].iter().zip(b[1..k].iter().rev()) {
                for lane in 0..LANES {
                    sum[lane] = multiply_add(a[lane], b[lane], sum[lane]);
                }
            }
            if number >= convolutions.plain {
                sum = sum.map(|sum| sum * inverse);
            }
            *out = sum;
        }
    }

    /// Files the coefficients of order k away.
    #[inline(always)]
    pub(super) fn keep(&mut self, convolutions: &Convolutions, k: usize, row: &[N]) {
        let Filed { coefficients, orders, few } = self;
        let plain = convolutions.plain;
        match <&[N; FEW]>::try_from(row) {
            Ok(row) => file(coefficients, *orders, (k, plain), [&few.0, &few.1], row),
            Err(_) => file(coefficients, *orders, (k, plain), [&convolutions.a, &convolutions.b], row),
        }
    }
}

#[inline(always)]
fn file<N: Scalar, R: Row<N> + ?Sized>(
    coefficients: &mut [[N; LANES]],
    orders: usize,
    (k, plain): (usize, usize),
    [a_slots, b_slots]: [&[[R::Slot; LANES]]; 2],
    row: &R,
) {
    let order = N::constant(k as f64);
    let slots = a_slots.iter().zip(b_slots);
    for (number, (group, (a, b))) in coefficients.chunks_exact_mut(2 * orders).zip(slots).enumerate() {
        let mut a = a.map(|slot| row.read(slot));
        if number >= plain {
            a = a.map(|a| a * order);
        }
        group[k] = a;
        group[orders + k] = b.map(|slot| row.read(slot));
    }
}
