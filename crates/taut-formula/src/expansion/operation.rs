//! What a formula is made of, and its coefficients.

use super::choice::Choice;
use super::convolution::Convolution;
use crate::function::{Binary, Unary};
use crate::number::Scalar;

/// An operation on series. Operands are numbers of formulas.
///
/// `inner` numbers convolutions, `kept` what is found at the point of expansion beside the value: 1/b and −(a/b)/b of
/// quotients, 1/(2√a) of roots, 1/a and p aᵖ⁻¹ of powers, the share of choices.
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

    /// Gives formulas other numbers.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        let to = |slot: &mut u32| *slot = number(*slot);
        match self {
            Operation::Sum { out, .. } => to(out),
            Operation::Product { out, a, b, .. } | Operation::Quotient { out, a, b, .. } => {
                [out, a, b].into_iter().for_each(to);
            }
            Operation::Reciprocal { out, b: a, .. }
            | Operation::Square { out, a, .. }
            | Operation::Root { out, a, .. }
            | Operation::Exponential { out, a, .. }
            | Operation::Power { out, a, .. } => {
                [out, a].into_iter().for_each(to);
            }
            Operation::SineCosine { sine, cosine, a, .. } => {
                [sine, cosine, a].into_iter().for_each(to);
            }
            Operation::Chain { out, a, slope, .. } => {
                [out, a, slope].into_iter().for_each(to);
            }
            Operation::Pair { out, a, b, slopes, .. } => {
                [out, a, b, &mut slopes.0, &mut slopes.1].into_iter().for_each(to);
            }
            Operation::Choice { out, condition, a, b, .. } => {
                [out, condition, a, b].into_iter().for_each(to);
            }
        }
    }

    /// Adds its convolutions to a list.
    pub(super) fn convolutions(&self, list: &mut Vec<Convolution>) {
        let mut plain = |a, b, sum| list.push(Convolution { a, b, sum, of_rate: false });
        match *self {
            Operation::Product { a, b, inner, .. } => return plain(a, b, inner),
            Operation::Square { a, inner, .. } => return plain(a, a, inner),
            Operation::Quotient { out, b, inner, .. } | Operation::Reciprocal { out, b, inner, .. } => {
                return plain(b, out, inner);
            }
            Operation::Root { out, inner, .. } => return plain(out, out, inner),
            _ => {}
        }
        let mut of_rate = |a, b, sum| list.push(Convolution { a, b, sum, of_rate: true });
        match *self {
            Operation::Exponential { out, a, inner } => of_rate(a, out, inner),
            Operation::SineCosine { sine, cosine, a, inner } => {
                of_rate(a, cosine, inner);
                of_rate(a, sine, inner + 1);
            }
            Operation::Power { out, a, inner, .. } => {
                of_rate(a, out, inner);
                of_rate(out, a, inner + 1);
            }
            Operation::Chain { a, slope, inner, .. } => of_rate(a, slope, inner),
            Operation::Pair { a, b, slopes, inner, .. } => {
                of_rate(a, slopes.0, inner);
                of_rate(b, slopes.1, inner + 1);
            }
            _ => {}
        }
    }

    /// The value at the point of expansion; sums are rows.
    pub(super) fn begin<N: Scalar>(&self, constants: &[N], x: &mut [N], kept: &mut [N]) {
        let one = N::constant(1.0);
        let at = |slot: u32| x[slot as usize];
        let (out, value) = match *self {
            Operation::Sum { .. } => return,
            Operation::Product { out, a, b, .. } => (out, at(a) * at(b)),
            Operation::Square { out, a, .. } => (out, at(a).square()),
            Operation::Quotient { out, a, b, kept: place, .. } => {
                let quotient = at(a) / at(b);
                kept[place as usize] = one / at(b);
                kept[place as usize + 1] = -quotient / at(b);
                (out, quotient)
            }
            Operation::Reciprocal { out, constant, b, kept: place, .. } => {
                let quotient = constants[constant as usize] / at(b);
                kept[place as usize] = one / at(b);
                kept[place as usize + 1] = -quotient / at(b);
                (out, quotient)
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
                let p = constants[exponent as usize];
                let power = power(at(a), p);
                kept[place as usize] = one / at(a);
                kept[place as usize + 1] = p * power / at(a);
                (out, power)
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
}

/// x^p; p may have more digits than its value as a plain number.
fn power<N: Scalar>(x: N, p: N) -> N {
    let plain = p.value();
    if (p - plain).value() == 0.0 { x.powf(plain) } else { (p * x.ln()).exp() }
}
