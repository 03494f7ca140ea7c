//! One small tape, run at many places.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::columns::{Column, TOGETHER};
use super::compile::Compiler;
use super::file::{Block, PARTS, SMALL};
use super::instruction::{Program, Register};
use super::shapes::Group;
use super::value::Lanes;
use crate::graph::Node;
use crate::number::Scalar;
use crate::unit::Unit;

/// So many places whose registers are evenly apart are kept without a list: fewer would not fill a block.
const LONG: usize = TOGETHER;
/// Of so many places one may have its registers anywhere: those at the ends of a chain.
const LISTED: usize = 8;

/// A tape and the places where it runs. No place needs what another one computes.
#[derive(Clone, Debug)]
pub(super) struct Repeated {
    program: Program,
    /// the registers of what is read, and of what is computed
    leaves: Range<usize>,
    results: Range<usize>,
    /// numbers that instructions need; 0 in what else they use
    constants: Vec<(usize, f64)>,
    stretches: Vec<Stretch>,
}

/// Some of the places.
#[derive(Clone, Debug)]
struct Stretch {
    count: usize,
    leaves: Vec<Column>,
    results: Vec<Column>,
}

/// Registers that tapes of many places share: of one place, and of many. They are filled before each run.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    one: Vec<f64>,
    many: Vec<Block>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Scratch { one: vec![0.0; SMALL], many: vec![[Lanes([0.0; 8]); PARTS]; SMALL] }
    }
}

impl Repeated {
    /// The tape of a group; `register` is where the value of a node is.
    pub(super) fn new(group: &Group, register: impl Fn(Node) -> Register) -> Self {
        let shape = &group.shape;
        let tape = Compiler::new(&shape.graph, shape.leaves, 0).for_places().tape(&shape.results);
        let first = tape.slots.position;
        let registers =
            |nodes: &[Node]| -> Vec<Register> { nodes.iter().map(|&node| register(node)).collect() };
        let stretches =
            stretches([registers(&group.leaves), registers(&group.outputs)], [shape.leaves, shape.outputs]);
        let constants = tape.registers.iter().copied().enumerate();
        Repeated {
            leaves: first..first + shape.leaves,
            constants: constants.skip(tape.results.end).collect(),
            results: tape.results,
            program: tape
                .levels
                .into_iter()
                .next()
                .map_or_else(|| Program::new(&[], 0), |level| level.program),
            stretches,
        }
    }

    /// Whether few places have registers that are listed.
    pub(super) fn is_even(&self) -> bool {
        let is_listed = |stretch: &Stretch| {
            let mut columns = stretch.leaves.iter().chain(&stretch.results);
            columns.any(|column| matches!(column, Column::Listed(_)))
        };
        let count = |listed: bool| -> usize {
            let of_kind = self.stretches.iter().filter(|stretch| is_listed(stretch) == listed);
            of_kind.map(|stretch| stretch.count).sum()
        };
        LISTED * count(true) <= count(false)
    }

    /// Runs at all places of a file of registers.
    pub(super) fn run(&self, file: &mut [f64], scratch: &mut Scratch) {
        match Unit::here() {
            Unit::Vector(arch) => {
                if let Some(blocks) = scratch.many.first_chunk_mut() {
                    arch.dispatch(Places { repeated: self, file, blocks });
                }
            }
            Unit::Plain => self.run_singly(file, &mut scratch.one, |x| x, Program::run),
        }
    }

    /// Runs on a file of registers of any number type.
    pub(super) fn run_any<S: Scalar>(&self, file: &mut [S]) {
        // Numbers of other types may be large: not on the stack.
        let mut one: Vec<S> = std::iter::repeat_n(S::zero(), SMALL).collect();
        self.run_singly(file, &mut one, S::constant, Program::run_any);
    }

