//! Expressions as a person writes them: lexed, parsed, printed.

mod lexer;
mod parser;
mod print;
mod spaced;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use lexer::{is_name_character, is_name_start, words};
pub(crate) use parser::parse;
pub(crate) use spaced::{Spaced, spaced_tokens};

use std::rc::Rc;

use crate::function::Function;
use crate::source::Span;

/// An expression and where it stands in the file.
///
/// Sums and products are lists, so that the depth of the tree is the depth of the parentheses, which is limited.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) term: Term,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    Number(f64),
    Name(Name),
    Negative(Box<Expression>),
    /// Terms with their signs, added from left to right.
    Sum(Vec<(Sign, Expression)>),
    /// Factors and divisors, applied from left to right.
    Product(Vec<(Factor, Expression)>),
    Power(Box<Expression>, Box<Expression>),
    Call(Function, Vec<Expression>),
    /// a function that is not one of a number or two: of vectors, or of the model
    Apply(String, Vec<Expression>),
    Repeated(Box<Repeated>),
    /// `[x, y, z]`
    List(Vec<Expression>),
    /// `p[1]`
    Element(Box<Expression>, Box<Expression>),
    /// `if(condition, first, second)`
    If(Box<[Expression; 3]>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    /// conditions that hold together, joined by `and`
    All(Vec<Expression>),
    /// conditions of which one holds, joined by `or`
    Any(Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Comparison {
    /// With their signs, longer ones before those they begin with.
    pub(crate) const ALL: [(Comparison, &'static str); 6] = [
        (Comparison::LessOrEqual, "<="),
        (Comparison::GreaterOrEqual, ">="),
        (Comparison::Equal, "=="),
        (Comparison::NotEqual, "!="),
        (Comparison::Less, "<"),
        (Comparison::Greater, ">"),
    ];

    fn sign(self) -> &'static str {
        Comparison::ALL.iter().find(|(comparison, _)| *comparison == self).map_or("", |(_, sign)| sign)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Times,
    Over,
}

/// `sum(index, first, last, body)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Repeated {
    pub(crate) index: Rc<str>,
    pub(crate) first: Expression,
    pub(crate) last: Expression,
    pub(crate) body: Expression,
}

/// A name, possibly with indices in braces: `x`, `x'`, `x''`, `x{i-1}`, `q{i}_{j}'`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) parts: Vec<Part>,
    /// how many `'` follow: 1 for a velocity, 2 for an acceleration
    pub(crate) primes: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Index(Expression),
}

/// Expressions are equal when they say the same, wherever they stand.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.term == other.term
    }
}
