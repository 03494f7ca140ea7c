//! One small tape, run at many places.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::columns::{AT_LEAST, Column, TOGETHER};
use super::compile::Compiler;
use super::direct::Outside;
use super::file::{Block, FEW, MANY, SMALL};
use super::instruction::{Program, Register};
use super::shapes::Group;
use super::stretch::{Stretch, stretches};
use super::value::Lanes;
use super::ways::Routes;
use super::witness::witnesses;
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
    /// for each result the others that tell of it where it is not finite
    witnesses: Vec<Vec<usize>>,
}

/// Registers that tapes of many places share: of one place, and of many. They are filled before each run.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    one: Vec<f64>,
    many: Vec<Block<MANY>>,
    few: Vec<Block<FEW>>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Scratch { one: vec![0.0; SMALL], many: vec![Block::of(0.0); SMALL], few: vec![Block::of(0.0); SMALL] }
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
        let program = tape.levels.into_iter().next();
        let program = program.map_or_else(|| Program::new(&[], 0), |level| level.program);
        Repeated {
            leaves: first..first + shape.leaves,
            constants: constants.skip(tape.results.end).collect(),
            witnesses: witnesses(&program, &tape.results),
            results: tape.results,
            program,
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

    /// Runs at all places; inputs are read and results written where the caller has them, as far as they are there: these are the ways
    /// of its stretches. Whether those results are finite.
    pub(super) fn run(
        &self,
        file: &mut [f64],
        scratch: &mut Scratch,
        outside: &mut Outside<'_, '_>,
        routes: &[Routes],
    ) -> bool {
        let Scratch { one, many, few } = scratch;
        match (Unit::here(), many.first_chunk_mut(), few.first_chunk_mut()) {
            (Unit::Vector(arch), Some(many), Some(few)) => {
                let alone = self.run_alone(file, one, outside, routes);
                arch.dispatch(Places { repeated: self, file, many, few, outside, routes }) & alone
            }
            _ => {
                self.run_singly(file, one, |x| x, Program::run);
                false
            }
        }
    }

    /// Runs at places that are alone; whether the results that are looked at are finite.
    fn run_alone(
        &self,
        file: &mut [f64],
        one: &mut [f64],
        outside: &mut Outside<'_, '_>,
        routes: &[Routes],
    ) -> bool {
        let mut finite = true;
        for (stretch, routes) in self.stretches.iter().zip(routes).filter(|(stretch, _)| stretch.count == 1) {
            for &(register, number) in &self.constants {
                one[register] = number;
            }
            stretch.load_one((file, outside), &routes.sources, &mut one[self.leaves.clone()]);
            self.program.run(one);
            finite &= stretch.store_one((file, outside), &routes.targets, &one[self.results.clone()]);
        }
        finite
    }

    /// Where it runs.
    pub(super) fn stretches(&self) -> std::slice::Iter<'_, Stretch> {
        self.stretches.iter()
    }

    /// For each result the others that tell of it where it is not finite.
    pub(super) fn witnesses(&self) -> &[Vec<usize>] {
        &self.witnesses
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
    many: &'a mut [Block<MANY>; SMALL],
    few: &'a mut [Block<FEW>; SMALL],
    outside: &'a mut Outside<'b, 'o>,
    routes: &'a [Routes],
}

impl WithSimd for Places<'_, '_, '_> {
    /// Whether sums of the results that are looked at are finite.
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> bool {
        let Places { repeated, file, many, few, outside, routes } = self;
        let stretches = &repeated.stretches;
        if stretches.iter().any(Stretch::takes_many) {
            repeated.set_constants(many);
        }
        if stretches.iter().any(Stretch::takes_few) {
            repeated.set_constants(few);
        }
        let mut sums = Lanes([0.0; 8]);
        for (stretch, routes) in stretches.iter().zip(routes).filter(|(stretch, _)| stretch.count > 1) {
            let (count, mut at) = (stretch.count, 0);
            // What is left over takes one small block, or a large one that has some places before among them: they give the same
            // once more.
            while stretch.takes_many() && at + AT_LEAST < count {
                let from = at.min(count - TOGETHER);
                sums = sums + repeated.run_block((stretch, routes), (from, at == 0), file, outside, many);
                at = from + TOGETHER;
            }
            let mut is_first = true;
            while at < count {
                let from = at.min(count.saturating_sub(AT_LEAST));
                sums = sums + repeated.run_block((stretch, routes), (from, is_first), file, outside, few);
                at = from + AT_LEAST;
                is_first = false;
            }
        }
        sums.0.iter().all(|sum| sum.is_finite())
    }
}

impl Repeated {
    #[inline(always)]
    fn set_constants<const P: usize>(&self, blocks: &mut [Block<P>; SMALL]) {
        for &(register, number) in &self.constants {
            blocks[register] = Block::of(number);
        }
    }

    /// Runs at some places from this one on; the sums of the results that are looked at.
    #[inline(always)]
    fn run_block<const P: usize>(
        &self,
        (stretch, routes): (&Stretch, &Routes),
        (at, is_first): (usize, bool),
        file: &mut [f64],
        outside: &mut Outside<'_, '_>,
        blocks: &mut [Block<P>; SMALL],
    ) -> Lanes<8> {
        stretch.load((at, is_first), (file, outside), &routes.sources, &mut blocks[self.leaves.clone()]);
        self.program.run_blocks(blocks);
        stretch.store(at, (file, outside), &routes.targets, &blocks[self.results.clone()])
    }
}
