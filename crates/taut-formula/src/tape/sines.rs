//! All sines and cosines of a run together.

use pulp::{Simd, WithSimd};

use super::file::File;
use super::instruction::Instruction;
use super::value::{Lanes, Value};
use crate::sine::sines_and_cosines;
use crate::unit::Unit;

/// So many sines of one state are computed at once.
const TOGETHER: usize = 4;

/// How the sines and cosines of a run are computed. A number gives the same bits however many go together.
pub(super) trait Sines: Value {
    /// Writes what `keep` makes of sine and cosine of the first operand.
    fn sines<F: File<Value = Self> + ?Sized>(
        instructions: &[Instruction<F::Number>],
        registers: &mut F,
        keep: impl Fn(&[F::Number; 4], Self, Self, &mut F) -> Self,
    );
}

impl Sines for f64 {
    #[inline(always)]
    fn sines<F: File<Value = f64> + ?Sized>(
        instructions: &[Instruction<F::Number>],
        registers: &mut F,
        keep: impl Fn(&[F::Number; 4], f64, f64, &mut F) -> f64,
    ) {
        match Unit::here() {
            Unit::Plain => {
                for instruction in instructions {
                    let (sine, cosine) = sine_and_cosine(registers.get(instruction.operands[0]));
                    let value = keep(&instruction.operands, sine, cosine, registers);
                    registers.set(instruction.to, value);
                }
            }
            Unit::Vector(arch) => arch.dispatch(Together { instructions, registers, keep }),
        }
    }
}

/// A run of sines of one state. Instructions of one run do not need each other's results, so that their arguments may be
/// read first. A type of its own, since a closure would not be compiled for the vector unit.
struct Together<'a, F: File + ?Sized, K> {
    instructions: &'a [Instruction<F::Number>],
    registers: &'a mut F,
    keep: K,
}

impl<F, K> WithSimd for Together<'_, F, K>
where
    F: File<Value = f64> + ?Sized,
    K: Fn(&[F::Number; 4], f64, f64, &mut F) -> f64,
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Together { instructions, registers, keep } = self;
        let mut rest = instructions;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(TOGETHER));
            let mut arguments = [0.0; TOGETHER];
            for (argument, instruction) in arguments.iter_mut().zip(now) {
                *argument = registers.get(instruction.operands[0]);
            }
            let (sines, cosines) = sines_and_cosines(arguments);
            for (k, instruction) in now.iter().enumerate() {
                let value = keep(&instruction.operands, sines[k], cosines[k], registers);
                registers.set(instruction.to, value);
            }
            rest = later;
        }
    }
}

impl<const L: usize> Sines for Lanes<L> {
    #[inline(always)]
    fn sines<F: File<Value = Self> + ?Sized>(
        instructions: &[Instruction<F::Number>],
        registers: &mut F,
        keep: impl Fn(&[F::Number; 4], Self, Self, &mut F) -> Self,
    ) {
        for instruction in instructions {
            for part in 0..F::PARTS {
                registers.turn_to(part);
                let (sine, cosine) = sines_and_cosines(registers.get(instruction.operands[0]).0);
                let value = keep(&instruction.operands, Lanes(sine), Lanes(cosine), registers);
                registers.set(instruction.to, value);
            }
        }
    }
}

/// A function of its own: only where sine and cosine stay side by side does the compiler join them into one call.
#[inline(never)]
fn sine_and_cosine(x: f64) -> (f64, f64) {
    x.sin_cos()
}
