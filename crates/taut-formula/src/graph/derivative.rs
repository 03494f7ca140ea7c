//! Derivatives of graphs, as graphs.

use super::{Depends, Graph, Input, Node, Operation};
use crate::function::{Binary, Unary};

/// Up to two operands with the partial derivatives with respect to them.
type Partials = [Option<(Node, Node)>; 2];

/// The derivatives of one formula that are not zero: number of the input, derivative.
pub type Gradient = Vec<(usize, Node)>;

impl Graph {
    /// The derivatives with respect to the inputs of one kind (positions or velocities), in the order of the inputs.
    ///
    /// Reverse mode: one sweep from the formula to its inputs gives all of them, and looks only at nodes that the
    /// formula depends on, so that the gradient of a sum of many small terms costs as much as the sum.
    pub fn gradient(&mut self, root: Node, kind: Depends) -> Gradient {
        let mut gradient = Gradient::new();
        if !self.depends(root).on(kind) || self.exhausted {
            return gradient;
        }
        let nodes = self.reachable(root, |d| d.on(kind));
        self.adjoints.resize(self.operations.len(), None);
        self.adjoints[root.index()] = Some(Graph::ONE);
        // Users come after what they use, so from the end a node has received all of its adjoint when it is met.
        for node in nodes.into_iter().rev() {
            let Some(adjoint) = self.adjoints[node.index()].take() else { continue };
            if let Operation::Input(Input::Position(i) | Input::Velocity(i)) = self.operation(node) {
                gradient.extend((adjoint != Graph::ZERO).then_some((i as usize, adjoint)));
            }
            for (operand, partial) in self.partials(node, kind).into_iter().flatten() {
                if partial == Graph::ZERO {
                    continue;
                }
                let share = self.share(adjoint, partial);
                let sum = match self.adjoints[operand.index()] {
                    Some(old) => self.add(old, share),
                    None => share,
                };
                self.adjoints[operand.index()] = Some(sum);
            }
        }
        gradient.sort_unstable();
        gradient
    }

    /// The derivative along the motion: q moves with velocity v, t with 1, v stands still.
    pub fn along_motion(&mut self, root: Node) -> Node {
        if self.exhausted {
            return Graph::ZERO;
        }
        let moving = |d: Depends| d.on(Depends::TIME.or(Depends::POSITION));
        self.tangents.resize(self.operations.len(), None);
        for node in self.reachable(root, moving) {
            if self.tangents[node.index()].is_none() {
                self.tangents[node.index()] = Some(self.tangent(node));
            }
        }
        self.tangents[root.index()].unwrap_or(Graph::ZERO)
    }

    fn tangent(&mut self, node: Node) -> Node {
        match self.operation(node) {
            Operation::Input(Input::Time) => Graph::ONE,
            Operation::Input(Input::Position(i)) => self.input(Input::Velocity(i)),
            _ => {
                let mut sum = Graph::ZERO;
                for (operand, partial) in
                    self.partials(node, Depends::TIME.or(Depends::POSITION)).into_iter().flatten()
                {
                    let tangent = self.tangents[operand.index()].unwrap_or(Graph::ZERO);
                    if tangent == Graph::ZERO || partial == Graph::ZERO {
                        continue;
                    }
                    let term = self.share(tangent, partial);
                    sum = self.add(sum, term);
                }
                sum
            }
        }
    }

    /// Factors of a chain rule. What counts in one case only stays so, whatever the other factor is in the other case, where it may
    /// have no value: the branch that is not taken.
    fn share(&mut self, a: Node, b: Node) -> Node {
        match (self.operation(a), self.operation(b)) {
            (Operation::Where(c, x), _) => {
                let product = self.share(x, b);
                self.when(c, product)
            }
            (Operation::Unless(c, x), _) => {
                let product = self.share(x, b);
                self.unless(c, product)
            }
            (_, Operation::Where(..) | Operation::Unless(..)) => self.share(b, a),
            _ => self.multiply(a, b),
        }
    }

    /// The formula for a system at rest.
    pub fn with_velocities_zero(&mut self, root: Node) -> Node {
        self.with_velocities(root, |_| Graph::ZERO)
    }

