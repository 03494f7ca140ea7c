//! Copies of one model with different parameters, evaluated together.

use std::sync::Arc;

use super::many::{LaneRun, States};
use super::value::Lanes;
use super::{Evaluator, Program};
use crate::unit::Unit;

/// So many copies are evaluated at once.
const TOGETHER: usize = 8;

/// Formulas for several sets of parameters. On a machine with a vector unit each lane holds one copy with its parameters; the
/// results are the same, to the last bit, as those of one [`Evaluator`] after the other.
#[derive(Clone, Debug)]
pub struct Ensemble {
    copies: Vec<Evaluator>,
    /// registers of eight copies each; what is left over repeats the last of them
    files: Vec<Vec<Lanes<TOGETHER>>>,
}

impl Ensemble {
    /// Of evaluators of the same formulas; nothing where they are not.
    pub fn new(copies: Vec<Evaluator>) -> Option<Self> {
        let first = copies.first()?;
        let same = |copy: &Evaluator| Arc::ptr_eq(&copy.ready().tape, &first.ready().tape);
        if !copies.iter().all(same) {
            return None;
        }
        let together = first.takes_several();
        let files = copies.chunks(TOGETHER).filter(|_| together).map(file).collect();
        Some(Ensemble { copies, files })
    }

    /// How many copies there are.
    pub fn count(&self) -> usize {
        self.copies.len()
    }

    /// Evaluates all formulas, each copy at its own state. Each slice has as many equal parts as there are copies; those of one
    /// copy are filled one slice after the other. Whether all results are finite; false where there are not as many states as copies.
    pub fn evaluate(&mut self, at: States<'_>, out: &mut [&mut [f64]]) -> bool {
        let count = self.copies.len();
        if at.t.len() != count {
            return false;
        }
        let mut finite = true;
        match Unit::here() {
            Unit::Vector(arch) if !self.files.is_empty() => {
                let Some(first) = self.copies.first() else { return true };
                let tape = &first.ready().tape;
                for (registers, first) in self.files.iter_mut().zip((0..).step_by(TOGETHER)) {
                    let which = (first, count.min(first + TOGETHER));
                    finite &= arch.dispatch(LaneRun { tape, at, which, registers, out });
                }
            }
            _ => {
                for (k, copy) in self.copies.iter().enumerate() {
                    finite &= copy.one_by_one(at, k..k + 1, out);
                }
            }
        }
        finite
    }
}

/// Registers with the constants and parameters of some copies.
fn file(copies: &[Evaluator]) -> Vec<Lanes<TOGETHER>> {
    let used = copies.first().map_or(0, |copy| copy.ready().tape.registers.len());
    let mut file = vec![Lanes([0.0; TOGETHER]); Program::file_size(used)];
    for lane in 0..TOGETHER {
        let copy = copies.get(lane).or(copies.last());
        let known = copy.map_or_else(Vec::new, |copy| copy.ready().tape.file(&copy.settings, used));
        for (register, value) in file.iter_mut().zip(known) {
            register.0[lane] = value;
        }
    }
    file
}
