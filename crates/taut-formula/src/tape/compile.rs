//! Graph to tape: choose instructions, order them, give them registers.

use std::num::NonZeroU32;

use super::instruction::{Instruction, Kind, Program, Register, Units};
use super::runs::in_runs;
use super::{Slots, Tape};
use crate::function::Unary;
use crate::graph::{Depends, Graph, Input, Node, Operation};
use crate::settings::Setting;

/// Compiles formulas of one graph. It keeps notes on the nodes between one tape and the next.
#[derive(Debug)]
pub struct Compiler<'a> {
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
    /// It has its instruction, or shares one, or needs none.
    is_covered: bool,
    /// The number of the step that computes it, from 1 on.
    step: Option<NonZeroU32>,
    /// How many instructions still have to read it.
    readers: u32,
    register: Option<Register>,
}

const RESULT: u32 = 2;

/// One instruction to be: the node it computes, and those it reads.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: Node,
    kind: Kind,
    reads: [Option<Node>; 4],
    /// the node of the cosine that is computed beside the sine
    cosine: Option<Node>,
    /// the kind of the run it stands in
    run: Kind,
}

/// The kind of an instruction that takes in products, what it reads, and the products.
type Joined = (Kind, [Option<Node>; 4], [Option<Node>; 2]);

impl<'a> Compiler<'a> {
    /// For a model of n coordinates and m constraints.
    pub fn new(graph: &'a Graph, n: usize, m: usize) -> Self {
        Compiler { graph, n, m, notes: vec![Note::default(); graph.len()], touched: Vec::new() }
    }

    /// The tape that computes `results`.
    pub fn tape(&mut self, results: &[Node]) -> Tape {
        let needed = self.count_uses(results);
        let steps = self.steps();
        let schedule = self.schedule(&steps);
        for step in &steps {
            for read in step.reads.into_iter().flatten() {
                self.notes[read.index()].readers += 1;
            }
        }
        let slots = Slots::new(needed, self.n, self.m);
        let mut registers = vec![0.0; slots.end];
        let mut fixed = Vec::new();
        let copies = self.place_results(results, &mut registers, &mut fixed);
        self.place_inputs_and_constants(slots, &mut registers, &mut fixed);
        let instructions = self.assign(&schedule, &mut registers);
        let program = Program::new(&instructions, registers.len());
        let copies = copies.into_iter().map(|(to, from)| (to, self.register(from))).collect();
        self.forget();
        let results = slots.end..slots.end + results.len();
        Tape { program, slots, results, copies, registers, fixed }
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
            // What is known once the parameters are is not computed again.
            if self.graph.depends(node) == Depends::PARAMETER {
                continue;
            }
            for operand in self.graph.operation(node).operands() {
                self.use_once(operand, &mut waiting);
            }
        }
        self.touched.sort_unstable();
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

