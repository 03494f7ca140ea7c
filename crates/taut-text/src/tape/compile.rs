//! Graph to tape: choose instructions, order them, give them registers.

use std::cell::RefCell;

use super::instruction::{Code, Instruction, Register};
use super::{Slots, Tape};
use crate::function::{Binary, Unary};
use crate::graph::{Depends, Graph, Input, Node, Operation};

/// Compiles formulas of one graph. It keeps notes on the nodes between one tape and the next.
#[derive(Debug)]
pub(crate) struct Compiler<'a> {
    graph: &'a Graph,
    n: usize,
    m: usize,
    notes: Vec<Note>,
    touched: Vec<Node>,
}

/// What is known of a node while one tape is compiled.
#[derive(Clone, Copy, Debug, Default)]
struct Note {
    /// How many other nodes use it; a result counts twice, so that it is never folded into its user.
    uses: u32,
    /// It has its place in the order.
    ordered: bool,
    /// The position of the last instruction that reads it; results are never free.
    last_read: usize,
    register: Option<Register>,
}

const RESULT: u32 = 2;
const NEVER_FREE: usize = usize::MAX;

/// The nodes that one instruction reads.
type Reads = [Option<Node>; 3];

impl<'a> Compiler<'a> {
    /// For a model of n coordinates and m constraints.
    pub(crate) fn new(graph: &'a Graph, n: usize, m: usize) -> Self {
        Compiler { graph, n, m, notes: vec![Note::default(); graph.len()], touched: Vec::new() }
    }

    /// The tape that computes `results`.
    pub(crate) fn tape(&mut self, results: &[Node]) -> Tape {
        let needed = self.count_uses(results);
        let order = self.order(results);
        for (position, &node) in order.iter().enumerate() {
            for read in self.reads(node).into_iter().flatten() {
                self.notes[read.index()].last_read = position;
            }
        }
        for result in results {
            self.notes[result.index()].last_read = NEVER_FREE;
        }
        let slots = Slots::new(needed, self.n, self.m);
        let mut registers = self.place_inputs_and_constants(slots);
        let program = self.assign(&order, &mut registers);
        let results = results.iter().map(|&x| self.register(x)).collect();
        self.forget();
        Tape { program, slots, results, registers: RefCell::new(registers) }
    }

    /// Counts how often each node is used; says what the results depend on.
    fn count_uses(&mut self, results: &[Node]) -> Depends {
        let mut needed = Depends::NOTHING;
        let mut waiting = Vec::new();
        for &result in results {
            needed = needed.or(self.graph.depends(result));
            self.use_once(result, &mut waiting);
            self.notes[result.index()].uses += RESULT;
        }
        while let Some(node) = waiting.pop() {
            for operand in self.graph.operation(node).operands() {
                self.use_once(operand, &mut waiting);
            }
        }
        needed
    }

    fn use_once(&mut self, node: Node, waiting: &mut Vec<Node>) {
        let note = &mut self.notes[node.index()];
        if note.uses == 0 {
            self.touched.push(node);
            waiting.push(node);
        }
        note.uses += 1;
    }

    /// The nodes to compute, operands first; depth first, which keeps lives of temporaries short.
    fn order(&mut self, results: &[Node]) -> Vec<Node> {
        let mut order = Vec::new();
        let mut waiting: Vec<(Node, bool)> = results.iter().rev().map(|&x| (x, false)).collect();
        while let Some((node, operands_done)) = waiting.pop() {
            if self.notes[node.index()].ordered || self.is_given(node) {
                continue;
            }
            if operands_done {
                self.notes[node.index()].ordered = true;
                if let Some((_, partner)) = self.sine_and_cosine(node) {
                    self.notes[partner.index()].ordered = true;
                }
                order.push(node);
            } else {
                waiting.push((node, true));
                waiting.extend(self.reads(node).into_iter().flatten().rev().map(|x| (x, false)));
            }
        }
        order
    }

    /// Inputs and constants need no instruction.
    fn is_given(&self, node: Node) -> bool {
        matches!(self.graph.operation(node), Operation::Input(_) | Operation::Constant(_))
    }

    /// The nodes that the instruction for a node reads.
    fn reads(&self, node: Node) -> Reads {
        match self.fused(node) {
            Some((_, a, b, c)) => [Some(a), Some(b), Some(c)],
            None => {
                let mut operands = self.graph.operation(node).operands();
                [operands.next(), operands.next(), None]
            }
        }
    }

    /// A sum or difference with a product that nothing else uses: one instruction for both.
    #[allow(clippy::type_complexity)]
    fn fused(&self, node: Node) -> Option<(fn(Register, Register, Register) -> Code, Node, Node, Node)> {
        match self.graph.operation(node) {
            Operation::Add(x, y) => {
                let (product, rest) = if self.is_private_product(y) { (y, x) } else { (x, y) };
                self.factors(product).map(|(a, b)| (Code::MultiplyAdd as fn(_, _, _) -> _, a, b, rest))
            }
            Operation::Subtract(x, y) => match self.factors(y) {
                Some((a, b)) => Some((Code::SubtractProduct, a, b, x)),
                None => self.factors(x).map(|(a, b)| (Code::MultiplySubtract as fn(_, _, _) -> _, a, b, y)),
            },
            _ => None,
        }
    }

