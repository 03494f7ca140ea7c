//! Jumps and kinks of formulas that depend on the state.
//!
//! Each of `sign`, `abs`, `floor`, `min`, `max` and each condition gets a mode: which branch is taken. Within a phase of a
//! motion modes stand still, so that formulas are smooth; where an argument crosses zero the phase ends. A mode is two
//! parameters: whether the function is evaluated as it is instead, and the branch.

use std::collections::HashMap;
use std::sync::Arc;

use taut_formula::graph::{Depends, Graph, Input, Node, Operation};
use taut_formula::tape::Pending;

use super::Reader;
use crate::function::{Binary, Unary};
use crate::jumps::{JumpFormulas, Kind, SurfaceFormulas};

const STATE: Depends = Depends::POSITION.or(Depends::VELOCITY);
/// Models with more switches go on across them: a phase for each crossing would take longer.
const MOST_SWITCHES: usize = 1000;

/// A switch: what decides on its branch, and the parameters of its mode.
struct Switch {
    kind: Kind,
    argument: Node,
    knots: Arc<[f64]>,
}

/// What was made smooth, and by which switches.
pub(super) struct Frozen {
    switches: Vec<Switch>,
}

/// Where tables are looked up, and the conditions on their arguments.
#[derive(Default)]
pub(super) struct Lookups {
    /// the argument and the knots of each
    pub(super) tables: Vec<(Node, Arc<[f64]>)>,
    /// which table and which knot a condition is about
    pub(super) conditions: HashMap<Node, (usize, usize)>,
}

impl Reader<'_> {
    /// Makes formulas smooth between events; nothing where they are, or have too many switches.
    pub(super) fn freeze(&mut self, formulas: Vec<&mut Node>) -> Option<Frozen> {
        if !self.smooth {
            return None;
        }
        let lookups = std::mem::take(&mut self.lookups);
        // Most models have none: looking through all nodes once is faster than following formulas.
        if !self.graph.nodes().any(|node| is_switch(&self.graph, node)) {
            return None;
        }
        let roots: Vec<Node> = formulas.iter().map(|node| **node).collect();
        let nodes = reachable(&self.graph, &roots);
        let switches = nodes.iter().filter(|&&node| is_switch(&self.graph, node));
        let conditions = switches.clone().filter(|&&node| is_lookup(&self.graph, &lookups, node)).count();
        let count = switches.count();
        if count == 0 || count - conditions + lookups.tables.len() > MOST_SWITCHES {
            return None;
        }
        let mut freezer = Freezer {
            graph: &mut self.graph,
            switches: Vec::new(),
            known: HashMap::new(),
            smooth: HashMap::new(),
            tables: HashMap::new(),
            first: self.known.count(),
            lookups: &lookups,
        };
        for node in nodes {
            let new = freezer.rebuilt(node);
            freezer.smooth.insert(node, new);
        }
        for node in formulas {
            *node = freezer.at(*node);
        }
        Some(Frozen { switches: freezer.switches })
    }

    /// Compiles what decides on the branches of a model with these coordinates.
    pub(super) fn compile_jumps(
        &mut self,
        frozen: Option<Frozen>,
        coordinates: &[String],
    ) -> Option<JumpFormulas> {
        let Frozen { switches } = frozen?;
        let n = coordinates.len();
        let arguments: Vec<Node> = switches.iter().map(|switch| switch.argument).collect();
        let slopes: Vec<Node> = arguments.iter().map(|&node| self.rate_of_value(node)).collect();
        let pairs = arguments.iter().zip(&slopes);
        let surfaces = pairs.map(|(&argument, &slope)| self.surface(argument, slope, n)).collect();
        let may_turn = |node: &Node| {
            self.kind != super::document::Kind::Mechanical || self.graph.depends(*node).on(Depends::VELOCITY)
        };
        let may_turn = arguments.iter().map(may_turn).collect();
        let tape = |nodes: &[Node]| Arc::new(Pending::new(nodes, n, 0));
        Some(JumpFormulas {
            words: arguments.iter().map(|&node| self.words(node, coordinates)).collect(),
            kinds: switches.iter().map(|switch| switch.kind).collect(),
            knots: switches.iter().map(|switch| switch.knots.clone()).collect(),
            may_turn,
            arguments: tape(&arguments),
            slopes: tape(&slopes),
            surfaces,
        })
    }

    /// Where a switch jumps; nothing where the motion cannot go along it, since it is about positions alone.
    fn surface(&mut self, argument: Node, slope: Node, n: usize) -> Option<SurfaceFormulas> {
        let mechanical = self.is_mechanical();
        let kind = if mechanical { Depends::VELOCITY } else { Depends::POSITION };
        let (places, normal): (Vec<usize>, Vec<Node>) =
            self.graph.gradient(argument, kind).into_iter().unzip();
        if places.is_empty() {
            return None;
        }
        let mut rows = vec![(0, slope)];
        if mechanical {
            let mu = self.graph.input(Input::Multiplier(0));
            let pull = |(&i, &slope): (&usize, &Node)| {
                let force = self.graph.multiply(slope, mu);
                (i, self.graph.negative(force))
            };
            rows = places.iter().zip(&normal).map(pull).collect();
        }
        let (mut bends, mut bending) = (Vec::new(), Vec::new());
        for (i, row) in rows {
            for (j, slope) in self.graph.gradient(row, Depends::POSITION) {
                bends.push((i, j));
                bending.push(slope);
            }
        }
        let tape = |nodes: &[Node]| Arc::new(Pending::new(nodes, n, 1));
        Some(SurfaceFormulas {
            argument: tape(&[argument]),
            slope: tape(&[slope]),
            is_flat: normal.iter().all(|&slope| self.graph.setting(slope).is_some()),
            normal: tape(&normal),
            bending: tape(&bending),
            places,
            bends,
        })
    }
}

