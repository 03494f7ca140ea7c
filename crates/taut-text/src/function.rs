//! The functions that expressions may call.

use taut::system::Scalar;

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unary {
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Abs,
    Sign,
}

impl Unary {
    pub(crate) const ALL: [Unary; 14] = [
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

    pub(crate) fn name(self) -> &'static str {
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
    pub(crate) fn of<S: Scalar>(self, x: S) -> S {
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
pub(crate) enum Binary {
    Atan2,
    Min,
    Max,
    Hypot,
    Pow,
}

impl Binary {
    pub(crate) const ALL: [Binary; 5] = [Binary::Atan2, Binary::Min, Binary::Max, Binary::Hypot, Binary::Pow];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Binary::Atan2 => "atan2",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::Hypot => "hypot",
            Binary::Pow => "pow",
        }
    }

    #[inline]
    pub(crate) fn of(self, x: f64, y: f64) -> f64 {
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
    pub(crate) fn of_any<S: Scalar>(self, x: S, y: S) -> S {
        match self {
            Binary::Atan2 => x.atan2(y),
            Binary::Min => y.either(x, y.value() < x.value()),
            Binary::Max => y.either(x, y.value() > x.value()),
            Binary::Hypot => x.hypot(y),
            Binary::Pow => (y * x.ln()).exp(),
        }
    }
}

/// A function that an expression may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Unary(Unary),
    Binary(Binary),
}

impl Function {
    pub(crate) fn find(name: &str) -> Option<Self> {
        let unary = Unary::ALL.into_iter().find(|f| f.name() == name).map(Function::Unary);
        unary.or_else(|| Binary::ALL.into_iter().find(|f| f.name() == name).map(Function::Binary))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Function::Unary(f) => f.name(),
            Function::Binary(f) => f.name(),
        }
    }

    pub(crate) fn arguments(self) -> usize {
        match self {
            Function::Unary(_) => 1,
            Function::Binary(_) => 2,
        }
    }

    /// The names of all functions, with `sum`.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        let unary = Unary::ALL.into_iter().map(Unary::name);
        unary.chain(Binary::ALL.into_iter().map(Binary::name)).chain([SUM])
    }
}

/// The name of the repeated sum, `sum(i, 1, N, expression of i)`.
pub(crate) const SUM: &str = "sum";
