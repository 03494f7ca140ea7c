//! The functions that expressions may call.

pub(crate) use taut_formula::function::{Binary, Unary};

/// A function that an expression may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Unary(Unary),
    Binary(Binary),
}

impl Function {
    pub fn find(name: &str) -> Option<Self> {
        let unary = Unary::ALL.into_iter().find(|f| f.name() == name).map(Function::Unary);
        unary.or_else(|| Binary::ALL.into_iter().find(|f| f.name() == name).map(Function::Binary))
    }

    pub fn name(self) -> &'static str {
        match self {
            Function::Unary(f) => f.name(),
            Function::Binary(f) => f.name(),
        }
    }

    pub fn arguments(self) -> usize {
        match self {
            Function::Unary(_) => 1,
            Function::Binary(_) => 2,
        }
    }

    /// Whether no name of a model may be that of the function. Functions that came later leave the names free that models
    /// had given before.
    pub fn is_reserved(self) -> bool {
        !matches!(self, Function::Unary(Unary::Floor | Unary::Erf))
    }

    /// The names of all functions, with `sum`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let unary = Unary::ALL.into_iter().map(Unary::name);
        unary.chain(Binary::ALL.into_iter().map(Binary::name)).chain([SUM])
    }
}

/// The name of the repeated sum, `sum(i, 1, N, expression of i)`.
pub const SUM: &str = "sum";

/// The name of the choice, `if(condition, first, second)`.
pub(crate) const IF: &str = "if";
