//! What a formula is made of, and its coefficients.

use super::choice::Choice;
use crate::function::{Binary, Unary};
use crate::number::Scalar;

/// An operation on series. Operands are numbers of formulas, or places of their first coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    /// a sum of terms and of a constant
    Sum { out: u32, terms: (u32, u32), constant: u32 },
    /// a b
    Product { out: u32, a: u32, b: u32, inner: u32 },
    /// a²
    Square { out: u32, a: u32, inner: u32 },
    /// a / b
    Quotient { out: u32, a: u32, b: u32, inner: u32, kept: u32 },
    /// c / b
    Reciprocal { out: u32, constant: u32, b: u32, inner: u32, kept: u32 },
    /// √a
    Root { out: u32, a: u32, inner: u32, kept: u32 },
    /// e^a
    Exponential { out: u32, a: u32, inner: u32 },
    /// sine and cosine
    SineCosine { sine: u32, cosine: u32, a: u32, inner: u32 },
    /// a^p
    Power { out: u32, a: u32, exponent: u32, inner: u32, kept: u32 },
    /// f(a), whose derivative with respect to a is a formula of its own
    Chain { out: u32, a: u32, slope: u32, inner: u32, function: Unary },
    /// f(a, b), likewise
    Pair { out: u32, a: u32, b: u32, slopes: (u32, u32), inner: u32, function: Binary },
    /// one of two formulas
    Choice { out: u32, condition: u32, a: u32, b: u32, kept: u32, choice: Choice },
}

/// What is known once the parameters are.
#[derive(Clone, Copy)]
pub(super) struct Known<'a, N> {
    pub(super) constants: &'a [N],
    /// factor and place of each term of a sum
    pub(super) terms: &'a [(N, u32)],
}

/// What one order of coefficients is computed from.
pub(super) struct Order<'a, N> {
    pub(super) k: usize,
    /// 1/k
    pub(super) inverse: N,
    pub(super) known: Known<'a, N>,
    pub(super) inner: &'a [N],
    /// whether the coefficients are final: not while unknowns are taken for zero
    pub(super) is_final: bool,
}

impl Operation {
    /// The formulas it computes.
    pub(super) fn results(&self) -> [Option<u32>; 2] {
        match *self {
            Operation::SineCosine { sine, cosine, .. } => [Some(sine), Some(cosine)],
            Operation::Sum { out, .. }
            | Operation::Product { out, .. }
            | Operation::Square { out, .. }
            | Operation::Quotient { out, .. }
            | Operation::Reciprocal { out, .. }
            | Operation::Root { out, .. }
            | Operation::Exponential { out, .. }
            | Operation::Power { out, .. }
            | Operation::Chain { out, .. }
            | Operation::Pair { out, .. }
            | Operation::Choice { out, .. } => [Some(out), None],
        }
    }

    /// The formulas whose coefficients of the same order it needs, but for the terms of a sum.
    pub(super) fn operands(&self) -> [Option<u32>; 3] {
        match *self {
            Operation::Sum { .. } => [None; 3],
            Operation::Product { a, b, .. }
            | Operation::Quotient { a, b, .. }
            | Operation::Pair { a, b, .. } => [Some(a), Some(b), None],
            Operation::Reciprocal { b, .. } => [Some(b), None, None],
            Operation::Square { a, .. }
            | Operation::Root { a, .. }
            | Operation::Exponential { a, .. }
            | Operation::SineCosine { a, .. }
            | Operation::Power { a, .. }
            | Operation::Chain { a, .. } => [Some(a), None, None],
            Operation::Choice { condition, a, b, .. } => [Some(condition), Some(a), Some(b)],
        }
    }

    /// The formulas whose coefficients of lower orders it needs.
    pub(super) fn slopes(&self) -> [Option<u32>; 2] {
        match *self {
            Operation::Chain { slope, .. } => [Some(slope), None],
            Operation::Pair { slopes, .. } => [Some(slopes.0), Some(slopes.1)],
            _ => [None; 2],
        }
    }

    /// The operation with places instead of numbers of formulas.
    pub(super) fn placed(mut self, stride: u32) -> Self {
        match &mut self {
            Operation::Sum { out, .. } => *out *= stride,
            Operation::Product { out, a, b, .. } | Operation::Quotient { out, a, b, .. } => {
                [out, a, b].into_iter().for_each(|slot| *slot *= stride);
            }
            Operation::Reciprocal { out, b: a, .. }
            | Operation::Square { out, a, .. }
            | Operation::Root { out, a, .. }
            | Operation::Exponential { out, a, .. }
            | Operation::Power { out, a, .. } => [out, a].into_iter().for_each(|slot| *slot *= stride),
            Operation::SineCosine { sine, cosine, a, .. } => {
                [sine, cosine, a].into_iter().for_each(|slot| *slot *= stride);
            }
            Operation::Chain { out, a, slope, .. } => {
                [out, a, slope].into_iter().for_each(|slot| *slot *= stride);
            }
            Operation::Pair { out, a, b, slopes, .. } => {
                [out, a, b, &mut slopes.0, &mut slopes.1].into_iter().for_each(|slot| *slot *= stride);
            }
            Operation::Choice { out, condition, a, b, .. } => {
                [out, condition, a, b].into_iter().for_each(|slot| *slot *= stride);
            }
        }
        self
    }

