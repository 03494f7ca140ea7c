//! Formulas as a graph in which equal subexpressions are one node.
//!
//! Nodes are made by functions that fold constants and apply the identities of algebra ([`fold`](self::fold)), and are
//! looked up before they are added, so that common subexpressions are shared between all formulas of a model and all
//! of their derivatives. A node is made after its operands: the order of the numbers is an order of evaluation.

mod derivative;
mod fold;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::function::{Binary, Unary};
use crate::limits;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

impl Node {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// the bits of a number
    Constant(u64),
    Input(Input),
    Add(Node, Node),
    Subtract(Node, Node),
    Multiply(Node, Node),
    Divide(Node, Node),
    Negative(Node),
    /// x^k with k ≥ 2
    Power(Node, i32),
    Unary(Unary, Node),
    Binary(Binary, Node, Node),
    /// the second where the first is positive, else 0
    Where(Node, Node),
    /// 0 where the first is positive, else the second
    Unless(Node, Node),
}

impl Operation {
    /// The nodes it is computed from.
    pub(crate) fn operands(self) -> impl Iterator<Item = Node> {
        let (a, b) = match self {
            Operation::Constant(_) | Operation::Input(_) => (None, None),
            Operation::Negative(a) | Operation::Power(a, _) | Operation::Unary(_, a) => (Some(a), None),
            Operation::Add(a, b)
            | Operation::Subtract(a, b)
            | Operation::Multiply(a, b)
            | Operation::Divide(a, b)
            | Operation::Binary(_, a, b)
            | Operation::Where(a, b)
            | Operation::Unless(a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }
}

/// What formulas are evaluated at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Input {
    Time,
    /// a coordinate, or a variable of a first-order model
    Position(u32),
    Velocity(u32),
    Acceleration(u32),
    Multiplier(u32),
}

/// Which kinds of input a formula depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Depends(u8);

impl Depends {
    pub(crate) const NOTHING: Depends = Depends(0);
    pub(crate) const TIME: Depends = Depends(1);
    pub(crate) const POSITION: Depends = Depends(2);
    pub(crate) const VELOCITY: Depends = Depends(4);
    pub(crate) const ACCELERATION: Depends = Depends(8);
    pub(crate) const MULTIPLIER: Depends = Depends(16);

    /// These and others.
    pub(crate) const fn or(self, other: Depends) -> Depends {
        Depends(self.0 | other.0)
    }

    /// Whether one of `kinds` is among them.
    pub(crate) fn on(self, kinds: Depends) -> bool {
        self.0 & kinds.0 != 0
    }

    /// Those that are not among `allowed`.
    pub(crate) fn beyond(self, allowed: Depends) -> Depends {
        Depends(self.0 & !allowed.0)
    }

    fn of(input: Input) -> Depends {
        match input {
            Input::Time => Depends::TIME,
            Input::Position(_) => Depends::POSITION,
            Input::Velocity(_) => Depends::VELOCITY,
            Input::Acceleration(_) => Depends::ACCELERATION,
            Input::Multiplier(_) => Depends::MULTIPLIER,
        }
    }
}

/// All formulas of a model.
#[derive(Debug)]
pub(crate) struct Graph {
    operations: Vec<Operation>,
    depends: Vec<Depends>,
    known: HashMap<Operation, Node>,
    /// Adjoints of the sweep that is going on.
    adjoints: Vec<Option<Node>>,
    /// Nodes that were met in the search that is going on.
    seen: Vec<bool>,
    /// Derivatives along the motion that were asked for before.
    tangents: HashMap<Node, Node>,
    visits: usize,
    exhausted: bool,
}

impl Graph {
    pub(crate) fn new() -> Self {
        Graph {
            operations: vec![Operation::Constant(0), Operation::Constant(1_f64.to_bits())],
            depends: vec![Depends::NOTHING; 2],
            known: [
                (Operation::Constant(0), Graph::ZERO),
                (Operation::Constant(1_f64.to_bits()), Graph::ONE),
            ]
            .into(),
            adjoints: Vec::new(),
            seen: Vec::new(),
            tangents: HashMap::new(),
            visits: 0,
            exhausted: false,
        }
    }

    pub(crate) const ZERO: Node = Node(0);
    pub(crate) const ONE: Node = Node(1);

    pub(crate) fn operation(&self, node: Node) -> Operation {
        self.operations[node.index()]
    }

    pub(crate) fn depends(&self, node: Node) -> Depends {
        self.depends[node.index()]
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.operations.len()
    }

    /// The value of a node that depends on nothing.
    pub(crate) fn value(&self, node: Node) -> Option<f64> {
        match self.operation(node) {
            Operation::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, value: f64) -> Node {
        // One zero: −0 would be another node and differ in nothing that matters here.
        self.node(Operation::Constant(if value == 0.0 { 0 } else { value.to_bits() }))
    }

    pub(crate) fn input(&mut self, input: Input) -> Node {
        self.node(Operation::Input(input))
    }

    /// Whether a limit was reached. From then on every new node is 0, so that all work comes to its end soon.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Counts the nodes that a sweep looks at.
    pub(crate) fn visit(&mut self, nodes: usize) {
        self.visits = self.visits.saturating_add(nodes);
        self.exhausted |= self.visits > limits::VISITS;
    }

    /// The node of this operation, an old one when it is known.
    fn node(&mut self, operation: Operation) -> Node {
        if let Some(&node) = self.known.get(&operation) {
            return node;
        }
        if self.exhausted || self.operations.len() >= limits::OPERATIONS {
            self.exhausted = true;
            return Graph::ZERO;
        }
        let depends = match operation {
            Operation::Input(input) => Depends::of(input),
            _ => operation.operands().fold(Depends::NOTHING, |d, x| d.or(self.depends(x))),
        };
        let node = Node(self.operations.len() as u32);
        self.operations.push(operation);
        self.depends.push(depends);
        self.known.insert(operation, node);
        node
    }

    /// The node of an operation, when there is one.
    pub(crate) fn find(&self, operation: Operation) -> Option<Node> {
        self.known.get(&operation).copied()
    }

    /// The wanted nodes that a formula is computed from, itself included, operands first.
    pub(crate) fn reachable(&mut self, root: Node, wanted: impl Fn(Depends) -> bool) -> Vec<Node> {
        self.seen.resize(self.operations.len(), false);
        let mut found = Vec::new();
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if wanted(self.depends(node)) && !self.seen[node.index()] {
                self.seen[node.index()] = true;
                found.push(node);
                waiting.extend(self.operation(node).operands());
            }
        }
        for node in &found {
            self.seen[node.index()] = false;
        }
        self.visit(found.len());
        found.sort_unstable();
        found
    }
}
