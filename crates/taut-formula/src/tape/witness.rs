//! Which results need not be looked at to know that all of them are finite.

use std::collections::HashMap;
use std::ops::Range;

use super::file::SMALL;
use super::instruction::{Instruction, Kind, Program};

/// For each result of a program the others that are not finite where it is not: where one of these is looked at, it need not be. Of
/// several that say the same of each other, the first does for all.
pub(super) fn witnesses(program: &Program, results: &Range<usize>) -> Vec<Vec<usize>> {
    let Spread { holds, tells } = Spread::through(program);
    let reached: Vec<Vec<bool>> = results.clone().map(|register| reach(&tells, holds[register])).collect();
    let leads = |from: usize, to: usize| reached[from][holds[results.start + to]];
    let of = |k: usize| {
        let others = (0..results.len()).filter(|&other| other != k);
        others.filter(|&other| leads(k, other) && (other < k || !leads(other, k))).collect()
    };
    (0..results.len()).map(of).collect()
}

/// How values that are not finite spread. Values are numbered: first what registers hold before a program runs, then what it computes.
struct Spread {
    /// the value that each register holds in the end
    holds: Vec<usize>,
    /// for each value those that are not finite where it is not
    tells: Vec<Vec<usize>>,
}

impl Spread {
    fn through(program: &Program) -> Self {
        let (mut holds, mut tells) = ((0..SMALL).collect::<Vec<_>>(), vec![Vec::new(); SMALL]);
        let mut differences = HashMap::new();
        for (kind, Instruction { to, operands: registers }) in program.small_steps() {
            let (value, operands) = (tells.len(), registers.map(|register| holds[register]));
            tells.push(Vec::new());
            kind.passes_on().iter().for_each(|&k| tells[operands[k]].push(value));
            let [a, b, ..] = operands;
            match kind {
                Kind::Negative => tells[value].push(a),
                Kind::Subtract => {
                    differences.insert((a, b), value);
                    if let Some(&opposite) = differences.get(&(b, a)) {
                        tells[value].push(opposite);
                        tells[opposite].push(value);
                    }
                }
                Kind::SineCosine => {
                    holds[registers[1]] = tells.len();
                    tells.push(Vec::new());
                }
                _ => {}
            }
            holds[to] = value;
        }
        Spread { holds, tells }
    }
}

/// Which values are not finite where this one is not.
fn reach(tells: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; tells.len()];
    let mut waiting = vec![from];
    while let Some(value) = waiting.pop() {
        if !std::mem::replace(&mut reached[value], true) {
            waiting.extend(&tells[value]);
        }
    }
    reached
}