    fn run_singly<V: Copy>(
        &self,
        file: &mut [V],
        one: &mut [V],
        constant: impl Fn(f64) -> V,
        run: impl Fn(&Program, &mut [V]),
    ) {
        for &(register, number) in &self.constants {
            one[register] = constant(number);
        }
        for stretch in &self.stretches {
            for place in 0..stretch.count {
                for (value, column) in one[self.leaves.clone()].iter_mut().zip(&stretch.leaves) {
                    *value = file[column.register(place)];
                }
                run(&self.program, one);
                for (value, column) in one[self.results.clone()].iter().zip(&stretch.results) {
                    file[column.register(place)] = *value;
                }
            }
        }
    }
}

/// A run on blocks: each number in them belongs to one place.
struct Places<'a> {
    repeated: &'a Repeated,
    file: &'a mut [f64],
    blocks: &'a mut [Block; SMALL],
}

impl WithSimd for Places<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Places { repeated, file, blocks } = self;
        let Repeated { program, leaves, results, constants, stretches } = repeated;
        for &(register, number) in constants {
            blocks[register] = [Lanes([number; 8]); PARTS];
        }
        for stretch in stretches {
            let (mut at, last) = (0, stretch.count - 1);
            loop {
                for (block, column) in blocks[leaves.clone()].iter_mut().zip(&stretch.leaves) {
                    // What is the same at all places stays where it is.
                    if at == 0 || !matches!(column, Column::Same(_)) {
                        column.load(file, at, last, block);
                    }
                }
                program.run_blocks(blocks);
                for (block, column) in blocks[results.clone()].iter().zip(&stretch.results) {
                    column.store(block, file, at, last);
                }
                if at + TOGETHER > last {
                    break;
                }
                // The last ones may have some of those before among them: they give the same once more.
                at = (at + TOGETHER).min((last + 1).saturating_sub(TOGETHER));
            }
        }
    }
}

/// Places by their registers: `sizes` of what is read and of what is computed, place by place.
fn stretches(registers: [Vec<Register>; 2], sizes: [usize; 2]) -> Vec<Stretch> {
    let count = registers[1].len() / sizes[1].max(1);
    let of = |k: usize, place: usize| &registers[k][place * sizes[k]..(place + 1) * sizes[k]];
    // In the order of what they compute, registers are evenly apart more often than in the order of the graph.
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&place| of(1, place).first());
    let row = |place: usize| of(0, order[place]).iter().chain(of(1, order[place])).copied();
    let mut found = Vec::new();
    let mut single = Vec::new();
    let mut place = 0;
    while place < count {
        let until = even_until(place, count, row);
        if until - place < LONG {
            single.extend(place..until);
        } else {
            let strides = row(place).zip(row(place + 1)).map(|(a, b)| Column::even(a, (b - a) as usize));
            found.push(Stretch::new(until - place, strides.collect(), sizes[0]));
        }
        place = until;
    }
    if !single.is_empty() {
        let mut columns = vec![Vec::with_capacity(single.len()); sizes[0] + sizes[1]];
        for &place in &single {
            columns.iter_mut().zip(row(place)).for_each(|(column, register)| column.push(register));
        }
        let columns = columns.into_iter().map(listed).collect();
        found.push(Stretch::new(single.len(), columns, sizes[0]));
    }
    found
}

/// The first place whose registers are not as far from those before as the ones from `place` on.
fn even_until<R: Iterator<Item = Register>>(place: usize, count: usize, row: impl Fn(usize) -> R) -> usize {
    let rises = place + 1 < count && row(place).zip(row(place + 1)).all(|(a, b)| a <= b);
    if !rises {
        return place + 1;
    }
    let strides: Vec<Register> = row(place).zip(row(place + 1)).map(|(a, b)| b - a).collect();
    let fits = |k: usize| row(k - 1).zip(row(k)).zip(&strides).all(|((a, b), &stride)| a + stride == b);
    let mut until = place + 2;
    while until < count && fits(until) {
        until += 1;
    }
    until
}

fn listed(registers: Vec<Register>) -> Column {
    match registers.first() {
        Some(&first) if registers.iter().all(|register| *register == first) => Column::Same(first as usize),
        _ => Column::Listed(registers),
    }
}

impl Stretch {
    fn new(count: usize, mut columns: Vec<Column>, leaves: usize) -> Self {
        let results = columns.split_off(leaves);
        Stretch { count, leaves: columns, results }
    }
}
