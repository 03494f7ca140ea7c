//! Which instructions compute the nodes of a tape.

use super::compile::{Compiler, Note};
use super::instruction::Kind;
use crate::function::Unary;
use crate::graph::{Depends, Node, Operation};

/// One instruction to be: the node it computes, and those it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: Node,
    pub(super) kind: Kind,
    pub(super) reads: [Option<Node>; 4],
    /// the node of the cosine that is computed beside the sine
    pub(super) cosine: Option<Node>,
    /// the kind of the run it stands in
    pub(super) run: Kind,
}

/// The kind of an instruction that takes in products, what it reads, and the products.
type Joined = (Kind, [Option<Node>; 4], [Option<Node>; 2]);

impl Compiler<'_> {
    /// The instructions, operands first. Users are looked at before what they use, since they may take it in.
    pub(super) fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for k in (0..self.touched.len()).rev() {
            let node = self.touched[k];
            if !self.note(node).is_covered
                && let Some(step) = self.step(node)
            {
                steps.push(step);
            }
        }
        steps.reverse();
        steps
    }

    /// The instruction for a node; inputs and constants need none.
    fn step(&mut self, node: Node) -> Option<Step> {
        let operation = self.graph.operation(node);
        if self.graph.depends(node) == Depends::PARAMETER {
            return None;
        }
        if let Some((kind, reads, products)) = self.with_private_products(operation) {
            for product in products.into_iter().flatten() {
                self.note_mut(product).is_covered = true;
            }
            return Some(Step { node, kind, reads, cosine: None, run: kind });
        }
        if let Some((sine, cosine)) = self.sine_and_cosine(operation) {
            self.note_mut(sine).is_covered = true;
            self.note_mut(cosine).is_covered = true;
            let reads = [operation.operands().next(), None, None, None];
            let kind = Kind::SineCosine;
            return Some(Step { node: sine, kind, reads, cosine: Some(cosine), run: kind });
        }
        let kind = match operation {
            Operation::Constant(_) | Operation::Input(_) => return None,
            Operation::Add(..) => Kind::Add,
            Operation::Subtract(..) => Kind::Subtract,
            Operation::Multiply(..) => Kind::Multiply,
            Operation::Divide(..) => Kind::Divide,
            Operation::Negative(_) => Kind::Negative,
            Operation::Power(_, k) => Kind::Power(k),
            Operation::Unary(function, _) => Kind::Unary(function),
            Operation::Binary(function, ..) => Kind::Binary(function),
            Operation::Where(..) => Kind::Where,
            Operation::Unless(..) => Kind::Unless,
        };
        let mut operands = operation.operands();
        let reads = [operands.next(), operands.next(), None, None];
        Some(Step { node, kind, reads, cosine: None, run: kind })
    }

    /// A sum or difference with products that nothing else uses is one instruction: its kind, what it reads, the products.
    fn with_private_products(&self, operation: Operation) -> Option<Joined> {
        let (a, b) = match operation {
            Operation::Add(a, b) | Operation::Subtract(a, b) => (a, b),
            _ => return None,
        };
        let is_sum = matches!(operation, Operation::Add(..));
        match (self.private_product(a), self.private_product(b)) {
            (Some((x, y)), Some((z, w))) if !is_sum => {
                Some((Kind::Products, [x, y, z, w].map(Some), [Some(a), Some(b)]))
            }
            (_, Some((x, y))) => {
                let kind = if is_sum { Kind::MultiplyAdd } else { Kind::SubtractProduct };
                Some((kind, [Some(x), Some(y), Some(a), None], [Some(b), None]))
            }
            (Some((x, y)), None) => {
                let kind = if is_sum { Kind::MultiplyAdd } else { Kind::MultiplySubtract };
                Some((kind, [Some(x), Some(y), Some(b), None], [Some(a), None]))
            }
            (None, None) => None,
        }
    }

    /// The factors of a product that is used once.
    fn private_product(&self, node: Node) -> Option<(Node, Node)> {
        let Note { uses, is_repeated, .. } = *self.note(node);
        match self.graph.operation(node) {
            _ if uses != 1 || is_repeated || self.graph.depends(node) == Depends::PARAMETER => None,
            Operation::Multiply(a, b) => Some((a, b)),
            Operation::Power(a, 2) => Some((a, a)),
            _ => None,
        }
    }

    /// Sine and cosine of one argument, when both are needed: they are computed together.
    fn sine_and_cosine(&self, operation: Operation) -> Option<(Node, Node)> {
        let Operation::Unary(Unary::Sin | Unary::Cos, x) = operation else { return None };
        let needed = |function| {
            let node = self.graph.find(Operation::Unary(function, x))?;
            (self.is_needed(node) && !self.note(node).is_repeated).then_some(node)
        };
        Some((needed(Unary::Sin)?, needed(Unary::Cos)?))
    }
}
