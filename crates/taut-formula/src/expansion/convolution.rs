//! Sums of products of coefficients.

use pulp::{Simd, WithSimd};

use super::PIECE;
use crate::number::Scalar;
use crate::unit::Unit;

/// The numbers that Taylor coefficients are made of.
pub trait Coefficient: Scalar {
    /// For each pair (a, b) of a list the sum of aⱼ bₖ₋ⱼ over j = 1 … k − 1: `forward` holds rows of coefficients, `reversed`
    /// rows with the last one first and zeros behind; with them the lengths of rows.
    fn convolve(
        list: &[(u32, u32, u32)],
        k: usize,
        forward: (&[Self], usize),
        reversed: (&[Self], usize),
        sums: &mut [Self],
    ) {
        let top = reversed.1 - PIECE - 1;
        for &(a, b, to) in list {
            let a = &forward.0[a as usize * forward.1 + 1..][..k - 1];
            let b = &reversed.0[b as usize * reversed.1 + top + 1 - k..][..k - 1];
            let products = a.iter().zip(b).map(|(a, b)| *a * *b);
            sums[to as usize] = products.fold(Self::zero(), |sum, product| sum + product);
        }
    }
}

impl Coefficient for f64 {
    fn convolve(
        list: &[(u32, u32, u32)],
        k: usize,
        forward: (&[f64], usize),
        reversed: (&[f64], usize),
        sums: &mut [f64],
    ) {
        let convolutions = Convolutions { list, k, forward, reversed, sums };
        match Unit::here() {
            Unit::Vector(arch) => arch.dispatch(convolutions),
            Unit::Plain => convolutions.run(|a, b, sum| a * b + sum),
        }
    }
}

/// Convolutions of one order, in pieces.
///
/// A type of its own, since a closure would not be compiled for the vector unit.
struct Convolutions<'a> {
    list: &'a [(u32, u32, u32)],
    k: usize,
    forward: (&'a [f64], usize),
    reversed: (&'a [f64], usize),
    sums: &'a mut [f64],
}

impl WithSimd for Convolutions<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        self.run(f64::mul_add);
    }
}

impl Convolutions<'_> {
    /// What is beyond the last term is multiplied by zeros.
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(f64, f64, f64) -> f64) {
        let Convolutions { list, k, forward, reversed, sums } = self;
        let length = (k - 1).next_multiple_of(PIECE);
        let start = reversed.1 - PIECE - k;
        for &(a, b, to) in list {
            let a = &forward.0[a as usize * forward.1 + 1..][..length];
            let b = &reversed.0[b as usize * reversed.1 + start..][..length];
            let mut lanes = [0.0; PIECE];
            for (a, b) in a.as_chunks::<PIECE>().0.iter().zip(b.as_chunks::<PIECE>().0) {
                for j in 0..PIECE {
                    lanes[j] = multiply_add(a[j], b[j], lanes[j]);
                }
            }
            sums[to as usize] = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
        }
    }
}