/// All nodes that formulas are computed from, as far as they depend on the state, operands first.
fn reachable(graph: &Graph, roots: &[Node]) -> Vec<Node> {
    let mut seen = vec![false; graph.len()];
    let (mut open, mut found) = (roots.to_vec(), Vec::new());
    while let Some(node) = open.pop() {
        if !graph.depends(node).on(STATE) || std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        found.push(node);
        open.extend(graph.operation(node).operands());
    }
    found.sort_unstable();
    found
}

/// Whether a switch belongs to a table.
fn is_lookup(graph: &Graph, lookups: &Lookups, node: Node) -> bool {
    match graph.operation(node) {
        Operation::Where(x, _) | Operation::Unless(x, _) => lookups.conditions.contains_key(&x),
        _ => false,
    }
}

fn is_switch(graph: &Graph, node: Node) -> bool {
    match graph.operation(node) {
        Operation::Where(x, _) | Operation::Unless(x, _) if graph.is_smooth_across(x) => false,
        Operation::Unary(Unary::Abs | Unary::Sign | Unary::Floor, x)
        | Operation::Where(x, _)
        | Operation::Unless(x, _) => graph.depends(x).on(STATE),
        Operation::Binary(Binary::Min | Binary::Max, x, y) => {
            graph.depends(x).on(STATE) || graph.depends(y).on(STATE)
        }
        _ => false,
    }
}

/// Rebuilds formulas with modes in them.
struct Freezer<'g> {
    graph: &'g mut Graph,
    switches: Vec<Switch>,
    known: HashMap<(Kind, Node), usize>,
    /// what has become of nodes
    smooth: HashMap<Node, Node>,
    /// the switches of tables
    tables: HashMap<usize, usize>,
    /// the number of the first parameter that is a mode
    first: usize,
    lookups: &'g Lookups,
}

