//! One instruction of a tape.

use crate::function::{Binary, Unary};

/// A register.
pub(super) type Register = u32;

/// What is computed and where it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) to: Register,
    pub(super) code: Code,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    Add(Register, Register),
    Subtract(Register, Register),
    Multiply(Register, Register),
    Divide(Register, Register),
    Negative(Register),
    Square(Register),
    Power(Register, i32),
    /// a b + c
    MultiplyAdd(Register, Register, Register),
    /// a b − c
    MultiplySubtract(Register, Register, Register),
    /// c − a b
    SubtractProduct(Register, Register, Register),
    /// the sine; the cosine goes to the second register
    SineCosine(Register, Register),
    SquareRoot(Register),
    Hypot(Register, Register),
    Unary(Unary, Register),
    Binary(Binary, Register, Register),
    Where(Register, Register),
    Unless(Register, Register),
}

/// Runs a program on a file of registers.
pub(super) fn run(program: &[Instruction], registers: &mut [f64]) {
    let r = registers;
    for instruction in program {
        let value = match instruction.code {
            Code::Add(a, b) => r[a as usize] + r[b as usize],
            Code::Subtract(a, b) => r[a as usize] - r[b as usize],
            Code::Multiply(a, b) => r[a as usize] * r[b as usize],
            Code::MultiplyAdd(a, b, c) => r[a as usize] * r[b as usize] + r[c as usize],
            Code::MultiplySubtract(a, b, c) => r[a as usize] * r[b as usize] - r[c as usize],
            Code::SubtractProduct(a, b, c) => r[c as usize] - r[a as usize] * r[b as usize],
            Code::Divide(a, b) => r[a as usize] / r[b as usize],
            Code::Negative(a) => -r[a as usize],
            Code::Square(a) => r[a as usize] * r[a as usize],
            Code::Power(a, k) => r[a as usize].powi(k),
            Code::SquareRoot(a) => r[a as usize].sqrt(),
            Code::Hypot(a, b) => r[a as usize].hypot(r[b as usize]),
            Code::SineCosine(a, to_cosine) => {
                let (sine, cosine) = r[a as usize].sin_cos();
                r[to_cosine as usize] = cosine;
                sine
            }
            Code::Unary(function, a) => function.of(r[a as usize]),
            Code::Binary(function, a, b) => function.of(r[a as usize], r[b as usize]),
            Code::Where(c, a) => {
                if r[c as usize] > 0.0 {
                    r[a as usize]
                } else {
                    0.0
                }
            }
            Code::Unless(c, a) => {
                if r[c as usize] > 0.0 {
                    0.0
                } else {
                    r[a as usize]
                }
            }
        };
        r[instruction.to as usize] = value;
    }
}