    /// The formula with other nodes in the place of velocities, by their numbers.
    pub fn with_velocities(&mut self, root: Node, value: impl Fn(u32) -> Node) -> Node {
        if self.exhausted {
            return Graph::ZERO;
        }
        let nodes = self.reachable(root, |d| d.on(Depends::VELOCITY));
        let mut at_rest: Vec<Node> = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            // Operands come first, and the nodes are in order.
            let at = |x: Node| nodes.binary_search(&x).map_or(x, |place| at_rest[place]);
            let new = match self.operation(node) {
                Operation::Input(Input::Velocity(i)) => value(i),
                Operation::Input(_) | Operation::Constant(_) => node,
                Operation::Add(a, b) => self.add(at(a), at(b)),
                Operation::Subtract(a, b) => self.subtract(at(a), at(b)),
                // What is 0 at rest is so where the rest has no value, too: it is the limit.
                Operation::Multiply(a, b) if at(a) == Graph::ZERO || at(b) == Graph::ZERO => Graph::ZERO,
                Operation::Divide(a, _) if at(a) == Graph::ZERO => Graph::ZERO,
                Operation::Multiply(a, b) => self.multiply(at(a), at(b)),
                Operation::Divide(a, b) => self.divide(at(a), at(b)),
                Operation::Negative(a) => self.negative(at(a)),
                Operation::Power(a, k) => self.power(at(a), k),
                Operation::Unary(f, a) => self.unary(f, at(a)),
                Operation::Binary(f, a, b) => self.binary(f, at(a), at(b)),
                Operation::Where(a, b) => self.when(at(a), at(b)),
                Operation::Unless(a, b) => self.unless(at(a), at(b)),
            };
            at_rest.push(new);
        }
        at_rest.last().copied().unwrap_or(root)
    }

    /// The partial derivatives of one operation, for operands that depend on inputs of the given kinds.
    fn partials(&mut self, node: Node, kinds: Depends) -> Partials {
        let one = Graph::ONE;
        let wanted = |graph: &Graph, x: Node| graph.depends(x).on(kinds);
        match self.operation(node) {
            Operation::Constant(_) | Operation::Input(_) => [None, None],
            Operation::Add(a, b) => [(a, one), (b, one)].map(|p| wanted(self, p.0).then_some(p)),
            Operation::Subtract(a, b) => {
                [(a, one), (b, Graph::MINUS_ONE)].map(|p| wanted(self, p.0).then_some(p))
            }
            Operation::Multiply(a, b) => [(a, b), (b, a)].map(|p| wanted(self, p.0).then_some(p)),
            Operation::Divide(a, b) => {
                let by_a = wanted(self, a).then(|| (a, self.divide(one, b)));
                let by_b = wanted(self, b).then(|| {
                    let slope = self.divide(node, b);
                    (b, self.negative(slope))
                });
                [by_a, by_b]
            }
            Operation::Negative(a) => [Some((a, Graph::MINUS_ONE)), None],
            Operation::Power(a, k) => {
                let lower = self.power(a, k - 1);
                let k = self.constant(f64::from(k));
                [Some((a, self.multiply(k, lower))), None]
            }
            Operation::Unary(function, a) => [Some((a, self.unary_slope(function, a, node))), None],
            Operation::Binary(function, a, b) => {
                let by_a = wanted(self, a).then(|| (a, self.first_slope(function, a, b, node)));
                let by_b = wanted(self, b).then(|| (b, self.second_slope(function, a, b, node)));
                [by_a, by_b]
            }
            Operation::Where(c, x) => [wanted(self, x).then(|| (x, self.when(c, one))), None],
            Operation::Unless(c, x) => [wanted(self, x).then(|| (x, self.unless(c, one))), None],
        }
    }

    /// f'(x), with y = f(x) at hand.
    pub(crate) fn unary_slope(&mut self, function: Unary, x: Node, y: Node) -> Node {
        let one = Graph::ONE;
        match function {
            Unary::Sqrt => {
                let half = self.constant(0.5);
                self.divide(half, y)
            }
            Unary::Exp => y,
            Unary::Log => self.divide(one, x),
            Unary::Sin => self.unary(Unary::Cos, x),
            Unary::Cos => {
                let sine = self.unary(Unary::Sin, x);
                self.negative(sine)
            }
            Unary::Tan => {
                let square = self.power(y, 2);
                self.add(square, one)
            }
            Unary::Asin | Unary::Acos => {
                let square = self.power(x, 2);
                let rest = self.subtract(one, square);
                let root = self.unary(Unary::Sqrt, rest);
                let sign = self.constant(if function == Unary::Asin { 1.0 } else { -1.0 });
                self.divide(sign, root)
            }
            Unary::Atan => {
                let square = self.power(x, 2);
                let sum = self.add(square, one);
                self.divide(one, sum)
            }
            Unary::Sinh => self.unary(Unary::Cosh, x),
            Unary::Cosh => self.unary(Unary::Sinh, x),
            Unary::Tanh => {
                let square = self.power(y, 2);
                self.subtract(one, square)
            }
            Unary::Abs => self.unary(Unary::Sign, x),
            Unary::Sign | Unary::Floor => Graph::ZERO,
            Unary::Erf => {
                let square = self.power(x, 2);
                let exponent = self.negative(square);
                let bell = self.unary(Unary::Exp, exponent);
                let height = self.constant(std::f64::consts::FRAC_2_SQRT_PI);
                self.multiply(height, bell)
            }
        }
    }

    /// ∂f/∂a of z = f(a, b).
    pub(crate) fn first_slope(&mut self, function: Binary, a: Node, b: Node, z: Node) -> Node {
        match function {
            Binary::Hypot => self.divide(a, z),
            Binary::Atan2 => {
                let square = self.square_of_radius(a, b);
                self.divide(b, square)
            }
            Binary::Min | Binary::Max => {
                let choice = self.second_is_chosen(function, a, b);
                self.unless(choice, Graph::ONE)
            }
            Binary::Pow => {
                let less = self.subtract(b, Graph::ONE);
                let lower = self.binary(Binary::Pow, a, less);
                self.multiply(b, lower)
            }
        }
    }

    /// ∂f/∂b of z = f(a, b).
    pub(crate) fn second_slope(&mut self, function: Binary, a: Node, b: Node, z: Node) -> Node {
        match function {
            Binary::Hypot => self.divide(b, z),
            Binary::Atan2 => {
                let square = self.square_of_radius(a, b);
                let slope = self.divide(a, square);
                self.negative(slope)
            }
            Binary::Min | Binary::Max => {
                let choice = self.second_is_chosen(function, a, b);
                self.when(choice, Graph::ONE)
            }
            Binary::Pow => {
                let log = self.unary(Unary::Log, a);
                self.multiply(log, z)
            }
        }
    }

    /// Positive where `min` or `max` takes its second argument.
    fn second_is_chosen(&mut self, function: Binary, a: Node, b: Node) -> Node {
        if function == Binary::Min { self.subtract(a, b) } else { self.subtract(b, a) }
    }

    fn square_of_radius(&mut self, a: Node, b: Node) -> Node {
        let (a, b) = (self.power(a, 2), self.power(b, 2));
        self.add(a, b)
    }
}
