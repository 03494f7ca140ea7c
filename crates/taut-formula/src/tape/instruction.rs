//! Programs: runs of instructions of one kind.
//!
//! The kind of an instruction is looked at once for a run and not once for every instruction, which is what makes an
//! interpreter slow. Where runs of one kind would be short, sums, differences and products of all kinds go together as
//! [`Kind::Products`].

use std::collections::HashSet;

use super::file::{Block, Blocks, File, MIDDLE, SMALL};
use super::sines::Sines;
use super::value::Value;
use crate::function::{Binary, Unary};
use crate::number::Scalar;

/// A register.
pub(super) type Register = u32;

/// What an instruction computes from its operands a, b, c, d.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negative,
    /// a^k
    Power(i32),
    /// a b + c
    MultiplyAdd,
    /// a b − c
    MultiplySubtract,
    /// c − a b
    SubtractProduct,
    /// a b − c d
    Products,
    /// the sine of a; its cosine goes to register b
    SineCosine,
    Unary(Unary),
    Binary(Binary),
    /// b where a is positive, else 0
    Where,
    /// 0 where a is positive, else b
    Unless,
}

const ABOVE_SMALL: usize = SMALL + 1;

/// Registers that hold these numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Units {
    pub(super) zero: Register,
    pub(super) one: Register,
    pub(super) minus_one: Register,
}

impl Kind {
    /// Sums, differences and products.
    pub(super) fn is_arithmetic(self) -> bool {
        self == Kind::Power(2)
            || matches!(self, Kind::Add | Kind::Subtract | Kind::Multiply | Kind::Negative | Kind::Products)
            || matches!(self, Kind::MultiplyAdd | Kind::MultiplySubtract | Kind::SubtractProduct)
    }

    /// The operands with which the result is not finite whenever they are not.
    pub(super) fn passes_on(self) -> &'static [usize] {
        match self {
            Kind::Divide | Kind::Negative | Kind::Unary(Unary::Sqrt) => &[0],
            Kind::Power(k) if k > 0 => &[0],
            Kind::Add | Kind::Subtract | Kind::Multiply | Kind::Binary(Binary::Hypot) => &[0, 1],
            Kind::MultiplyAdd | Kind::MultiplySubtract | Kind::SubtractProduct => &[0, 1, 2],
            Kind::Products => &[0, 1, 2, 3],
            _ => &[],
        }
    }

    /// Sines and cosines: those of a run are computed together.
    fn is_sine(self) -> bool {
        matches!(self, Kind::SineCosine | Kind::Unary(Unary::Sin | Unary::Cos))
    }

    /// The operands with which [`Kind::Products`] computes the same, to the last bit.
    pub(super) fn as_products(self, [a, b, c, d]: [Register; 4], units: Units) -> [Register; 4] {
        let Units { zero, one, minus_one } = units;
        match self {
            Kind::Add => [a, one, b, minus_one],
            Kind::Subtract => [a, one, b, one],
            Kind::Multiply => [a, b, zero, zero],
            Kind::Negative => [a, minus_one, zero, zero],
            Kind::Power(_) => [a, a, zero, zero],
            Kind::MultiplyAdd => [a, b, c, minus_one],
            Kind::MultiplySubtract => [a, b, c, one],
            Kind::SubtractProduct => [c, one, a, b],
            _ => [a, b, c, d],
        }
    }
}

/// The registers of one instruction, numbered by N.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction<N = Register> {
    pub(super) to: N,
    pub(super) operands: [N; 4],
}

impl<N: Copy> Instruction<N> {
    /// With other numbers.
    fn map<T>(&self, number: impl Fn(N) -> T) -> Instruction<T> {
        Instruction { to: number(self.to), operands: self.operands.map(number) }
    }
}

/// The instructions, with numbers as short as the file of registers allows.
#[derive(Clone, Debug)]
enum Instructions {
    Small(Vec<Instruction<u8>>),
    Middle(Vec<Instruction<u16>>),
    Large(Vec<Instruction>),
}

/// Instructions, grouped into runs of one kind.
#[derive(Clone, Debug)]
pub(super) struct Program {
    instructions: Instructions,
    /// The kind of each run and the number of its instructions.
    runs: Vec<(Kind, usize)>,
}