impl Freezer<'_> {
    fn at(&self, node: Node) -> Node {
        self.smooth.get(&node).copied().unwrap_or(node)
    }

    fn rebuilt(&mut self, node: Node) -> Node {
        let operation = self.graph.operation(node);
        let is_switch = is_switch(self.graph, node);
        let mut operands = operation.operands().map(|x| self.at(x));
        let (a, b) = (operands.next().unwrap_or(node), operands.next().unwrap_or(node));
        drop(operands);
        match operation {
            Operation::Input(_) | Operation::Constant(_) => node,
            Operation::Add(..) => self.graph.add(a, b),
            Operation::Subtract(..) => self.graph.subtract(a, b),
            Operation::Multiply(..) => self.graph.multiply(a, b),
            Operation::Divide(..) => self.graph.divide(a, b),
            Operation::Negative(_) => self.graph.negative(a),
            Operation::Power(_, k) => self.graph.power(a, k),
            Operation::Unary(f, _) if is_switch => self.unary(f, a),
            Operation::Binary(f, ..) if is_switch => self.smaller_or_larger(f, a, b),
            Operation::Where(x, _) if is_switch => {
                let condition = self.condition(x, a);
                self.graph.when(condition, b)
            }
            Operation::Unless(x, _) if is_switch => {
                let condition = self.condition(x, a);
                self.graph.unless(condition, b)
            }
            Operation::Unary(f, _) => self.graph.unary(f, a),
            Operation::Binary(f, ..) => self.graph.binary(f, a, b),
            Operation::Where(..) => self.graph.when(a, b),
            Operation::Unless(..) => self.graph.unless(a, b),
        }
    }

    /// The mode of a switch: whether its function is evaluated as it is, and the branch otherwise.
    fn mode(&mut self, kind: Kind, argument: Node) -> (Node, Node) {
        let number = match self.known.get(&(kind, argument)) {
            Some(&number) => number,
            None => {
                self.switches.push(Switch { kind, argument, knots: Arc::default() });
                self.known.insert((kind, argument), self.switches.len() - 1);
                self.switches.len() - 1
            }
        };
        self.parameters(number)
    }

    /// The mode of a table: whether it is looked up as it is, and how many knots are below otherwise.
    fn mode_of_table(&mut self, table: usize) -> (Node, Node) {
        let number = match self.tables.get(&table) {
            Some(&number) => number,
            None => {
                let (argument, knots) = &self.lookups.tables[table];
                let (argument, knots) = (self.at(*argument), knots.clone());
                self.switches.push(Switch { kind: Kind::Knots, argument, knots });
                self.tables.insert(table, self.switches.len() - 1);
                self.switches.len() - 1
            }
        };
        self.parameters(number)
    }

    fn parameters(&mut self, number: usize) -> (Node, Node) {
        let place = (self.first + 2 * number) as u32;
        (self.graph.input(Input::Parameter(place)), self.graph.input(Input::Parameter(place + 1)))
    }

    /// One of two values, by whether functions are evaluated as they are.
    fn either(&mut self, live: Node, evaluated: Node, branch: Node) -> Node {
        let (evaluated, branch) = (self.graph.when(live, evaluated), self.graph.unless(live, branch));
        self.graph.add(evaluated, branch)
    }

    /// A condition on the sign of x, which has become `smooth`; one of a table is that its argument is below a knot.
    fn condition(&mut self, x: Node, smooth: Node) -> Node {
        if let Some(&(table, knot)) = self.lookups.conditions.get(&x) {
            let (live, below) = self.mode_of_table(table);
            let knot = self.graph.constant(knot as f64 + 0.5);
            let branch = self.graph.subtract(knot, below);
            return self.either(live, smooth, branch);
        }
        let (live, branch) = self.mode(Kind::Sign, smooth);
        self.either(live, smooth, branch)
    }

    fn unary(&mut self, function: Unary, x: Node) -> Node {
        let evaluated = self.graph.unary(function, x);
        let kind = if function == Unary::Floor { Kind::Level } else { Kind::Sign };
        let (live, mode) = self.mode(kind, x);
        let branch = if function == Unary::Abs { self.graph.multiply(mode, x) } else { mode };
        self.either(live, evaluated, branch)
    }

    /// `min` is its first argument where the second is larger, `max` the second one.
    fn smaller_or_larger(&mut self, function: Binary, x: Node, y: Node) -> Node {
        let evaluated = self.graph.binary(function, x, y);
        let difference = self.graph.subtract(y, x);
        let (live, mode) = self.mode(Kind::Sign, difference);
        let (first, second) = if function == Binary::Min { (x, y) } else { (y, x) };
        let (first, second) = (self.graph.when(mode, first), self.graph.unless(mode, second));
        let branch = self.graph.add(first, second);
        self.either(live, evaluated, branch)
    }
}
