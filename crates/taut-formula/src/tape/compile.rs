//! Graph to tape: choose instructions, order them, give them registers.

use super::columns::TOGETHER;
use super::direct::{Direct, Told};
use super::file::MIDDLE;
use super::instruction::{Instruction, Kind, Program, Register, Units};
use super::repeated::Repeated;
use super::runs::{LONG, in_runs};
use super::shapes::Group;
use super::steps::Step;
use super::{Level, Slots, Tape};
use crate::graph::{Depends, Graph, Input, Node, Operation};
use crate::settings::Setting;

/// Compiles formulas of one graph. It keeps notes on the nodes of one tape.
#[derive(Debug)]
pub struct Compiler<'a> {
    pub(super) graph: &'a Graph,
    n: usize,
    m: usize,
    /// Repeated parts are looked for where there are so many operations, and taken however far apart from each other they read and
    /// write where there are so many.
    pub(super) fewest_operations: [usize; 2],
    /// see [`in_runs`]
    long: usize,
    /// Where the notes on a node are, from 1 on; 0 for those that the tape does not need. Zeros of a large list cost nothing until
    /// they are looked at.
    places: Vec<u32>,
    notes: Vec<Note>,
    /// the nodes that the tape needs, operands first
    pub(super) touched: Vec<Node>,
}

/// What is known of a node while one tape is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Note {
    /// How many other nodes use it; a result counts twice, so that it is never folded into its user.
    pub(super) uses: u32,
    pub(super) is_result: bool,
    /// It has its instruction, or shares one, or needs none.
    pub(super) is_covered: bool,
    /// It is computed by a tape that runs over many places.
    pub(super) is_repeated: bool,
    /// When it is computed: after all that is repeated, on this level and before, and all else of the levels before.
    pub(super) level: u32,
    /// The number of the step that computes it, on its level.
    step: Option<u32>,
    /// How many instructions still have to read it.
    readers: u32,
    register: Option<Register>,
}

const RESULT: u32 = 2;

/// With fewer operations every one of them has an instruction. Up to the second number they have so unless what is read and written at
/// the places lies evenly apart, as in a chain: from anywhere it costs more than the instructions as long as all registers
/// have short numbers. (20 waters, 1710 pairs: 1.2 million instructions for forces over places, 0.4 million otherwise.)
const FEWEST_OPERATIONS: [usize; 2] = [1 << 9, MIDDLE];

impl<'a> Compiler<'a> {
    /// For a model of n coordinates and m constraints.
    pub fn new(graph: &'a Graph, n: usize, m: usize) -> Self {
        let places = vec![0; graph.len()];
        let (notes, touched) = (Vec::new(), Vec::new());
        // Of fewer coordinates no part can be repeated so often that it lies evenly apart.
        let even = if n < TOGETHER { MIDDLE } else { FEWEST_OPERATIONS[0] };
        let fewest_operations = [even, FEWEST_OPERATIONS[1]];
        Compiler { graph, n, m, fewest_operations, long: LONG, places, notes, touched }
    }

    /// Every operation has an instruction of its own, however often parts of the formulas are repeated.
    pub fn one_by_one(self) -> Self {
        Compiler { fewest_operations: [usize::MAX; 2], ..self }
    }

    /// Repeated parts run over their places however few operations there are.
    pub fn over_places(self) -> Self {
        Compiler { fewest_operations: [0; 2], ..self }
    }

    /// For many places, at which an instruction is looked at once: to begin a run costs nothing.
    pub(super) fn for_places(self) -> Self {
        Compiler { long: 0, ..self.one_by_one() }
    }

    /// The tape that computes `results`.
    pub fn tape(&mut self, results: &[Node]) -> Tape {
        let (operations, tape) = self.tape_with(results, true);
        if operations >= self.fewest_operations[1] || tape.is_even() {
            return tape;
        }
        self.tape_with(results, false).1
    }

