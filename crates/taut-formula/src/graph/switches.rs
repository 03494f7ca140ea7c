//! Where formulas are not smooth: what `sign`, `abs`, `floor`, `min` and `max` change at.

use super::{Depends, Graph, Node, Operation};
use crate::function::{Binary, Unary};

impl Graph {
    /// Formulas with this condition are smooth where it changes, such as a spline at its knots.
    pub fn set_smooth_across(&mut self, condition: Node) {
        self.smooth_across.insert(condition);
    }

    /// Whether formulas with a condition were said to be smooth where it changes.
    pub fn is_smooth_across(&self, condition: Node) -> bool {
        self.smooth_across.contains(&condition)
    }

    /// The values whose zeros are jumps or kinks of formulas, as far as they depend on nothing but time and parameters: the arguments of `sign` and
    /// `abs`, the difference of those of `min` and `max`, conditions, and whether `floor` is odd.
    pub fn switches_in_time(&mut self, formulas: &[Node]) -> Vec<Node> {
        let mut of_time = self.switches_of(formulas, Graph::is_of_time);
        of_time.retain(|node| self.is_of_time(*node));
        of_time
    }

    /// The same, as far as they change at all.
    pub fn switches(&mut self, formulas: &[Node]) -> Vec<Node> {
        let changes =
            |graph: &Graph, node: Node| graph.depends(node).beyond(Depends::PARAMETER) != Depends::NOTHING;
        let mut changing = self.switches_of(formulas, changes);
        changing.retain(|node| changes(self, *node));
        changing
    }

    /// The values whose zeros are jumps or kinks, with those of `floor` where it is wanted.
    fn switches_of(&mut self, formulas: &[Node], wanted: impl Fn(&Graph, Node) -> bool) -> Vec<Node> {
        let mut reached = vec![false; self.len()];
        let mut open = formulas.to_vec();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reached[node.index()], true) {
                continue;
            }
            self.visit(1);
            let operation = self.operation(node);
            match operation {
                Operation::Unary(Unary::Abs | Unary::Sign, x) => found.push((x, None)),
                Operation::Unary(Unary::Floor, _) if wanted(self, node) => {
                    let level = self.halfway_to_even(node);
                    found.push((node, Some(level)));
                }
                Operation::Binary(Binary::Min | Binary::Max, x, y) => found.push((x, Some(y))),
                Operation::Where(x, _) | Operation::Unless(x, _) if !self.is_smooth_across(x) => {
                    found.push((x, None));
                }
                _ => {}
            }
            open.extend(operation.operands().filter(|operand| !reached[operand.index()]));
        }
        let switches = found.into_iter().map(|(x, y)| y.map_or(x, |y| self.subtract(x, y)));
        let mut switches: Vec<Node> = switches.collect();
        switches.sort_unstable();
        switches.dedup();
        switches
    }

    /// Whether a node depends on time, and on nothing else that changes.
    fn is_of_time(&self, node: Node) -> bool {
        let depends = self.depends(node);
        depends.on(Depends::TIME) && depends.beyond(Depends::TIME.or(Depends::PARAMETER)) == Depends::NOTHING
    }

    /// 2 ⌊k/2⌋ + 1/2 of a whole number k: below it where k is even, above it where k is odd.
    fn halfway_to_even(&mut self, whole: Node) -> Node {
        let (two, half) = (self.constant(2.0), self.constant(0.5));
        let pairs = self.multiply(half, whole);
        let pairs = self.unary(Unary::Floor, pairs);
        let even = self.multiply(two, pairs);
        self.add(even, half)
    }
}