    /// The instructions, operands first. Users are looked at before what they use, since they may take it in.
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for k in (0..self.touched.len()).rev() {
            let node = self.touched[k];
            if !self.notes[node.index()].is_covered
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
                self.notes[product.index()].is_covered = true;
            }
            return Some(Step { node, kind, reads, cosine: None, run: kind });
        }
        if let Some((sine, cosine)) = self.sine_and_cosine(operation) {
            self.notes[sine.index()].is_covered = true;
            self.notes[cosine.index()].is_covered = true;
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
        match self.graph.operation(node) {
            _ if self.graph.depends(node) == Depends::PARAMETER => None,
            Operation::Multiply(a, b) if self.notes[node.index()].uses == 1 => Some((a, b)),
            Operation::Power(a, 2) if self.notes[node.index()].uses == 1 => Some((a, a)),
            _ => None,
        }
    }

    /// Sine and cosine of one argument, when both are needed: they are computed together.
    fn sine_and_cosine(&self, operation: Operation) -> Option<(Node, Node)> {
        let Operation::Unary(Unary::Sin | Unary::Cos, x) = operation else { return None };
        let needed = |function| {
            let node = self.graph.find(Operation::Unary(function, x))?;
            (self.notes[node.index()].uses > 0).then_some(node)
        };
        Some((needed(Unary::Sin)?, needed(Unary::Cos)?))
    }

    /// The instructions in an order with long runs, each after those it needs.
    fn schedule(&mut self, steps: &[Step]) -> Vec<Step> {
        for (k, step) in steps.iter().enumerate() {
            for made in [Some(step.node), step.cosine].into_iter().flatten() {
                self.notes[made.index()].step = NonZeroU32::new(k as u32 + 1);
            }
        }
        let made = |read: Node| self.notes[read.index()].step.map(|step| step.get() - 1);
        let needs = steps.iter().map(|step| step.reads.map(|read| read.and_then(made)));
        let kinds = steps.iter().map(|step| step.kind);
        let order = in_runs(&kinds.collect::<Vec<_>>(), &needs.collect::<Vec<_>>());
        order.into_iter().map(|(k, kind)| Step { run: kind, ..steps[k] }).collect()
    }

    /// Gives the results their registers, one after the other. Constants are there for good; what is an input, or a
    /// result already, is to be copied.
    fn place_results(
        &mut self,
        results: &[Node],
        registers: &mut Vec<f64>,
        fixed: &mut Vec<(Register, Setting)>,
    ) -> Vec<(Register, Node)> {
        let mut copies = Vec::new();
        for &result in results {
            let register = registers.len() as Register;
            let note = &mut self.notes[result.index()];
            match self.graph.operation(result) {
                Operation::Constant(bits) => registers.push(f64::from_bits(bits)),
                _ if self.graph.depends(result) == Depends::PARAMETER => {
                    registers.push(0.0);
                    fixed.extend(self.graph.setting(result).map(|setting| (register, setting)));
                }
                operation => {
                    registers.push(0.0);
                    if matches!(operation, Operation::Input(_)) || note.register.is_some() {
                        copies.push((register, result));
                    } else {
                        note.register = Some(register);
                        note.readers += 1;
                    }
                }
            }
        }
        copies
    }

    fn place_inputs_and_constants(
        &mut self,
        slots: Slots,
        registers: &mut Vec<f64>,
        fixed: &mut Vec<(Register, Setting)>,
    ) {
        for &node in &self.touched {
            let register = match self.graph.operation(node) {
                _ if self.graph.depends(node) == Depends::PARAMETER => {
                    let register = registers.len();
                    registers.push(0.0);
                    fixed.extend(self.graph.setting(node).map(|setting| (register as Register, setting)));
                    register
                }
                Operation::Input(input) => match input {
                    Input::Time => 0,
                    Input::Position(i) => slots.position + i as usize,
                    Input::Velocity(i) => slots.velocity + i as usize,
                    Input::Acceleration(i) => slots.acceleration + i as usize,
                    Input::Multiplier(k) => slots.multiplier + k as usize,
                    Input::Parameter(_) => continue,
                },
                Operation::Constant(bits) => {
                    registers.push(f64::from_bits(bits));
                    registers.len() - 1
                }
                _ => continue,
            };
            let note = &mut self.notes[node.index()];
            note.register = Some(register as Register);
            // Never free: the next evaluation needs it again.
            note.readers += 1;
        }
    }

    /// Gives every instruction its registers. A register is free again after the last instruction that reads it.
    fn assign(&mut self, steps: &[Step], registers: &mut Vec<f64>) -> Vec<(Kind, Instruction)> {
        let mut free = Vec::new();
        let mixed = steps.iter().any(|step| step.run != step.kind);
        let units = if mixed { units(registers) } else { Units::default() };
        let mut instructions = Vec::with_capacity(steps.len());
        for step in steps {
            let mut operands = step.reads.map(|x| x.map_or(0, |x| self.register(x)));
            for read in step.reads.into_iter().flatten() {
                let note = &mut self.notes[read.index()];
                note.readers -= 1;
                if note.readers == 0 {
                    free.extend(note.register);
                }
            }
            let mut new_register = || {
                free.pop().unwrap_or_else(|| {
                    registers.push(0.0);
                    (registers.len() - 1) as Register
                })
            };
            // Results have their place already.
            let mut place = |note: &mut Note| *note.register.get_or_insert_with(&mut new_register);
            let to = place(&mut self.notes[step.node.index()]);
            if let Some(cosine) = step.cosine {
                operands[1] = place(&mut self.notes[cosine.index()]);
            }
            if step.run == Kind::Products {
                operands = step.kind.as_products(operands, units);
            }
            instructions.push((step.run, Instruction { to, operands }));
        }
        instructions
    }

    fn register(&self, node: Node) -> Register {
        self.notes[node.index()].register.unwrap_or(0)
    }

    /// Makes the notes ready for the next tape.
    fn forget(&mut self) {
        for node in self.touched.drain(..) {
            self.notes[node.index()] = Note::default();
        }
    }
}

/// Registers for the numbers that [`Kind::as_products`] needs.
fn units(registers: &mut Vec<f64>) -> Units {
    let zero = registers.len() as Register;
    registers.extend([0.0, 1.0, -1.0]);
    Units { zero, one: zero + 1, minus_one: zero + 2 }
}