    /// The number of operations, and a tape with what is repeated or without.
    fn tape_with(&mut self, results: &[Node], repeated: bool) -> (usize, Tape) {
        let needed = self.count_uses(results);
        let operations = self.touched.len();
        let groups = if repeated { self.groups() } else { Vec::new() };
        let steps = self.steps();
        for step in &steps {
            for read in step.reads.into_iter().flatten() {
                self.note_mut(read).readers += 1;
            }
        }
        let slots = Slots::new(needed, self.n, self.m);
        let mut registers = vec![0.0; slots.end];
        let mut fixed = Vec::new();
        let copies = self.place_results(results, &mut registers, &mut fixed);
        self.place_inputs_and_constants(slots, &mut registers, &mut fixed);
        self.place_repeated(&groups, &mut registers);
        let schedule = self.schedule(&steps);
        let instructions = self.assign(&schedule, &mut registers);
        let copies: Vec<_> = copies.into_iter().map(|(to, from)| (to, self.register(from))).collect();
        let mut levels = self.levels(groups, &instructions, registers.len());
        self.forget();
        let results = slots.end..slots.end + results.len();
        let direct = Direct::new(Told {
            levels: &mut levels,
            instructions: &instructions,
            copies: &copies,
            slots,
            results: results.clone(),
            registers: registers.len(),
        });
        (operations, Tape { levels, slots, results, copies, registers, fixed, direct })
    }

    /// Counts how often each node is used; says what the results depend on.
    fn count_uses(&mut self, results: &[Node]) -> Depends {
        let mut needed = Depends::NOTHING;
        let mut waiting = Vec::new();
        for &result in results {
            needed = needed.or(self.graph.depends(result));
            self.use_once(result, &mut waiting);
            let note = self.note_mut(result);
            note.uses += RESULT;
            note.is_result = true;
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
        self.notes = self.touched.iter().map(|&node| *self.note(node)).collect();
        for (place, node) in (1..).zip(&self.touched) {
            self.places[node.index()] = place;
        }
        needed
    }

    fn use_once(&mut self, node: Node, waiting: &mut Vec<Node>) {
        if !self.is_needed(node) {
            self.touched.push(node);
            self.notes.push(Note::default());
            self.places[node.index()] = self.notes.len() as u32;
            waiting.push(node);
        }
        self.note_mut(node).uses += 1;
    }

    /// Whether the tape needs a node.
    pub(super) fn is_needed(&self, node: Node) -> bool {
        self.places[node.index()] > 0
    }

    /// The place of a node among those that the tape needs.
    pub(super) fn place(&self, node: Node) -> usize {
        self.places[node.index()] as usize - 1
    }

    pub(super) fn note(&self, node: Node) -> &Note {
        &self.notes[self.place(node)]
    }

    pub(super) fn note_mut(&mut self, node: Node) -> &mut Note {
        let place = self.place(node);
        &mut self.notes[place]
    }

    /// Whether a node is computed, neither given nor known once the parameters are.
    pub(super) fn is_computed(&self, node: Node) -> bool {
        !matches!(self.graph.operation(node), Operation::Constant(_) | Operation::Input(_))
            && self.graph.depends(node) != Depends::PARAMETER
    }

    /// The instructions of each level in an order with long runs, each after those it needs.
    fn schedule(&mut self, steps: &[Step]) -> Vec<Vec<Step>> {
        let mut levels: Vec<Vec<Step>> = Vec::new();
        for step in steps {
            let level = self.note(step.node).level as usize;
            if levels.len() <= level {
                levels.resize(level + 1, Vec::new());
            }
            let number = Some(levels[level].len() as u32);
            levels[level].push(*step);
            for made in [Some(step.node), step.cosine].into_iter().flatten() {
                self.note_mut(made).step = number;
            }
        }
        for (level, steps) in levels.iter_mut().enumerate() {
            let made = |read: Node| self.note(read).step.filter(|_| self.note(read).level as usize == level);
            let needs = steps.iter().map(|step| step.reads.map(|read| read.and_then(made)));
            let kinds = steps.iter().map(|step| step.kind);
            let order = in_runs(&kinds.collect::<Vec<_>>(), &needs.collect::<Vec<_>>(), self.long);
            *steps = order.into_iter().map(|(k, kind)| Step { run: kind, ..steps[k] }).collect();
        }
        levels
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
            match self.graph.operation(result) {
                Operation::Constant(bits) => {
                    registers.push(f64::from_bits(bits));
                    continue;
                }
                _ if self.graph.depends(result) == Depends::PARAMETER => {
                    fixed.extend(self.graph.setting(result).map(|setting| (register, setting)));
                }
                Operation::Input(_) => copies.push((register, result)),
                _ => {
                    let note = self.note_mut(result);
                    match note.register {
                        Some(_) => copies.push((register, result)),
                        None => {
                            note.register = Some(register);
                            note.readers += 1;
                        }
                    }
                }
            }
            registers.push(0.0);
        }
        copies
    }