    /// The value at the point of expansion.
    pub(super) fn begin<N: Scalar>(&self, known: &Known<'_, N>, x: &mut [N], kept: &mut [N]) {
        let Known { constants, terms } = *known;
        let one = N::constant(1.0);
        let at = |slot: u32| x[slot as usize];
        let (out, value) = match *self {
            Operation::Sum { out, terms: (from, to), constant } => {
                let mut sum = constants[constant as usize];
                for &(factor, slot) in &terms[from as usize..to as usize] {
                    sum += factor * x[slot as usize];
                }
                (out, sum)
            }
            Operation::Product { out, a, b, .. } => (out, at(a) * at(b)),
            Operation::Square { out, a, .. } => (out, at(a).square()),
            Operation::Quotient { out, a, b, kept: place, .. } => {
                kept[place as usize] = one / at(b);
                (out, at(a) / at(b))
            }
            Operation::Reciprocal { out, constant, b, kept: place, .. } => {
                kept[place as usize] = one / at(b);
                (out, constants[constant as usize] / at(b))
            }
            Operation::Root { out, a, kept: place, .. } => {
                let root = at(a).sqrt();
                kept[place as usize] = N::constant(0.5) / root;
                (out, root)
            }
            Operation::Exponential { out, a, .. } => (out, at(a).exp()),
            Operation::SineCosine { sine, cosine, a, .. } => {
                let (s, c) = at(a).sin_cos();
                x[cosine as usize] = c;
                (sine, s)
            }
            Operation::Power { out, a, exponent, kept: place, .. } => {
                kept[place as usize] = one / at(a);
                (out, power(at(a), constants[exponent as usize]))
            }
            Operation::Chain { out, a, function, .. } => (out, function.of(at(a))),
            Operation::Pair { out, a, b, function, .. } => (out, function.of_any(at(a), at(b))),
            Operation::Choice { out, condition, a, b, kept: place, choice } => {
                let share = choice.share(at(condition));
                kept[place as usize] = share;
                (out, choice.value(share, at(condition), at(a), at(b)))
            }
        };
        x[out as usize] = value;
    }

    /// The coefficient of order k ≥ 1.
    #[inline]
    pub(super) fn follow<N: Scalar>(&self, order: &Order<'_, N>, x: &mut [N], kept: &mut [N]) {
        let k = order.k;
        let first = |slot: u32| x[slot as usize];
        let now = |slot: u32| x[slot as usize + k];
        let inner = |number: u32| order.inner[number as usize];
        let (out, value) = match *self {
            Operation::Sum { out, terms: (from, to), .. } => {
                let mut sum = N::zero();
                for &(factor, slot) in &order.known.terms[from as usize..to as usize] {
                    sum += factor * x[slot as usize + k];
                }
                (out, sum)
            }
            Operation::Product { out, a, b, inner: i } => {
                (out, inner(i) + first(a) * now(b) + now(a) * first(b))
            }
            Operation::Square { out, a, inner: i } => (out, inner(i) + first(a) * now(a) * 2.0),
            Operation::Quotient { out, a, b, inner: i, kept: place } => {
                (out, (now(a) - now(b) * first(out) - inner(i)) * kept[place as usize])
            }
            Operation::Reciprocal { out, b, inner: i, kept: place, .. } => {
                (out, -(now(b) * first(out) + inner(i)) * kept[place as usize])
            }
            Operation::Root { out, a, inner: i, kept: place } => {
                (out, (now(a) - inner(i)) * kept[place as usize])
            }
            Operation::Exponential { out, a, inner: i } => {
                (out, now(a) * first(out) + inner(i) * order.inverse)
            }
            Operation::SineCosine { sine, cosine, a, inner: i } => {
                x[cosine as usize + k] = -(now(a) * first(sine) + inner(i + 1) * order.inverse);
                (sine, x[a as usize + k] * x[cosine as usize] + inner(i) * order.inverse)
            }
            Operation::Power { out, a, exponent, inner: i, kept: place } => {
                // a z' = p a' z
                let p = order.known.constants[exponent as usize];
                let sum = p * now(a) * first(out) + (p * inner(i) - inner(i + 1)) * order.inverse;
                (out, sum * kept[place as usize])
            }
            Operation::Chain { out, a, slope, inner: i, .. } => {
                (out, now(a) * first(slope) + inner(i) * order.inverse)
            }
            Operation::Pair { out, a, b, slopes, inner: i, .. } => {
                let sum = (inner(i) + inner(i + 1)) * order.inverse;
                (out, now(a) * first(slopes.0) + now(b) * first(slopes.1) + sum)
            }
            Operation::Choice { out, condition, a, b, kept: place, choice } => {
                let share = choice.decide(kept[place as usize], now(condition));
                if order.is_final {
                    kept[place as usize] = share;
                }
                (out, choice.coefficient(share, now(a), now(b)))
            }
        };
        x[out as usize + k] = value;
    }
}

/// x^p; p may have more digits than its value as a plain number.
fn power<N: Scalar>(x: N, p: N) -> N {
    let plain = p.value();
    if (p - plain).value() == 0.0 { x.powf(plain) } else { (p * x.ln()).exp() }
}
