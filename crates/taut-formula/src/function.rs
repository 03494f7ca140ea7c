//! The functions that formulas may call.

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
}

impl Unary {
    /// All of them.
    pub const ALL: [Unary; 14] = [
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
            Unary::Sign => S::constant(sign(x.value())),
        }
    }
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
            Binary::Hypot => x.hypot(y),
            Binary::Pow => x.powf(y),
        }
    }

    /// The function of numbers of any type.
    pub fn of_any<S: Scalar>(self, x: S, y: S) -> S {
        match self {
            Binary::Atan2 => x.atan2(y),
            Binary::Min => y.either(x, y.value() < x.value()),
            Binary::Max => y.either(x, y.value() > x.value()),
            Binary::Hypot => x.hypot(y),
            Binary::Pow => (y * x.ln()).exp(),
        }
    }
}