impl Program {
    /// These instructions on a file of so many registers.
    pub(super) fn new(steps: &[(Kind, Instruction)], registers: usize) -> Self {
        let runs = runs(steps);
        let steps = steps.iter().map(|step| step.1);
        let instructions = match registers {
            ..=SMALL => Instructions::Small(steps.map(|step| step.map(|number| number as u8)).collect()),
            ABOVE_SMALL..=MIDDLE => {
                Instructions::Middle(steps.map(|step| step.map(|number| number as u16)).collect())
            }
            _ => Instructions::Large(steps.collect()),
        };
        Program { instructions, runs }
    }

    /// The number of registers that there must be for a file of so many: all that can be numbered.
    pub(super) fn file_size(registers: usize) -> usize {
        match registers {
            ..=SMALL => SMALL,
            ABOVE_SMALL..=MIDDLE => MIDDLE,
            _ => registers,
        }
    }

    /// The number of instructions.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.1).sum()
    }

    /// Runs on a file of registers of the size that belongs to it, and whatever its registers hold.
    #[inline(always)]
    pub(super) fn run<V: Sines>(&self, registers: &mut [V]) {
        match &self.instructions {
            Instructions::Small(instructions) => {
                if let Some(registers) = registers.first_chunk_mut::<SMALL>() {
                    run_all(&self.runs, instructions, registers);
                }
            }
            Instructions::Middle(instructions) => {
                if let Some(registers) = registers.first_chunk_mut::<MIDDLE>() {
                    run_all(&self.runs, instructions, registers);
                }
            }
            Instructions::Large(instructions) => run_all(&self.runs, instructions, registers),
        }
    }

    /// Runs on a file of blocks.
    #[inline(always)]
    pub(super) fn run_blocks<const P: usize>(&self, file: &mut [Block<P>; SMALL]) {
        if let Instructions::Small(instructions) = &self.instructions {
            run_all(&self.runs, instructions, &mut Blocks { file, part: 0 });
        }
    }

    /// The instructions, where registers are numbered by bytes; none otherwise.
    pub(super) fn small_steps(&self) -> impl Iterator<Item = (Kind, Instruction<usize>)> + '_ {
        let all = if let Instructions::Small(all) = &self.instructions { all.as_slice() } else { &[] };
        self.kinds().zip(all).map(|(kind, instruction)| (kind, instruction.map(usize::from)))
    }

    /// The kind of each instruction.
    fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.runs.iter().flat_map(|&(kind, count)| std::iter::repeat_n(kind, count))
    }

    /// Runs on a file of registers of any number type.
    pub(super) fn run_any<S: Scalar>(&self, registers: &mut [S]) {
        let kinds = self.kinds();
        match &self.instructions {
            Instructions::Small(all) => kinds
                .zip(all)
                .for_each(|(kind, instruction)| run_one(kind, instruction.map(usize::from), registers)),
            Instructions::Middle(all) => kinds
                .zip(all)
                .for_each(|(kind, instruction)| run_one(kind, instruction.map(usize::from), registers)),
            Instructions::Large(all) => kinds
                .zip(all)
                .for_each(|(kind, instruction)| run_one(kind, instruction.map(|x| x as usize), registers)),
        }
    }
}

/// Instructions of one kind that follow each other are a run; sines only as long as none needs another of the same run.
fn runs(steps: &[(Kind, Instruction)]) -> Vec<(Kind, usize)> {
    let mut runs: Vec<(Kind, usize)> = Vec::new();
    let mut written = HashSet::new();
    for (kind, Instruction { to, operands }) in steps {
        let needs_another = kind.is_sine() && written.contains(&operands[0]);
        match runs.last_mut() {
            Some((known, count)) if known == kind && !needs_another => *count += 1,
            _ => {
                runs.push((*kind, 1));
                written.clear();
            }
        }
        if kind.is_sine() {
            written.extend([*to, operands[1]]);
        }
    }
    runs
}

/// One instruction on numbers of any type.
fn run_one<S: Scalar>(kind: Kind, instruction: Instruction<usize>, registers: &mut [S]) {
    let [a, b, c, d] = instruction.operands.map(|register| registers[register]);
    let value = match kind {
        Kind::Add => a + b,
        Kind::Subtract => a - b,
        Kind::Multiply => a * b,
        Kind::Divide => a / b,
        Kind::Negative => -a,
        Kind::Power(k) => a.powi(k),
        Kind::MultiplyAdd => a * b + c,
        Kind::MultiplySubtract => a * b - c,
        Kind::SubtractProduct => c - a * b,
        Kind::Products => a * b - c * d,
        Kind::SineCosine => {
            let (sine, cosine) = a.sin_cos();
            registers[instruction.operands[1]] = cosine;
            sine
        }
        Kind::Unary(function) => function.of(a),
        Kind::Binary(function) => function.of_any(a, b),
        Kind::Where => a.select(b, S::zero()),
        Kind::Unless => a.select(S::zero(), b),
    };
    registers[instruction.to] = value;
}