    fn place_inputs_and_constants(
        &mut self,
        slots: Slots,
        registers: &mut Vec<f64>,
        fixed: &mut Vec<(Register, Setting)>,
    ) {
        for (&node, note) in self.touched.iter().zip(&mut self.notes) {
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
            note.register = Some(register as Register);
            // Never free: the next evaluation needs it again.
            note.readers += 1;
        }
    }

    /// Gives what is computed at many places its registers, place by place, and keeps what is read there.
    fn place_repeated(&mut self, groups: &[Group], registers: &mut Vec<f64>) {
        for group in groups {
            for &read in &group.leaves {
                self.note_mut(read).readers += 1;
            }
            for k in 0..group.shape.outputs {
                for &made in group.outputs.iter().skip(k).step_by(group.shape.outputs) {
                    let note = self.note_mut(made);
                    if note.register.is_none() {
                        note.register = Some(registers.len() as Register);
                        registers.push(0.0);
                    }
                    note.readers += 1;
                }
            }
        }
    }

    /// Gives every instruction its registers. A register is free again after the last instruction that reads it.
    fn assign(&mut self, levels: &[Vec<Step>], registers: &mut Vec<f64>) -> Vec<Vec<(Kind, Instruction)>> {
        let mut free = Vec::new();
        let mixed = levels.iter().flatten().any(|step| step.run != step.kind);
        let units = if mixed { units(registers) } else { Units::default() };
        let mut instructions: Vec<Vec<(Kind, Instruction)>> = Vec::with_capacity(levels.len());
        for steps in levels {
            let steps = steps.iter().map(|step| self.instruction(step, units, registers, &mut free));
            instructions.push(steps.collect());
        }
        instructions
    }

    fn instruction(
        &mut self,
        step: &Step,
        units: Units,
        registers: &mut Vec<f64>,
        free: &mut Vec<Register>,
    ) -> (Kind, Instruction) {
        let mut operands = step.reads.map(|x| x.map_or(0, |x| self.register(x)));
        for read in step.reads.into_iter().flatten() {
            let note = self.note_mut(read);
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
        let to = place(self.note_mut(step.node));
        if let Some(cosine) = step.cosine {
            operands[1] = place(self.note_mut(cosine));
        }
        if step.run == Kind::Products {
            operands = step.kind.as_products(operands, units);
        }
        (step.run, Instruction { to, operands })
    }

    /// Programs and what is repeated, in the order in which they run.
    fn levels(
        &self,
        groups: Vec<Group>,
        instructions: &[Vec<(Kind, Instruction)>],
        registers: usize,
    ) -> Vec<Level> {
        let mut levels: Vec<Level> = Vec::new();
        let last = groups.iter().map(|group| group.level as usize + 1).max().unwrap_or(1);
        for level in 0..last.max(instructions.len()) {
            let steps = instructions.get(level).map_or(&[][..], Vec::as_slice);
            levels.push(Level { repeated: Vec::new(), program: Program::new(steps, registers) });
        }
        for group in groups {
            let repeated = Repeated::new(&group, |node| self.register(node));
            levels[group.level as usize].repeated.push(repeated);
        }
        levels
    }

    fn register(&self, node: Node) -> Register {
        self.note(node).register.unwrap_or(0)
    }

    /// Makes the notes ready for the next tape.
    fn forget(&mut self) {
        for node in self.touched.drain(..) {
            self.places[node.index()] = 0;
        }
        self.notes.clear();
    }
}

/// Registers for the numbers that [`Kind::as_products`] needs.
fn units(registers: &mut Vec<f64>) -> Units {
    let zero = registers.len() as Register;
    registers.extend([0.0, 1.0, -1.0]);
    Units { zero, one: zero + 1, minus_one: zero + 2 }
}
