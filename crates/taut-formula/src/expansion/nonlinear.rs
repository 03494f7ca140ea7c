//! Operations that are not sums.

use super::choice::Choice;
use super::lower::{Lowering, Sum};
use super::operation::Operation;
use crate::function::{Binary, Unary};
use crate::graph::{Graph, Node};

impl Lowering<'_> {
    pub(super) fn quotient(&mut self, a: Node, b: Node) -> Sum {
        let denominator = self.slot(b);
        let (inner, kept) = (self.inner_sums(1), self.kept(2));
        if self.is_fixed(a) {
            let constant = self.constant(a);
            let out = self.new_slot(self.levels[denominator as usize]);
            self.operations.push(Operation::Reciprocal { out, constant, b: denominator, inner, kept });
            return Sum::of(out);
        }
        let numerator = self.slot(a);
        let out = self.new_slot(self.level_of(numerator, denominator));
        self.numerators.insert((denominator, out), numerator);
        self.operations.push(Operation::Quotient { out, a: numerator, b: denominator, inner, kept });
        Sum::of(out)
    }

    /// By squares and products, which have no trouble where a = 0.
    pub(super) fn whole_power(&mut self, a: Node, k: i32) -> Sum {
        let base = self.slot(a);
        let (mut square, mut power, mut left) = (base, None, k);
        while left > 0 {
            if left % 2 == 1 {
                power = Some(power.map_or(square, |power| self.product_of(power, square)));
            }
            left /= 2;
            if left > 0 {
                square = self.product_of(square, square);
            }
        }
        Sum::of(power.unwrap_or(base))
    }

    pub(super) fn unary(&mut self, function: Unary, a: Node, node: Node) -> Sum {
        match function {
            Unary::Sin => Sum::of(self.sine_and_cosine(a).0),
            Unary::Cos => Sum::of(self.sine_and_cosine(a).1),
            Unary::Abs => Sum::of(self.choice(Choice::Absolute, a, a, a)),
            Unary::Sign => Sum::of(self.choice(Choice::Sign, a, a, a)),
            Unary::Floor => Sum::of(self.choice(Choice::Floor, a, a, a)),
            _ => {
                let a_slot = self.slot(a);
                Sum::of(self.smooth(function, a, a_slot, node))
            }
        }
    }

    fn smooth(&mut self, function: Unary, a: Node, slot: u32, node: Node) -> u32 {
        let out = self.new_slot(self.levels[slot as usize]);
        let inner = self.inner_sums(1);
        match function {
            Unary::Sqrt => {
                let kept = self.kept(1);
                self.operations.push(Operation::Root { out, a: slot, inner, kept });
            }
            Unary::Exp => self.operations.push(Operation::Exponential { out, a: slot, inner }),
            _ => {
                let slope = self.graph.unary_slope(function, a, node);
                self.open.push((self.operations.len(), [Some(slope), None]));
                self.operations.push(Operation::Chain { out, a: slot, slope: 0, inner, function });
            }
        }
        out
    }

    fn sine_and_cosine(&mut self, a: Node) -> (u32, u32) {
        let a = self.slot(a);
        if let Some(&pair) = self.sines.get(&a) {
            return pair;
        }
        let level = self.levels[a as usize];
        let (sine, cosine) = (self.new_slot(level), self.new_slot(level));
        let inner = self.inner_sums(2);
        self.operations.push(Operation::SineCosine { sine, cosine, a, inner });
        self.sines.insert(a, (sine, cosine));
        (sine, cosine)
    }

    pub(super) fn binary(&mut self, function: Binary, a: Node, b: Node, node: Node) -> Sum {
        match function {
            Binary::Min | Binary::Max => {
                let (x, y) = if function == Binary::Min { (a, b) } else { (b, a) };
                let condition = self.graph.subtract(x, y);
                self.take_apart(&[condition]);
                Sum::of(self.choice(Choice::Second, condition, a, b))
            }
            Binary::Hypot => {
                let squares = [self.graph.power(a, 2), self.graph.power(b, 2)];
                let sum = self.graph.add(squares[0], squares[1]);
                self.derived(|graph| graph.unary(Unary::Sqrt, sum))
            }
            Binary::Pow if self.is_fixed(b) => {
                let (a, exponent) = (self.slot(a), self.constant(b));
                let out = self.new_slot(self.levels[a as usize]);
                let (inner, kept) = (self.inner_sums(2), self.kept(2));
                self.operations.push(Operation::Power { out, a, exponent, inner, kept });
                Sum::of(out)
            }
            Binary::Pow => self.derived(|graph| {
                let log = graph.unary(Unary::Log, a);
                let exponent = graph.multiply(b, log);
                graph.unary(Unary::Exp, exponent)
            }),
            Binary::Atan2 => {
                let (x, y) = (self.slot(a), self.slot(b));
                let slopes = [
                    Some(self.graph.first_slope(function, a, b, node)),
                    Some(self.graph.second_slope(function, a, b, node)),
                ];
                let out = self.new_slot(self.level_of(x, y));
                let inner = self.inner_sums(2);
                self.open.push((self.operations.len(), slopes));
                self.operations.push(Operation::Pair { out, a: x, b: y, slopes: (0, 0), inner, function });
                Sum::of(out)
            }
        }
    }

    /// A formula by others.
    fn derived(&mut self, make: impl FnOnce(&mut Graph) -> Node) -> Sum {
        let node = make(self.graph);
        self.take_apart(&[node]);
        self.known(node)
    }

    pub(super) fn choice(&mut self, choice: Choice, condition: Node, a: Node, b: Node) -> u32 {
        let (condition, a, b) = (self.slot(condition), self.slot(a), self.slot(b));
        let level = self.level_of(condition, a).max(self.levels[b as usize]);
        let (out, kept) = (self.new_slot(level), self.kept(1));
        self.operations.push(Operation::Choice { out, condition, a, b, kept, choice });
        out
    }
}