#[inline(always)]
fn run_all<F: File<Value: Sines> + ?Sized>(
    runs: &[(Kind, usize)],
    instructions: &[Instruction<F::Number>],
    registers: &mut F,
) {
    let mut rest = instructions;
    for &(kind, count) in runs {
        let (now, later) = rest.split_at(count);
        run_of_kind(kind, now, registers);
        rest = later;
    }
}

#[inline(always)]
fn run_of_kind<F: File<Value: Sines> + ?Sized>(
    kind: Kind,
    instructions: &[Instruction<F::Number>],
    registers: &mut F,
) {
    let (now, r) = (instructions, registers);
    match kind {
        Kind::Add => each(now, r, |[a, b, ..], r| r.get(*a) + r.get(*b)),
        Kind::Subtract => each(now, r, |[a, b, ..], r| r.get(*a) - r.get(*b)),
        Kind::Multiply => each(now, r, |[a, b, ..], r| r.get(*a) * r.get(*b)),
        Kind::Divide => each(now, r, |[a, b, ..], r| r.get(*a) / r.get(*b)),
        Kind::Negative => each(now, r, |[a, ..], r| -r.get(*a)),
        Kind::Power(2) => each(now, r, |[a, ..], r| r.get(*a) * r.get(*a)),
        Kind::Power(k) => each(now, r, |[a, ..], r| r.get(*a).map(|x| x.powi(k))),
        Kind::MultiplyAdd => each(now, r, |[a, b, c, _], r| r.get(*a) * r.get(*b) + r.get(*c)),
        Kind::MultiplySubtract => each(now, r, |[a, b, c, _], r| r.get(*a) * r.get(*b) - r.get(*c)),
        Kind::SubtractProduct => each(now, r, |[a, b, c, _], r| r.get(*c) - r.get(*a) * r.get(*b)),
        Kind::Products => each(now, r, |[a, b, c, d], r| r.get(*a) * r.get(*b) - r.get(*c) * r.get(*d)),
        Kind::SineCosine => Sines::sines(now, r, |[_, b, ..], sine, cosine, r: &mut F| {
            r.set(*b, cosine);
            sine
        }),
        Kind::Unary(Unary::Sin) => Sines::sines(now, r, |_, sine, _, _| sine),
        Kind::Unary(Unary::Cos) => Sines::sines(now, r, |_, _, cosine, _| cosine),
        Kind::Unary(Unary::Sqrt) => each(now, r, |[a, ..], r| r.get(*a).map(f64::sqrt)),
        Kind::Unary(function) => each(now, r, |[a, ..], r| r.get(*a).map(|x| function.of(x))),
        Kind::Binary(Binary::Hypot) => each(now, r, |[a, b, ..], r| r.get(*a).hypotenuse(r.get(*b))),
        Kind::Binary(function) => {
            each(now, r, |[a, b, ..], r| r.get(*a).zip(r.get(*b), |a, b| function.of(a, b)))
        }
        Kind::Where => {
            each(now, r, |[a, b, ..], r| r.get(*a).zip(r.get(*b), |a, b| if a > 0.0 { b } else { 0.0 }))
        }
        Kind::Unless => {
            each(now, r, |[a, b, ..], r| r.get(*a).zip(r.get(*b), |a, b| if a > 0.0 { 0.0 } else { b }))
        }
    }
}

/// The operands are taken by reference: loaded one by one, not together to be taken apart again.
#[inline(always)]
fn each<F: File + ?Sized>(
    instructions: &[Instruction<F::Number>],
    registers: &mut F,
    compute: impl Fn(&[F::Number; 4], &mut F) -> F::Value,
) {
    for instruction in instructions {
        if F::PARTS > 1 {
            // A copy, which is not loaded again for each part.
            let Instruction { to, operands } = *instruction;
            // No closure around it: that would not be compiled for the vector unit.
            for part in 0..F::PARTS {
                registers.turn_to(part);
                let value = compute(&operands, registers);
                registers.set(to, value);
            }
        } else {
            let value = compute(&instruction.operands, registers);
            registers.set(instruction.to, value);
        }
    }
}
