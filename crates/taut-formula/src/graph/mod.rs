//! Formulas as a graph in which equal subexpressions are one node.
//!
//! Nodes are made by functions that fold constants and apply the identities of algebra (`fold`), and are
//! looked up before they are added, so that common subexpressions are shared between all formulas of a model and all
//! of their derivatives. A node is made after its operands: the order of the numbers is an order of evaluation.

mod derivative;
mod fold;
mod form;
mod known;
mod switches;
#[cfg(test)]
mod tests;
mod turn;

use crate::function::{Binary, Unary};
use known::Known;

/// Distinct operations in all formulas and their derivatives together: a hostile file is not to exhaust memory.
pub const MOST_OPERATIONS: usize = 3_000_000;
/// So many more for each input: a large model has many parts, each of which reads few inputs.
pub const OPERATIONS_PER_INPUT: usize = 20;
/// Operations looked at while formulas are differentiated and compiled, for each that there may be: nor is it to exhaust time.
const VISITS_PER_OPERATION: usize = 34;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// the bits of a number
    Constant(u64),
    /// what the formulas are evaluated at
    Input(Input),
    /// a + b
    Add(Node, Node),
    /// a − b
    Subtract(Node, Node),
    /// a b
    Multiply(Node, Node),
    /// a / b
    Divide(Node, Node),
    /// −a
    Negative(Node),
    /// x^k with k ≥ 2
    Power(Node, i32),
    /// f(a)
    Unary(Unary, Node),
    /// f(a, b)
    Binary(Binary, Node, Node),
    /// the second where the first is positive, else 0
    Where(Node, Node),
    /// 0 where the first is positive, else the second
    Unless(Node, Node),
}

