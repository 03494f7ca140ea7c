//! The functions that formulas may call.

use crate::hypotenuse::hypotenuse;
use crate::number::Scalar;

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// √x
    Sqrt,
    /// e^x
    Exp,
    /// the natural logarithm
    Log,
    /// the sine
    Sin,
    /// the cosine
    Cos,
    /// the tangent
    Tan,
    /// the inverse sine
    Asin,
    /// the inverse cosine
    Acos,
    /// the inverse tangent
    Atan,
    /// the hyperbolic sine
    Sinh,
    /// the hyperbolic cosine
    Cosh,
    /// the hyperbolic tangent
    Tanh,
    /// |x|, with slope 0 at 0
    Abs,
    /// −1, 0 or 1
    Sign,
    /// the largest whole number that is not above x, with slope 0
    Floor,
    /// the error function, 2/√π ∫₀ˣ exp(−s²) ds
    Erf,
}

impl Unary {
    /// All of them.
    pub const ALL: [Unary; 16] = [
        Unary::Sqrt,
        Unary::Exp,
        Unary::Log,
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Asin,
        Unary::Acos,
        Unary::Atan,
        Unary::Sinh,
        Unary::Cosh,
        Unary::Tanh,
        Unary::Abs,
        Unary::Sign,
        Unary::Floor,
        Unary::Erf,
    ];

    /// Its name in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Unary::Sqrt => "sqrt",
            Unary::Exp => "exp",
            Unary::Log => "log",
            Unary::Sin => "sin",
            Unary::Cos => "cos",
            Unary::Tan => "tan",
            Unary::Asin => "asin",
            Unary::Acos => "acos",
            Unary::Atan => "atan",
            Unary::Sinh => "sinh",
            Unary::Cosh => "cosh",
            Unary::Tanh => "tanh",
            Unary::Abs => "abs",
            Unary::Sign => "sign",
            Unary::Floor => "floor",
            Unary::Erf => "erf",
        }
    }

    /// The function of a number of any type.
    #[inline]
    pub fn of<S: Scalar>(self, x: S) -> S {
        match self {
            Unary::Sqrt => x.sqrt(),
            Unary::Exp => x.exp(),
            Unary::Log => x.ln(),
            Unary::Sin => x.sin(),
            Unary::Cos => x.cos(),
            Unary::Tan => x.tan(),
            Unary::Asin => x.asin(),
            Unary::Acos => x.acos(),
            Unary::Atan => x.atan(),
            Unary::Sinh => x.sinh(),
            Unary::Cosh => x.cosh(),
            Unary::Tanh => x.tanh(),
            Unary::Abs => x.abs(),
            Unary::Sign => x.sign(),
            Unary::Floor => x.floor(),
            Unary::Erf => erf(x),
        }
    }
}

/// The error function for any number type: near 0 by 2/√π e^(−x²) Σ 2ᵏ x^(2k+1) / (1·3·…·(2k+1)), in which nothing
/// cancels, beyond by the continued fraction of 1 − erf (Abramowitz and Stegun, 7.1.6 and 7.1.14).
fn erf<S: Scalar>(x: S) -> S {
    /// From here on so many terms of the fraction are exact to rounding.
    const FRACTION_FROM: f64 = 2.0;
    const FRACTION_TERMS: u32 = 60;
    let square = x.square();
    if x.value().abs() >= FRACTION_FROM {
        let size = x.abs();
        let fraction =
            (1..=FRACTION_TERMS).rev().fold(size, |below, k| size + S::constant(0.5 * f64::from(k)) / below);
        let rest = (-square).exp() / fraction * (0.5 * std::f64::consts::FRAC_2_SQRT_PI);
        return (-rest + 1.0) * sign(x.value());
    }
    let (mut term, mut sum) = (x, x);
    let mut k = 1.0;
    while term.value().abs() > 0.1 * f64::EPSILON * sum.value().abs() {
        term = term * square * (2.0 / (2.0 * k + 1.0));
        sum += term;
        k += 1.0;
    }
    (-square).exp() * sum * std::f64::consts::FRAC_2_SQRT_PI
}

/// −1, 0 or 1; not a number when x is not.
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x * 0.0
    }
}

/// A function of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// the angle of the point (y, x)
    Atan2,
    /// the smaller one
    Min,
    /// the larger one
    Max,
    /// √(x² + y²) without overflow
    Hypot,
    /// x^y
    Pow,
}

impl Binary {
    /// All of them.
    pub const ALL: [Binary; 5] = [Binary::Atan2, Binary::Min, Binary::Max, Binary::Hypot, Binary::Pow];

    /// Its name in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Binary::Atan2 => "atan2",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::Hypot => "hypot",
            Binary::Pow => "pow",
        }
    }

    /// The function of two numbers.
    #[inline]
    pub fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Binary::Atan2 => x.atan2(y),
            Binary::Min => {
                if y < x {
                    y
                } else {
                    x
                }
            }
            Binary::Max => {
                if y > x {
                    y
                } else {
                    x
                }
            }
            Binary::Hypot => hypotenuse(x, y),
            Binary::Pow => x.powf(y),
        }
    }

    /// The function of numbers of any type.
    pub fn of_any<S: Scalar>(self, x: S, y: S) -> S {
        match self {
            Binary::Atan2 => x.atan2(y),
            Binary::Min => (x - y).select(y, x),
            Binary::Max => (y - x).select(y, x),
            Binary::Hypot => x.hypot(y),
            Binary::Pow => x.pow(y),
        }
    }
}
