//! Evaluation at several states at once: each register holds one number of every state.

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
        matches!(Unit::here(), Unit::Vector(_)) && self.ready().tape.registers.len() <= MOST_REGISTERS
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
            _ => return self.one_by_one(at, 0, out),
        };
        let Ready { tape, lanes, .. } = self.ready();
        let files = &mut *lanes.borrow_mut();
        let (mut first, mut finite) = (0, true);
        while first + 1 < count {
            let end = match count - first {
                ..=4 => {
                    let file = self.lane_file(&mut files.four);
                    let end = count.min(first + 4);
                    arch.dispatch(LaneRun { tape, at, which: (first, end), registers: file });
                    finite &= tape.write(file, (first..end, count), out);
                    end
                }
                _ => {
                    let file = self.lane_file(&mut files.eight);
                    let end = count.min(first + 8);
                    arch.dispatch(LaneRun { tape, at, which: (first, end), registers: file });
                    finite &= tape.write(file, (first..end, count), out);
                    end
                }
            };
            first = end;
        }
        finite & self.one_by_one(at, first, out)
    }

    /// The states from `first` on, one after the other.
    fn one_by_one(&self, at: States<'_>, first: usize, out: &mut [&mut [f64]]) -> bool {
        let count = at.t.len();
        let Ready { tape, registers, .. } = self.ready();
        let mut registers = registers.borrow_mut();
        let mut finite = true;
        for k in first..count {
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
/// A type of its own, since a closure would not be compiled for the vector unit.
struct LaneRun<'a, const L: usize> {
    tape: &'a Tape,
    at: States<'a>,
    which: (usize, usize),
    registers: &'a mut [Lanes<L>],
}

impl<const L: usize> WithSimd for LaneRun<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let LaneRun { tape, at, which: (first, until), registers } = self;
        let Slots { position, velocity, acceleration, multiplier, end } = tape.slots;
        for lane in 0..L {
            let state = at.get((first + lane).min(until - 1));
            registers[0].0[lane] = state.t;
            load(state.q, &mut registers[position..velocity], lane);
            load(state.v, &mut registers[velocity..acceleration], lane);
            load(state.a, &mut registers[acceleration..multiplier], lane);
            load(state.lambda, &mut registers[multiplier..end], lane);
        }
        tape.program.run(registers);
        for &(to, from) in &tape.copies {
            registers[to as usize] = registers[from as usize];
        }
    }
}

impl Tape {
    /// Writes the results of these states, of so many in all. Whether all of them are finite.
    fn write<const L: usize>(
        &self,
        registers: &[Lanes<L>],
        (which, count): (std::ops::Range<usize>, usize),
        out: &mut [&mut [f64]],
    ) -> bool {
        let mut results = &registers[self.results.clone()];
        let mut zeros = [0.0; L];
        for Lanes(values) in results {
            for lane in 0..L {
                zeros[lane] += values[lane] * 0.0;
            }
        }
        for out in out {
            let size = out.len() / count;
            let Some(now) = results.split_off(..size.min(results.len())) else { continue };
            for (lane, k) in which.clone().enumerate() {
                for (value, Lanes(values)) in out[k * size..].iter_mut().zip(now) {
                    *value = values[lane];
                }
            }
        }
        zeros == [0.0; L]
    }
}

#[inline(always)]
fn load<const L: usize>(from: &[f64], to: &mut [Lanes<L>], lane: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        to.0[lane] = *from;
    }
}