impl Operation {
    /// The nodes it is computed from.
    pub fn operands(self) -> impl Iterator<Item = Node> {
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
pub enum Input {
    /// t
    Time,
    /// a coordinate, or a variable of a first-order model
    Position(u32),
    /// the velocity of a coordinate
    Velocity(u32),
    /// its acceleration
    Acceleration(u32),
    /// the multiplier of a constraint
    Multiplier(u32),
    /// what is set once before all evaluations
    Parameter(u32),
}

/// Which kinds of input a formula depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depends(u8);

impl Depends {
    /// a constant
    pub const NOTHING: Depends = Depends(0);
    /// t
    pub const TIME: Depends = Depends(1);
    /// q
    pub const POSITION: Depends = Depends(2);
    /// v
    pub const VELOCITY: Depends = Depends(4);
    /// v'
    pub const ACCELERATION: Depends = Depends(8);
    /// λ
    pub const MULTIPLIER: Depends = Depends(16);

    /// parameters
    pub const PARAMETER: Depends = Depends(32);

    /// These and others.
    pub const fn or(self, other: Depends) -> Depends {
        Depends(self.0 | other.0)
    }

    /// Whether one of `kinds` is among them.
    pub fn on(self, kinds: Depends) -> bool {
        self.0 & kinds.0 != 0
    }

    /// Those that are not among `allowed`.
    pub fn beyond(self, allowed: Depends) -> Depends {
        Depends(self.0 & !allowed.0)
    }

    fn of(input: Input) -> Depends {
        match input {
            Input::Time => Depends::TIME,
            Input::Position(_) => Depends::POSITION,
            Input::Velocity(_) => Depends::VELOCITY,
            Input::Acceleration(_) => Depends::ACCELERATION,
            Input::Multiplier(_) => Depends::MULTIPLIER,
            Input::Parameter(_) => Depends::PARAMETER,
        }
    }
}

/// All formulas of a model.
#[derive(Clone, Debug)]
pub struct Graph {
    operations: Vec<Operation>,
    depends: Vec<Depends>,
    /// Whether a node has a value wherever its inputs have one.
    total: Vec<bool>,
    known: Known,
    /// Formulas of parameters alone, operands first.
    fixed: Vec<Node>,
    /// Adjoints of the sweep that is going on.
    adjoints: Vec<Option<Node>>,
    /// Nodes that were met in the search that is going on.
    seen: Vec<bool>,
    /// Those that it has still to look at.
    waiting: Vec<Node>,
    /// Derivatives along the motion that were asked for before.
    tangents: Vec<Option<Node>>,
    /// Conditions across whose zeros formulas are smooth.
    smooth_across: std::collections::HashSet<Node>,
    visits: usize,
    inputs: usize,
    exhausted: bool,
}

/// What a graph had at some time.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    operations: usize,
    visits: usize,
    inputs: usize,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

impl Graph {
    /// Without formulas.
    pub fn new() -> Self {
        let numbers = [0.0, 1.0, -1.0_f64].map(|x| Operation::Constant(x.to_bits()));
        Graph {
            known: Known::of(&numbers),
            operations: numbers.into(),
            depends: vec![Depends::NOTHING; numbers.len()],
            total: vec![true; numbers.len()],
            fixed: Vec::new(),
            adjoints: Vec::new(),
            seen: Vec::new(),
            waiting: Vec::new(),
            tangents: Vec::new(),
            smooth_across: std::collections::HashSet::new(),
            visits: 0,
            inputs: 0,
            exhausted: false,
        }
    }

    /// 0
    pub const ZERO: Node = Node(0);
    /// 1
    pub const ONE: Node = Node(1);
    /// −1
    pub const MINUS_ONE: Node = Node(2);

    /// What a node computes.
    pub fn operation(&self, node: Node) -> Operation {
        self.operations[node.index()]
    }

    /// What a node depends on.
    pub fn depends(&self, node: Node) -> Depends {
        self.depends[node.index()]
    }

    /// The number of nodes; 0 and 1 are always there.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// All nodes, operands first.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.operations.len() as u32).map(Node)
    }

    /// The value of a node that depends on nothing.
    pub fn value(&self, node: Node) -> Option<f64> {
        match self.operation(node) {
            Operation::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> Node {
        // One zero: −0 would be another node and differ in nothing that matters here.
        self.node(Operation::Constant(if value == 0.0 { 0 } else { value.to_bits() }))
    }

    /// What formulas are evaluated at.
    pub fn input(&mut self, input: Input) -> Node {
        self.node(Operation::Input(input))
    }

    /// Whether a limit was reached. From then on every new node is 0, so that all work comes to its end soon.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Counts the nodes that a sweep looks at.
    pub(crate) fn visit(&mut self, nodes: usize) {
        self.visits = self.visits.saturating_add(nodes);
        self.exhausted |= self.visits > VISITS_PER_OPERATION * self.most_operations();
    }

    /// So many operations there may be.
    pub fn most_operations(&self) -> usize {
        MOST_OPERATIONS + OPERATIONS_PER_INPUT * self.inputs
    }

    /// The node of this operation, an old one when it is known.
    fn node(&mut self, operation: Operation) -> Node {
        let vacancy = match self.known.find(&operation, &self.operations) {
            Ok(node) => return node,
            Err(vacancy) => vacancy,
        };
        if self.exhausted || self.operations.len() >= self.most_operations() {
            self.exhausted = true;
            return Graph::ZERO;
        }
        let depends = match operation {
            Operation::Input(input) => Depends::of(input),
            _ => operation.operands().fold(Depends::NOTHING, |d, x| d.or(self.depends(x))),
        };
        self.inputs += usize::from(matches!(operation, Operation::Input(_)));
        let node = Node(self.operations.len() as u32);
        let total = self.makes_total(operation, depends);
        self.operations.push(operation);
        self.depends.push(depends);
        self.total.push(total);
        if depends == Depends::PARAMETER {
            self.fixed.push(node);
        }
        self.known.add_last(vacancy, &self.operations);
        node
    }

    /// Whether a node has a value wherever its inputs have one, overflow aside. What is known once the parameters are has
    /// its value.
    fn is_total(&self, node: Node) -> bool {
        self.total[node.index()]
    }

    fn makes_total(&self, operation: Operation, depends: Depends) -> bool {
        let safe = match operation {
            Operation::Constant(bits) => return f64::from_bits(bits).is_finite(),
            Operation::Divide(..) | Operation::Binary(Binary::Pow, ..) => false,
            Operation::Unary(function, _) => {
                !matches!(function, Unary::Sqrt | Unary::Log | Unary::Asin | Unary::Acos | Unary::Tan)
            }
            _ => true,
        };
        depends == Depends::PARAMETER || safe && operation.operands().all(|x| self.is_total(x))
    }

    /// Formulas of parameters alone, operands first.
    pub(crate) fn fixed(&self) -> &[Node] {
        &self.fixed
    }

    /// How many formulas of parameters alone there are.
    pub fn count_of_settings(&self) -> usize {
        self.fixed.len()
    }

    /// The graph when no formula is added any more, without what only derivatives need.
    pub fn closed(mut self) -> Self {
        self.operations.shrink_to_fit();
        self.tangents = Vec::new();
        self.adjoints = Vec::new();
        self.seen = Vec::new();
        self.waiting = Vec::new();
        self
    }

    /// What there is now.
    pub fn mark(&self) -> Mark {
        Mark { operations: self.len(), visits: self.visits, inputs: self.inputs }
    }

    /// Forgets what was added since.
    pub fn return_to(&mut self, mark: Mark) {
        let is_old = |node: &Node| node.index() < mark.operations;
        self.operations.truncate(mark.operations);
        self.depends.truncate(mark.operations);
        self.total.truncate(mark.operations);
        self.fixed.retain(is_old);
        self.adjoints.clear();
        self.tangents.truncate(mark.operations);
        self.tangents.iter_mut().for_each(|tangent| *tangent = tangent.filter(is_old));
        self.smooth_across.retain(is_old);
        self.known = Known::of(&self.operations);
        (self.visits, self.inputs, self.exhausted) = (mark.visits, mark.inputs, false);
    }

    /// The node of an operation, when there is one.
    pub(crate) fn find(&self, operation: Operation) -> Option<Node> {
        self.known.find(&operation, &self.operations).ok()
    }

    /// The wanted nodes that a formula is computed from, itself included, operands first.
    pub(crate) fn reachable(&mut self, root: Node, wanted: impl Fn(Depends) -> bool) -> Vec<Node> {
        self.seen.resize(self.operations.len(), false);
        let mut found = Vec::with_capacity(16);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.push(root);
        while let Some(node) = waiting.pop() {
            if wanted(self.depends(node)) && !self.seen[node.index()] {
                self.seen[node.index()] = true;
                found.push(node);
                waiting.extend(self.operation(node).operands());
            }
        }
        self.waiting = waiting;
        for node in &found {
            self.seen[node.index()] = false;
        }
        self.visit(found.len());
        found.sort_unstable();
        found
    }
}
