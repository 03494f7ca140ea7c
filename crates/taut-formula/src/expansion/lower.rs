//! From a graph to sums and nonlinear operations.
//!
//! Sums are taken together with the constant factors in them, and constant factors are pulled out of products, so that
//! formulas share convolutions: (c + 2 cos(q)) a and 3 cos(q) a have the one of cos(q) a.

use std::collections::{HashMap, HashSet};

use super::choice::Choice;
use super::convolution::LANES;
use super::operation::Operation;
use super::recursion::{Level, Roots};
use crate::graph::{Depends, Graph, Input, Node, Operation as Formula};
use crate::settings::Setting;

/// A formula as a sum of formulas of their own; factors and the constant are known once the parameters are.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    terms: Vec<(Node, u32)>,
    constant: Node,
}

impl Sum {
    pub(super) fn of(slot: u32) -> Self {
        Sum { terms: vec![(Graph::ONE, slot)], constant: Graph::ZERO }
    }

    /// The one formula it consists of.
    fn slot(&self) -> Option<u32> {
        match self.terms[..] {
            [(Graph::ONE, slot)] if self.constant == Graph::ZERO => Some(slot),
            _ => None,
        }
    }
}

/// What is known while formulas are taken apart.
pub(super) struct Lowering<'a> {
    pub(super) graph: &'a mut Graph,
    pub(super) sums: HashMap<Node, Sum>,
    uses: HashMap<Node, u32>,
    pub(super) operations: Vec<Operation>,
    /// factor and formula of each term of a sum
    pub(super) terms: Vec<(u32, u32)>,
    /// of each formula
    pub(super) levels: Vec<Level>,
    pub(super) inner: usize,
    pub(super) kept: usize,
    /// the first places of t, q, v, a, λ
    pub(super) inputs: [u32; 5],
    pub(super) constants: Vec<Node>,
    places_of_constants: HashMap<Node, u32>,
    products: HashMap<(u32, u32), u32>,
    /// numerators, by denominator and quotient
    pub(super) numerators: HashMap<(u32, u32), u32>,
    pub(super) sines: HashMap<u32, (u32, u32)>,
    /// operations whose slopes are still to be taken apart
    pub(super) open: Vec<(usize, [Option<Node>; 2])>,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(graph: &'a mut Graph, roots: &Roots<'_>) -> Self {
        let (n, m) = (roots.n, roots.m);
        let sizes = [1, n, n, n, m];
        let kinds =
            [Level::Position, Level::Position, Level::Velocity, Level::Acceleration, Level::Acceleration];
        let (mut inputs, mut levels) = ([0; 5], Vec::new());
        for ((input, size), level) in inputs.iter_mut().zip(sizes).zip(kinds) {
            *input = levels.len() as u32;
            levels.resize(levels.len() + size, level);
        }
        // Unknowns are set in blocks, which may go beyond the last one.
        levels.resize(levels.len() + LANES - 1, Level::Acceleration);
        Lowering {
            graph,
            sums: HashMap::new(),
            uses: HashMap::new(),
            operations: Vec::new(),
            terms: Vec::new(),
            levels,
            inner: 0,
            kept: 0,
            inputs,
            constants: Vec::new(),
            places_of_constants: HashMap::new(),
            products: HashMap::new(),
            numerators: HashMap::new(),
            sines: HashMap::new(),
            open: Vec::new(),
        }
    }

    /// The places of all roots.
    pub(super) fn roots(&mut self, roots: &Roots<'_>) -> Vec<u32> {
        let all: Vec<Node> = roots.followed.iter().chain(roots.values).copied().collect();
        self.take_apart(&all);
        let places = all.iter().map(|&root| self.slot(root)).collect();
        while let Some((number, slopes)) = self.open.pop() {
            let places = slopes.map(|slope| {
                slope.map_or(0, |slope| {
                    self.take_apart(&[slope]);
                    self.slot(slope)
                })
            });
            match &mut self.operations[number] {
                Operation::Chain { slope, .. } => *slope = places[0],
                Operation::Pair { slopes, .. } => *slopes = (places[0], places[1]),
                _ => {}
            }
        }
        places
    }

    /// Where t, q, v, a and λ begin, and where they end.
    pub(super) fn input_ranges(&self, roots: &Roots<'_>) -> [u32; 6] {
        let [time, positions, velocities, accelerations, multipliers] = self.inputs;
        [time, positions, velocities, accelerations, multipliers, multipliers + roots.m as u32]
    }

    /// Where the constants are found once the parameters are set.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let setting = |&node: &Node| self.graph.setting(node).unwrap_or(Setting::Constant(f64::NAN));
        self.constants.iter().map(setting).collect()
    }

    /// Takes all formulas apart that some are computed from, operands first.
    pub(super) fn take_apart(&mut self, roots: &[Node]) {
        let mut found = HashSet::new();
        let mut waiting = roots.to_vec();
        for root in roots {
            *self.uses.entry(*root).or_default() += 1;
        }
        while let Some(node) = waiting.pop() {
            if self.sums.contains_key(&node) || !found.insert(node) {
                continue;
            }
            if !self.is_fixed(node) {
                for operand in self.graph.operation(node).operands() {
                    *self.uses.entry(operand).or_default() += 1;
                    waiting.push(operand);
                }
            }
        }
        let mut found: Vec<Node> = found.into_iter().collect();
        found.sort_unstable();
        for node in found {
            let sum = self.sum_of(node);
            let is_shared = self.uses.get(&node).is_some_and(|&uses| uses > 1) && sum.terms.len() > 1;
            self.sums.insert(node, sum);
            if is_shared {
                self.slot(node);
            }
        }
    }

    pub(super) fn is_fixed(&self, node: Node) -> bool {
        self.graph.depends(node).beyond(Depends::PARAMETER) == Depends::NOTHING
    }

    /// A formula whose operands were taken apart.
    pub(super) fn known(&self, node: Node) -> Sum {
        self.sums.get(&node).cloned().unwrap_or(Sum { terms: Vec::new(), constant: node })
    }

    /// The place of a formula, which becomes one of its own where it is a sum.
    pub(super) fn slot(&mut self, node: Node) -> u32 {
        let sum = self.known(node);
        let slot = self.slot_of(&sum);
        self.sums.insert(node, Sum::of(slot));
        slot
    }

    fn slot_of(&mut self, sum: &Sum) -> u32 {
        if let Some(slot) = sum.slot() {
            return slot;
        }
        let from = self.terms.len() as u32;
        let mut level = Level::Position;
        for &(factor, slot) in &sum.terms {
            level = level.max(self.levels[slot as usize]);
            let factor = self.constant(factor);
            self.terms.push((factor, slot));
        }
        let constant = self.constant(sum.constant);
        let out = self.new_slot(level);
        self.operations.push(Operation::Sum { out, terms: (from, self.terms.len() as u32), constant });
        out
    }

    /// The place of what is known once the parameters are.
    pub(super) fn constant(&mut self, node: Node) -> u32 {
        let constants = &mut self.constants;
        *self.places_of_constants.entry(node).or_insert_with(|| {
            constants.push(node);
            constants.len() as u32 - 1
        })
    }

    pub(super) fn new_slot(&mut self, level: Level) -> u32 {
        self.levels.push(level);
        self.levels.len() as u32 - 1
    }

    /// The sum of two formulas with factors.
    fn add(&mut self, a: Sum, factor: Node, b: &Sum) -> Sum {
        let mut sum = a;
        for &(c, slot) in &b.terms {
            let c = self.graph.multiply(factor, c);
            match sum.terms.iter_mut().find(|term| term.1 == slot) {
                Some(term) => term.0 = self.graph.add(term.0, c),
                None => sum.terms.push((c, slot)),
            }
        }
        let constant = self.graph.multiply(factor, b.constant);
        sum.constant = self.graph.add(sum.constant, constant);
        sum.terms.retain(|term| term.0 != Graph::ZERO);
        sum
    }

    fn scale(&mut self, factor: Node, sum: &Sum) -> Sum {
        self.add(Sum { terms: Vec::new(), constant: Graph::ZERO }, factor, sum)
    }

    fn sum_of(&mut self, node: Node) -> Sum {
        if self.is_fixed(node) {
            return Sum { terms: Vec::new(), constant: node };
        }
        match self.graph.operation(node) {
            Formula::Constant(_) => Sum { terms: Vec::new(), constant: node },
            Formula::Input(input) => self.input(input),
            Formula::Add(a, b) => self.add(self.known(a), Graph::ONE, &self.known(b)),
            Formula::Subtract(a, b) => self.add(self.known(a), Graph::MINUS_ONE, &self.known(b)),
            Formula::Negative(a) => self.scale(Graph::MINUS_ONE, &self.known(a)),
            Formula::Multiply(a, b) if self.is_fixed(a) => self.scale(a, &self.known(b)),
            Formula::Multiply(a, b) if self.is_fixed(b) => self.scale(b, &self.known(a)),
            Formula::Multiply(a, b) => self.product(a, b),
            Formula::Divide(a, b) if self.is_fixed(b) => {
                let factor = self.graph.divide(Graph::ONE, b);
                self.scale(factor, &self.known(a))
            }
            Formula::Divide(a, b) => self.quotient(a, b),
            Formula::Power(a, k) => self.whole_power(a, k),
            Formula::Unary(function, a) => self.unary(function, a, node),
            Formula::Binary(function, a, b) => self.binary(function, a, b, node),
            Formula::Where(c, a) => Sum::of(self.choice(Choice::Where, c, a, a)),
            Formula::Unless(c, a) => Sum::of(self.choice(Choice::Unless, c, a, a)),
        }
    }

    fn input(&self, input: Input) -> Sum {
        let [time, positions, velocities, accelerations, multipliers] = self.inputs;
        Sum::of(match input {
            Input::Time => time,
            Input::Position(i) => positions + i,
            Input::Velocity(i) => velocities + i,
            Input::Acceleration(i) => accelerations + i,
            Input::Multiplier(i) => multipliers + i,
            // Fixed, and met before.
            Input::Parameter(_) => time,
        })
    }

    /// A factor of a product: what is added, and a formula with a factor before it.
    fn factor(&mut self, node: Node) -> (Node, Node, u32) {
        match self.known(node) {
            Sum { terms, constant } if terms.len() == 1 => (constant, terms[0].0, terms[0].1),
            _ => (Graph::ZERO, Graph::ONE, self.slot(node)),
        }
    }

    /// (c + d x)(e + f y) = c e + c f y + d e x + d f x y
    fn product(&mut self, a: Node, b: Node) -> Sum {
        let ((c, d, x), (e, f, y)) = (self.factor(a), self.factor(b));
        let xy = Sum::of(self.product_of(x, y));
        let [ce, cf, de, df] = [(c, e), (c, f), (d, e), (d, f)].map(|(a, b)| self.graph.multiply(a, b));
        let sum = Sum { terms: Vec::new(), constant: ce };
        let sum = self.add(sum, cf, &Sum::of(y));
        let sum = self.add(sum, de, &Sum::of(x));
        self.add(sum, df, &xy)
    }

    /// x y, which may have been asked for before; x (a/x) is a.
    pub(super) fn product_of(&mut self, x: u32, y: u32) -> u32 {
        let numerator = self.numerators.get(&(x, y)).or_else(|| self.numerators.get(&(y, x)));
        if let Some(&numerator) = numerator {
            return numerator;
        }
        let key = (x.min(y), x.max(y));
        if let Some(&slot) = self.products.get(&key) {
            return slot;
        }
        let out = self.new_slot(self.level_of(x, y));
        let (a, b) = key;
        let inner = self.inner_sums(1);
        self.operations.push(match a == b {
            true => Operation::Square { out, a, inner },
            false => Operation::Product { out, a, b, inner },
        });
        self.products.insert(key, out);
        out
    }

    pub(super) fn level_of(&self, x: u32, y: u32) -> Level {
        self.levels[x as usize].max(self.levels[y as usize])
    }

    pub(super) fn inner_sums(&mut self, count: usize) -> u32 {
        self.inner += count;
        (self.inner - count) as u32
    }

    pub(super) fn kept(&mut self, count: usize) -> u32 {
        self.kept += count;
        (self.kept - count) as u32
    }
}
