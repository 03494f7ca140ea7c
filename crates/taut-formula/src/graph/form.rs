//! What the form of a formula tells: numbers and parameters in it, and its sign.

use super::{Depends, Graph, Node, Operation};
use crate::function::Unary;

/// So deep is looked for what makes a formula positive: a sum of a few squares.
const LEVELS: u32 = 6;

impl Graph {
    /// An operation with other operands, without identities.
    pub(crate) fn as_written(&mut self, operation: Operation, new: impl Fn(Node) -> Node) -> Node {
        let operation = match operation {
            Operation::Constant(_) | Operation::Input(_) => operation,
            Operation::Add(a, b) => Operation::Add(new(a), new(b)),
            Operation::Subtract(a, b) => Operation::Subtract(new(a), new(b)),
            Operation::Multiply(a, b) => Operation::Multiply(new(a), new(b)),
            Operation::Divide(a, b) => Operation::Divide(new(a), new(b)),
            Operation::Negative(a) => Operation::Negative(new(a)),
            Operation::Power(a, k) => Operation::Power(new(a), k),
            Operation::Unary(function, a) => Operation::Unary(function, new(a)),
            Operation::Binary(function, a, b) => Operation::Binary(function, new(a), new(b)),
            Operation::Where(a, b) => Operation::Where(new(a), new(b)),
            Operation::Unless(a, b) => Operation::Unless(new(a), new(b)),
        };
        self.node(operation)
    }

    /// x as a number, or what is known once the parameters are, times the rest.
    pub(super) fn coefficient(&self, x: Node) -> (Node, Node) {
        match self.operation(x) {
            Operation::Multiply(c, y) if self.is_coefficient(c, x) => (c, y),
            Operation::Negative(y) => (Graph::MINUS_ONE, y),
            _ => (Graph::ONE, x),
        }
    }

    /// Whether these are sin² and cos² of the same formula, which has a value wherever its inputs have: their sum is 1.
    pub(super) fn is_whole_circle(&self, x: Node, y: Node) -> bool {
        let (Operation::Power(x, 2), Operation::Power(y, 2)) = (self.operation(x), self.operation(y)) else {
            return false;
        };
        match (self.operation(x), self.operation(y)) {
            (Operation::Unary(Unary::Sin, a), Operation::Unary(Unary::Cos, b))
            | (Operation::Unary(Unary::Cos, a), Operation::Unary(Unary::Sin, b)) => {
                a == b && self.is_total(a)
            }
            _ => false,
        }
    }

    /// Whether a factor of a product is a number, or known once the parameters are and the product is not.
    pub(super) fn is_coefficient(&self, factor: Node, product: Node) -> bool {
        self.value(factor).is_some() || self.is_fixed(factor) && !self.is_fixed(product)
    }

    /// Whether it is known once the parameters are: a number, or a formula of parameters alone.
    pub(super) fn is_fixed(&self, x: Node) -> bool {
        self.depends(x).beyond(Depends::PARAMETER) == Depends::NOTHING
    }

    /// A formula of parameters that is not a number.
    pub(super) fn is_variable(&self, x: Node) -> bool {
        self.depends(x) == Depends::PARAMETER
    }

    /// Numbers come before formulas of parameters, and those before others.
    pub(super) fn comes_before(&self, a: Node, b: Node) -> bool {
        let rank = |x: Node| match self.value(x) {
            Some(_) => 0,
            None if self.is_fixed(x) => 1,
            None => 2,
        };
        rank(a) < rank(b)
    }

    /// Whether c and b, added to what is not fixed, are to be added up first; `sum` is that with c.
    pub(super) fn join(&self, sum: Node, c: Node, b: Node) -> bool {
        match self.value(b) {
            Some(_) if self.value(c).is_some() => true,
            _ => self.is_fixed(b) && self.is_fixed(c) && !self.is_fixed(sum),
        }
    }

    /// Whether x ≥ 0 is plain to see.
    pub(super) fn is_never_negative(&self, x: Node) -> bool {
        self.is_seen_as_positive(x, LEVELS)
    }

    fn is_seen_as_positive(&self, x: Node, levels: u32) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return false };
        match self.operation(x) {
            Operation::Constant(bits) => f64::from_bits(bits) >= 0.0,
            Operation::Power(_, k) => k % 2 == 0,
            Operation::Add(a, b) => {
                self.is_seen_as_positive(a, levels) && self.is_seen_as_positive(b, levels)
            }
            Operation::Multiply(a, b) => {
                self.value(a).is_some_and(|a| a >= 0.0) && self.is_seen_as_positive(b, levels)
            }
            _ => false,
        }
    }
}
