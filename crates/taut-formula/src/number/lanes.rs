//! Numbers of any type through closures, which are written for one.
//!
//! A closure cannot be generic in its number type. It is therefore written for [`Number`], and a wider number is sent
//! through it lane by lane: one slope out of each level of derivatives at a time. Numbers with more levels than it has,
//! such as [`Series`](super::Series), find no answer in a closure: NaN.

use super::{Dual, Jet, Number, Scalar};

/// The largest number of lanes in use: two levels of eight slopes.
const MOST_LANES: usize = 64;

/// The eight coefficients; bit d of the index says whether direction d (innermost first) is in the product.
pub(super) fn coefficients(x: Jet) -> [f64; 8] {
    let pair = |y: Dual<1>| [y.value, y.slope[0]];
    let four = |y: Dual<1, Dual<1>>| {
        let ([a, b], [c, d]) = (pair(y.value), pair(y.slope[0]));
        [a, b, c, d]
    };
    let ([a, b, c, d], [e, f, g, h]) = (four(x.value), four(x.slope[0]));
    [a, b, c, d, e, f, g, h]
}

/// The inverse of [`coefficients`].
pub(super) fn from_coefficients(all: [f64; 8]) -> Jet {
    let pair = |k: usize| Dual { value: all[k], slope: [all[k + 1]] };
    let four = |k: usize| Dual { value: pair(k), slope: [pair(k + 2)] };
    Dual { value: four(0), slope: [four(4)] }
}

/// f(x) for numbers of any type, where `f` is written for [`Number`]; `inputs` is scratch space as long as `x`.
pub fn through_lanes<S: Scalar>(
    x: impl Iterator<Item = S> + Clone,
    inputs: &mut [Number],
    f: impl Fn(&[Number]) -> Number,
) -> S {
    if S::LANES > MOST_LANES || S::DEPTH > 3 {
        return S::constant(f64::NAN);
    }
    let mut results = [Number::constant(0.0); MOST_LANES];
    for (k, result) in results.iter_mut().enumerate().take(S::LANES) {
        for (input, x) in inputs.iter_mut().zip(x.clone()) {
            *input = x.lane(k);
        }
        *result = f(inputs);
    }
    S::from_lanes(|k| results[k])
}
