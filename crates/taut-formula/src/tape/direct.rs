//! Results of what is repeated go straight to where they are wanted, and inputs are read where they are: with many places, registers
//! between would be a second and a third pass over all numbers.

use std::ops::Range;

use super::columns::Column;
use super::instruction::{Instruction, Kind, Register};
use super::{Level, Registers, Slots, State, Tape, all_finite};
use crate::unit::Unit;

/// Results fill so many slices at most.
const SLICES: usize = 8;
/// Ranges that are closer are copied as one.
const CLOSE: usize = 16;

/// What is left for registers where results and inputs go by them.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    /// inputs that are read from registers
    inputs: Vec<Range<usize>>,
    /// results that are known before a run: constants, parameters. What is close to them is computed and comes later.
    pub(super) known: Vec<Range<usize>>,
    /// results that are computed in registers
    computed: Vec<Range<usize>>,
}

/// The lengths of inputs and the registers that slices of results begin with: what the ways to and from slices depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape([usize; 4], [usize; SLICES + 1]);

/// Inputs and results where the caller has them. Numbers of slices begin at 1: 0 is the file of registers.
#[derive(Default)]
pub(super) struct Outside<'a, 'o> {
    /// the register that each begins with, and what is there
    inputs: [(usize, &'a [f64]); 4],
    /// the registers that each begins with, and after all of them
    begins: [usize; SLICES + 1],
    out: &'a mut [&'o mut [f64]],
}

impl<'a, 'o> Outside<'a, 'o> {
    /// Where the inputs of a tape are read and its results written; nothing where slices are not as long as they should be.
    fn new(tape: &Tape, at: State<'a>, out: &'a mut [&'o mut [f64]]) -> Option<Self> {
        let Slots { position, velocity, acceleration, multiplier, end } = tape.slots;
        let inputs = [(position, at.q), (velocity, at.v), (acceleration, at.a), (multiplier, at.lambda)];
        let ends = [velocity, acceleration, multiplier, end];
        let fit = inputs.iter().zip(ends).all(|((begin, values), end)| values.len() >= end - begin);
        let mut begins = [tape.results.start; SLICES + 1];
        for (k, slice) in out.iter().enumerate().take(SLICES) {
            let next = begins[k] + slice.len();
            begins[k + 1..].fill(next);
        }
        let inputs: [_; 4] = std::array::from_fn(|k| {
            let (begin, values) = inputs[k];
            (begin, values.get(..ends[k] - begin).unwrap_or_default())
        });
        (fit && out.len() <= SLICES && begins[SLICES] <= tape.results.end).then_some(Outside {
            inputs,
            begins,
            out,
        })
    }

    /// The number of the slice that a column of so many places is read from.
    pub(super) fn source(&self, column: &Column, count: usize) -> u8 {
        let Some((low, high)) = column.span(count) else { return 0 };
        let holds = |(begin, values): &(usize, &[f64])| *begin <= low && high < begin + values.len();
        self.inputs.iter().position(holds).map_or(0, |k| k as u8 + 1)
    }

    /// The number of the slice that a column of so many places is written to.
    pub(super) fn target(&self, column: &Column, count: usize) -> u8 {
        let Some((low, high)) = column.span(count) else { return 0 };
        let holds = |ends: &[usize]| ends[0] <= low && high < ends[1];
        self.begins.windows(2).position(holds).map_or(0, |k| k as u8 + 1)
    }

    /// What the ways to and from these slices depend on.
    pub(super) fn shape(&self) -> Shape {
        Shape(self.inputs.map(|(_, values)| values.len()), self.begins)
    }

    /// Whether a column lies in one slice, beyond all of them, or outside of the results.
    fn is_whole(&self, tape: &Tape, column: &Column, count: usize) -> bool {
        let Some((low, high)) = column.span(count) else { return true };
        low >= self.begins[SLICES]
            || !(tape.results.contains(&low) && tape.results.contains(&high))
            || self.target(column, count) > 0
    }

    /// A slice that is read from.
    #[inline(always)]
    pub(super) fn input(&self, number: u8) -> Option<(usize, &'a [f64])> {
        self.inputs.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// A slice that is written to.
    #[inline(always)]
    pub(super) fn output(&mut self, number: u8) -> Option<(usize, &mut [f64])> {
        let k = usize::from(number).checked_sub(1)?;
        Some((self.begins[k], self.out.get_mut(k)?))
    }

    /// Calls `take` with the parts of slices that these results go to, and their registers.
    fn each(&mut self, results: &Range<usize>, mut take: impl FnMut(&mut [f64], Range<usize>)) {
        for (slice, &begin) in self.out.iter_mut().zip(&self.begins) {
            let (from, to) = (results.start.max(begin), results.end.min(begin + slice.len()));
            if from < to {
                take(&mut slice[from - begin..to - begin], from..to);
            }
        }
    }
}

/// How a register gets its number, and who reads it.
#[derive(Clone, Copy, Default)]
struct Use {
    /// from registers
    is_read: bool,
    is_computed: bool,
    /// to where the caller has it
    is_direct: bool,
}

/// What is told of the registers of a tape.
pub(super) struct Told<'a> {
    pub(super) levels: &'a mut [Level],
    pub(super) instructions: &'a [Vec<(Kind, Instruction)>],
    pub(super) copies: &'a [(Register, Register)],
    pub(super) slots: Slots,
    pub(super) results: Range<usize>,
    pub(super) registers: usize,
}

impl Direct {
    /// Which results and inputs go by the registers of a tape; nothing where these are too few, or scattered.
    pub(super) fn new(told: Told<'_>) -> Option<Self> {
        if told.levels.iter().all(|level| level.repeated.is_empty()) {
            return None;
        }
        let uses = told.uses();
        let Told { levels, slots, results, .. } = told;
        let is_read = |column: &Column, count: usize| match column.span(count) {
            Some(_) => (0..count).any(|place| uses[column.register(place)].is_read),
            None => true,
        };
        levels.iter_mut().flat_map(|level| &mut level.repeated).for_each(|all| all.note_reads(is_read));
        let direct = uses[results.clone()].iter().filter(|of| of.is_direct).count();
        let inputs = ranges(&uses, slots.position..slots.end, CLOSE, |of| of.is_read);
        let known = ranges(&uses, results.clone(), CLOSE, |of| !of.is_direct && !of.is_computed);
        let computed = ranges(&uses, results.clone(), 1, |of| of.is_computed);
        let pays = 2 * direct > results.len() / 2 && CLOSE * (known.len() + computed.len()) < direct;
        pays.then_some(Direct { inputs, known, computed })
    }
}

impl Told<'_> {
    fn uses(&self) -> Vec<Use> {
        let mut uses = vec![Use::default(); self.registers];
        for (kind, Instruction { to, operands }) in self.instructions.iter().flatten() {
            operands.iter().for_each(|&operand| uses[operand as usize].is_read = true);
            uses[*to as usize].is_computed = true;
            if *kind == Kind::SineCosine {
                uses[operands[1] as usize].is_computed = true;
            }
        }
        for &(to, from) in self.copies {
            uses[to as usize].is_computed = true;
            uses[from as usize].is_read = true;
        }
        let Slots { position, velocity, acceleration, multiplier, end } = self.slots;
        let inputs = [position..velocity, velocity..acceleration, acceleration..multiplier, multiplier..end];
        let lies = |column: &Column, count: usize, within: &Range<usize>| {
            column.span(count).is_some_and(|(low, high)| within.start <= low && high < within.end)
        };
        for repeated in self.levels.iter().flat_map(|level| &level.repeated) {
            for (column, count) in repeated.reads() {
                if !inputs.iter().any(|input| lies(column, count, input)) {
                    (0..count).for_each(|place| uses[column.register(place)].is_read = true);
                }
            }
            for (column, count) in repeated.makes() {
                let is_direct = lies(column, count, &self.results);
                for place in 0..count {
                    let of = &mut uses[column.register(place)];
                    (of.is_direct, of.is_computed) = (is_direct, !is_direct);
                }
            }
        }
        uses
    }
}

/// The registers of some that are such, as ranges; those that are closer than this are one.
fn ranges(uses: &[Use], of: Range<usize>, close: usize, such: impl Fn(&Use) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for register in of {
        if such(&uses[register]) {
            match found.last_mut() {
                Some(last) if register < last.end + close => last.end = register + 1,
                _ => found.push(register..register + 1),
            }
        }
    }
    found
}

impl Tape {
    /// Runs with inputs and results where the caller has them. Whether what was computed is finite; nothing where that is not to be
    /// done with these slices.
    pub(super) fn run_directly(
        &self,
        at: State<'_>,
        registers: &mut Registers,
        out: &mut [&mut [f64]],
    ) -> Option<bool> {
        let direct = self.direct.as_ref().filter(|_| matches!(Unit::here(), Unit::Vector(_)))?;
        let mut outside = Outside::new(self, at, out)?;
        let Registers { file, scratch, ways, known } = registers;
        let all = self.levels.iter().flat_map(|level| &level.repeated);
        let mut makes = all.clone().flat_map(|repeated| repeated.makes());
        let fits = || makes.all(|(column, count)| outside.is_whole(self, column, count));
        let (mut routes, true) = ways.find(&outside, all, fits) else { return None };
        file[0] = at.t;
        for range in &direct.inputs {
            for (begin, values) in outside.inputs {
                let (from, to) = (range.start.max(begin), range.end.min(begin + values.len()));
                if from < to {
                    file[from..to].copy_from_slice(&values[from - begin..to - begin]);
                }
            }
        }
        for piece in known.iter() {
            outside.each(&piece.range, |slice, registers| piece.fill(slice, &file[registers]));
        }
        let mut finite = true;
        for Level { repeated, program } in &self.levels {
            for repeated in repeated {
                let (now, later) = routes.split_at(repeated.stretches().len());
                finite &= repeated.run(file, scratch, &mut outside, now);
                routes = later;
            }
            program.run(file);
        }
        for &(to, from) in &self.copies {
            file[to as usize] = file[from as usize];
        }
        for range in &direct.computed {
            outside.each(range, |slice, registers| slice.copy_from_slice(&file[registers]));
        }
        Some(direct.computed.iter().fold(finite, |finite, range| finite & all_finite(&file[range.clone()])))
    }
}