    fn is_private_product(&self, node: Node) -> bool {
        self.factors(node).is_some()
    }

    fn factors(&self, node: Node) -> Option<(Node, Node)> {
        match self.graph.operation(node) {
            Operation::Multiply(a, b) if self.notes[node.index()].uses == 1 => Some((a, b)),
            _ => None,
        }
    }

    /// Sine and cosine of one argument, when both are needed: computed together.
    fn sine_and_cosine(&self, node: Node) -> Option<(Unary, Node)> {
        let Operation::Unary(function, x) = self.graph.operation(node) else { return None };
        let other = match function {
            Unary::Sin => Unary::Cos,
            Unary::Cos => Unary::Sin,
            _ => return None,
        };
        let partner = self.graph.find(Operation::Unary(other, x))?;
        (self.notes.get(partner.index())?.uses > 0).then_some((function, partner))
    }

    /// The file of registers with the constants in it.
    fn place_inputs_and_constants(&mut self, slots: Slots) -> Vec<f64> {
        let mut registers = vec![0.0; slots.end];
        for &node in &self.touched {
            let register = match self.graph.operation(node) {
                Operation::Input(input) => match input {
                    Input::Time => 0,
                    Input::Position(i) => slots.position + i as usize,
                    Input::Velocity(i) => slots.velocity + i as usize,
                    Input::Acceleration(i) => slots.acceleration + i as usize,
                    Input::Multiplier(k) => slots.multiplier + k as usize,
                },
                Operation::Constant(bits) => {
                    registers.push(f64::from_bits(bits));
                    registers.len() - 1
                }
                _ => continue,
            };
            self.notes[node.index()].register = Some(register as Register);
        }
        registers
    }

    /// Gives every instruction its registers. A register is free again after the last instruction that reads it.
    fn assign(&mut self, order: &[Node], registers: &mut Vec<f64>) -> Vec<Instruction> {
        let mut free = Vec::new();
        let mut program = Vec::with_capacity(order.len());
        for (position, &node) in order.iter().enumerate() {
            let reads = self.reads(node);
            let operands = reads.map(|x| x.map_or(0, |x| self.register(x)));
            for (k, &read) in reads.iter().enumerate() {
                let Some(read) = read.filter(|read| !reads[..k].contains(&Some(*read))) else { continue };
                if self.notes[read.index()].last_read == position && !self.is_given(read) {
                    free.push(self.register(read));
                }
            }
            let mut new_register = || {
                free.pop().unwrap_or_else(|| {
                    registers.push(0.0);
                    (registers.len() - 1) as Register
                })
            };
            let to = new_register();
            self.notes[node.index()].register = Some(to);
            if let Some((function, partner)) = self.sine_and_cosine(node) {
                let other = new_register();
                self.notes[partner.index()].register = Some(other);
                let (sine, cosine) = if function == Unary::Sin { (to, other) } else { (other, to) };
                program.push(Instruction { to: sine, code: Code::SineCosine(operands[0], cosine) });
            } else {
                program.push(Instruction { to, code: self.code(node, operands) });
            }
        }
        program
    }

    fn register(&self, node: Node) -> Register {
        self.notes[node.index()].register.unwrap_or(0)
    }

    fn code(&self, node: Node, [a, b, c]: [Register; 3]) -> Code {
        if let Some((code, ..)) = self.fused(node) {
            return code(a, b, c);
        }
        match self.graph.operation(node) {
            Operation::Constant(_) | Operation::Input(_) => Code::Add(a, b),
            Operation::Add(..) => Code::Add(a, b),
            Operation::Subtract(..) => Code::Subtract(a, b),
            Operation::Multiply(..) => Code::Multiply(a, b),
            Operation::Divide(..) => Code::Divide(a, b),
            Operation::Negative(_) => Code::Negative(a),
            Operation::Power(_, 2) => Code::Square(a),
            Operation::Power(_, k) => Code::Power(a, k),
            Operation::Unary(Unary::Sqrt, _) => Code::SquareRoot(a),
            Operation::Unary(function, _) => Code::Unary(function, a),
            Operation::Binary(Binary::Hypot, ..) => Code::Hypot(a, b),
            Operation::Binary(function, ..) => Code::Binary(function, a, b),
            Operation::Where(..) => Code::Where(a, b),
            Operation::Unless(..) => Code::Unless(a, b),
        }
    }

    /// Makes the notes ready for the next tape.
    fn forget(&mut self) {
        for node in self.touched.drain(..) {
            self.notes[node.index()] = Note::default();
        }
    }
}
