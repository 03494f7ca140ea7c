//! One small tape, run at many places.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::columns::{Column, TOGETHER};
use super::compile::Compiler;
use super::direct::Outside;
use super::file::{Block, SMALL};
use super::instruction::{Program, Register};
use super::shapes::Group;
use super::stretch::{Stretch, stretches};
use super::value::Lanes;
use crate::graph::Node;
use crate::number::Scalar;
use crate::unit::Unit;

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

/// Registers that tapes of many places share: of one place, and of many. They are filled before each run.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    one: Vec<f64>,
    many: Vec<Block>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Scratch { one: vec![0.0; SMALL], many: vec![Block::of(0.0); SMALL] }
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
            let mut columns = stretch.leaves.iter().chain(stretch.made());
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
        if let Unit::Plain = Unit::here() {
            self.run_singly(file, &mut scratch.one, |x| x, Program::run);
        } else {
            self.run_outside(file, scratch, &mut Outside::default());
        }
    }

    /// Runs at all places; inputs are read and results written where the caller has them, as far as they are there. Whether those
    /// results are finite; false where there is no vector unit.
    pub(super) fn run_outside(
        &self,
        file: &mut [f64],
        scratch: &mut Scratch,
        outside: &mut Outside<'_, '_>,
    ) -> bool {
        match (Unit::here(), scratch.many.first_chunk_mut()) {
            (Unit::Vector(arch), Some(blocks)) => {
                arch.dispatch(Places { repeated: self, file, blocks, outside })
            }
            _ => false,
        }
    }

    /// The columns that are read, each with its number of places.
    pub(super) fn reads(&self) -> impl Iterator<Item = (&Column, usize)> {
        self.stretches.iter().flat_map(|stretch| stretch.leaves.iter().map(|column| (column, stretch.count)))
    }

    /// The columns that are computed, each with its number of places.
    pub(super) fn makes(&self) -> impl Iterator<Item = (&Column, usize)> {
        self.stretches.iter().flat_map(|stretch| stretch.made().map(|column| (column, stretch.count)))
    }

    /// Notes which columns have a register that is read afterwards.
    pub(super) fn note_reads(&mut self, is_read: impl Fn(&Column, usize) -> bool) {
        for stretch in &mut self.stretches {
            stretch.note_reads(&is_read);
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
                for (value, column) in one[self.results.clone()].iter().zip(stretch.made()) {
                    file[column.register(place)] = *value;
                }
            }
        }
    }
}

/// A run on blocks: each number in them belongs to one place.
struct Places<'a, 'b, 'o> {
    repeated: &'a Repeated,
    file: &'a mut [f64],
    blocks: &'a mut [Block; SMALL],
    outside: &'a mut Outside<'b, 'o>,
}

impl WithSimd for Places<'_, '_, '_> {
    /// Whether sums of the results that were written outside are finite.
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> bool {
        let Places { repeated, file, blocks, outside } = self;
        let Repeated { program, leaves, results, constants, stretches } = repeated;
        for &(register, number) in constants {
            blocks[register] = Block::of(number);
        }
        let mut sums = Lanes([0.0; 8]);
        for stretch in stretches {
            let (mut at, last) = (0, stretch.count - 1);
            let routes = stretch.routes(outside);
            loop {
                stretch.load(at, (file, outside), &routes, &mut blocks[leaves.clone()]);
                program.run_blocks(blocks);
                sums = sums + stretch.store(at, (file, outside), &routes, &blocks[results.clone()]);
                if at + TOGETHER > last {
                    break;
                }
                // The last ones may have some of those before among them: they give the same once more.
                at = (at + TOGETHER).min((last + 1).saturating_sub(TOGETHER));
            }
        }
        sums.0.iter().all(|sum| sum.is_finite())
    }
}
