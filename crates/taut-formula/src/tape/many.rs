//! Evaluation at several states at once: each register holds one number of every state.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::value::Lanes;
use super::{Evaluator, Ready, Slots, State, Tape};
use crate::tape::instruction::Program;
use crate::unit::Unit;

/// Several states, such as the stages of a step: t of each, then the q of all, one after the other, and so on. What a tape
/// does not depend on may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct States<'a> {
    /// t of each
    pub t: &'a [f64],
    /// q, or x of a first-order model
    pub q: &'a [f64],
    /// v
    pub v: &'a [f64],
    /// v'
    pub a: &'a [f64],
    /// λ
    pub lambda: &'a [f64],
}

impl<'a> States<'a> {
    /// State k.
    fn get(&self, k: usize) -> State<'a> {
        let count = self.t.len();
        let part = |values: &'a [f64]| {
            let size = values.len() / count;
            &values[k * size..(k + 1) * size]
        };
        State { t: self.t[k], q: part(self.q), v: part(self.v), a: part(self.a), lambda: part(self.lambda) }
    }
}

/// Registers for several states, filled when they are used for the first time.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneFiles {
    four: Vec<Lanes<4>>,
    eight: Vec<Lanes<8>>,
}

/// A tape with more registers than these does not take several states: they would no longer be close to the processor.
const MOST_REGISTERS: usize = 4096;

impl Evaluator {
    /// Whether several states cost less together than one after the other: there is a vector unit, and room for them.
    pub fn takes_several(&self) -> bool {
        let tape = &self.ready().tape;
        // What is repeated goes in lanes of places.
        let fits = tape.registers.len() <= MOST_REGISTERS && tape.plain().is_some();
        fits && matches!(Unit::here(), Unit::Vector(_))
    }

    /// Evaluates all formulas at several states. Each slice has as many equal parts as there are states; those of one state
    /// are filled one slice after the other. Whether all results are finite.
    ///
    /// On a machine with a vector unit four or eight states go together. The results are the same, to the last bit, as
    /// those of [`evaluate`](Self::evaluate) for one state after the other.
    pub fn evaluate_many(&self, at: States<'_>, out: &mut [&mut [f64]]) -> bool {
        let count = at.t.len();
        let arch = match Unit::here() {
            Unit::Vector(arch) if self.takes_several() => arch,
            _ => return self.one_by_one(at, 0..count, out),
        };
        let Ready { tape, lanes, .. } = self.ready();
        let files = &mut *lanes.borrow_mut();
        let (mut first, mut finite) = (0, true);
        while first + 1 < count {
            let which = (first, count.min(first + 8));
            finite &= match count - first {
                ..=4 => {
                    let registers = self.lane_file(&mut files.four);
                    arch.dispatch(LaneRun { tape, at, which, registers, out })
                }
                _ => {
                    let registers = self.lane_file(&mut files.eight);
                    arch.dispatch(LaneRun { tape, at, which, registers, out })
                }
            };
            first = which.1;
        }
        finite & self.one_by_one(at, first..count, out)
    }

    /// Some of the states, one after the other.
    pub(super) fn one_by_one(&self, at: States<'_>, which: Range<usize>, out: &mut [&mut [f64]]) -> bool {
        let count = at.t.len();
        let Ready { tape, registers, .. } = self.ready();
        let mut registers = registers.borrow_mut();
        let mut finite = true;
        for k in which {
            let mut results = tape.run(at.get(k), &mut registers);
            finite &= super::all_finite(results);
            for out in out.iter_mut() {
                let size = out.len() / count;
                if let Some(now) = results.split_off(..size.min(results.len())) {
                    out[k * size..][..now.len()].copy_from_slice(now);
                }
            }
        }
        finite
    }

    fn lane_file<'f, const L: usize>(&self, file: &'f mut Vec<Lanes<L>>) -> &'f mut [Lanes<L>] {
        if file.is_empty() {
            let tape = &self.ready().tape;
            let used = tape.registers.len();
            let known = tape.file(&self.settings, used);
            file.resize(Program::file_size(used), Lanes([0.0; L]));
            for (register, value) in file.iter_mut().zip(known) {
                *register = Lanes([value; L]);
            }
        }
        file
    }
}

/// A run on some of the states, from a first one to before another; lanes that are left over repeat the last of them.
///
/// A type of its own, since a closure would not be compiled for the vector unit: inputs and results are as many as the
/// instructions between them.
pub(super) struct LaneRun<'a, 'o, const L: usize> {
    pub(super) tape: &'a Tape,
    pub(super) at: States<'a>,
    pub(super) which: (usize, usize),
    pub(super) registers: &'a mut [Lanes<L>],
    pub(super) out: &'a mut [&'o mut [f64]],
}

impl<const L: usize> WithSimd for LaneRun<'_, '_, L> {
    /// Whether all results are finite.
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> bool {
        let LaneRun { tape, at, which, registers, out } = self;
        let Slots { position, velocity, acceleration, multiplier, end } = tape.slots;
        let states: [usize; L] = std::array::from_fn(|lane| (which.0 + lane).min(which.1 - 1));
        registers[0] = Lanes(states.map(|k| at.t[k]));
        load(at.q, &states, &mut registers[position..velocity]);
        load(at.v, &states, &mut registers[velocity..acceleration]);
        load(at.a, &states, &mut registers[acceleration..multiplier]);
        load(at.lambda, &states, &mut registers[multiplier..end]);
        if let Some(program) = tape.plain() {
            program.run(registers);
        }
        for &(to, from) in &tape.copies {
            registers[to as usize] = registers[from as usize];
        }
        let results = &registers[tape.results.clone()];
        store(results, which, at.t.len(), out);
        all_finite(results)
    }
}

/// Numbers of these states, whose values lie one state after the other, to registers.
#[inline(always)]
fn load<const L: usize>(values: &[f64], states: &[usize; L], registers: &mut [Lanes<L>]) {
    let size = registers.len();
    if size == 0 {
        return;
    }
    let states: [&[f64]; L] = states.map(|k| &values[k * size..][..size]);
    for (i, register) in registers.iter_mut().enumerate() {
        *register = Lanes(states.map(|state| state[i]));
    }
}

/// Results of the states of some lanes, of so many in all, to their places.
#[inline(always)]
fn store<const L: usize>(
    mut results: &[Lanes<L>],
    (first, until): (usize, usize),
    count: usize,
    out: &mut [&mut [f64]],
) {
    for out in out {
        let size = out.len() / count;
        let Some(now) = results.split_off(..size.min(results.len())) else { continue };
        for (lane, k) in (0..L).zip(first..until) {
            for (value, Lanes(values)) in out[k * size..].iter_mut().zip(now) {
                *value = values[lane];
            }
        }
    }
}

/// Whether all values are finite: 0 x is not a number where x is not finite. The sum of these is one instruction for each
/// register of the vector unit.
#[inline(always)]
fn all_finite<const L: usize>(values: &[Lanes<L>]) -> bool {
    let mut zeros = [0.0; L];
    for Lanes(values) in values {
        for lane in 0..L {
            zeros[lane] = values[lane].mul_add(0.0, zeros[lane]);
        }
    }
    zeros == [0.0; L]
}
