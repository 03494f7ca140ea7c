//! Programs: runs of instructions of one kind.
//!
//! The kind of an instruction is looked at once for a run and not once for every instruction, which is what makes an
//! interpreter slow.

use taut::system::Scalar;

use crate::function::{Binary, Unary};

/// A register.
pub(super) type Register = u32;

/// What an instruction computes from its operands a, b, c.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// the sine of a; its cosine goes to register b
    SineCosine,
    Unary(Unary),
    Binary(Binary),
    /// b where a is positive, else 0
    Where,
    /// 0 where a is positive, else b
    Unless,
}

/// The registers of one instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) to: Register,
    pub(super) operands: [Register; 3],
}

/// Instructions, grouped into runs of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    /// The kind of each run and the number of its instructions.
    runs: Vec<(Kind, usize)>,
}

impl Program {
    pub(super) fn push(&mut self, kind: Kind, instruction: Instruction) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => self.runs.push((kind, 1)),
        }
        self.instructions.push(instruction);
    }

    /// The number of instructions.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Runs on a file of registers.
    pub(super) fn run(&self, registers: &mut [f64]) {
        let mut rest = self.instructions.as_slice();
        for &(kind, count) in &self.runs {
            let (now, later) = rest.split_at(count);
            run_of_kind(kind, now, registers);
            rest = later;
        }
    }
}

impl Program {
    /// Runs on a file of registers of any number type.
    pub(super) fn run_any<S: Scalar>(&self, registers: &mut [S]) {
        let kinds = self.runs.iter().flat_map(|&(kind, count)| std::iter::repeat_n(kind, count));
        for (kind, instruction) in kinds.zip(&self.instructions) {
            let [a, b, c] = instruction.operands.map(|register| registers[register as usize]);
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
                Kind::SineCosine => {
                    let (sine, cosine) = a.sin_cos();
                    registers[instruction.operands[1] as usize] = cosine;
                    sine
                }
                Kind::Unary(function) => function.of(a),
                Kind::Binary(function) => function.of_any(a, b),
                Kind::Where => b.either(S::zero(), a.value() > 0.0),
                Kind::Unless => S::zero().either(b, a.value() > 0.0),
            };
            registers[instruction.to as usize] = value;
        }
    }
}

fn run_of_kind(kind: Kind, instructions: &[Instruction], registers: &mut [f64]) {
    match kind {
        Kind::Add => each(instructions, registers, |[a, b, _], r| r[a] + r[b]),
        Kind::Subtract => each(instructions, registers, |[a, b, _], r| r[a] - r[b]),
        Kind::Multiply => each(instructions, registers, |[a, b, _], r| r[a] * r[b]),
        Kind::Divide => each(instructions, registers, |[a, b, _], r| r[a] / r[b]),
        Kind::Negative => each(instructions, registers, |[a, ..], r| -r[a]),
        Kind::Power(2) => each(instructions, registers, |[a, ..], r| r[a] * r[a]),
        Kind::Power(k) => each(instructions, registers, |[a, ..], r| r[a].powi(k)),
        Kind::MultiplyAdd => each(instructions, registers, |[a, b, c], r| r[a] * r[b] + r[c]),
        Kind::MultiplySubtract => each(instructions, registers, |[a, b, c], r| r[a] * r[b] - r[c]),
        Kind::SubtractProduct => each(instructions, registers, |[a, b, c], r| r[c] - r[a] * r[b]),
        Kind::SineCosine => each(instructions, registers, |[a, b, _], r| {
            let (sine, cosine) = sine_and_cosine(r[a]);
            r[b] = cosine;
            sine
        }),
        Kind::Unary(Unary::Sqrt) => each(instructions, registers, |[a, ..], r| r[a].sqrt()),
        Kind::Unary(function) => each(instructions, registers, |[a, ..], r| function.of(r[a])),
        Kind::Binary(function) => each(instructions, registers, |[a, b, _], r| function.of(r[a], r[b])),
        Kind::Where => each(instructions, registers, |[a, b, _], r| if r[a] > 0.0 { r[b] } else { 0.0 }),
        Kind::Unless => each(instructions, registers, |[a, b, _], r| if r[a] > 0.0 { 0.0 } else { r[b] }),
    }
}

#[inline(always)]
fn each(
    instructions: &[Instruction],
    registers: &mut [f64],
    compute: impl Fn([usize; 3], &mut [f64]) -> f64,
) {
    for instruction in instructions {
        let value = compute(instruction.operands.map(|register| register as usize), registers);
        registers[instruction.to as usize] = value;
    }
}

/// A function of its own: only where sine and cosine stay side by side does the compiler join them into one call.
#[inline(never)]
fn sine_and_cosine(x: f64) -> (f64, f64) {
    x.sin_cos()
}
