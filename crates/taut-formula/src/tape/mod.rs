//! Compiled formulas: a list of instructions on a file of registers.
//!
//! The registers are: the inputs that the formulas need, the results in their order, the constants, and temporaries that
//! are used again as soon as their value is no longer needed. Nothing is allocated while a tape runs.

mod beside;
mod columns;
mod compile;
mod direct;
mod ensemble;
mod file;
mod instruction;
mod known;
mod many;
mod pending;
mod repeated;
mod runs;
mod shapes;
mod sines;
mod steps;
mod stretch;
#[cfg(test)]
mod tests;
mod value;
mod ways;
mod weave;
mod witness;

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use crate::number::Scalar;

pub use compile::Compiler;
use direct::{Direct, Outside};
pub use ensemble::Ensemble;
use instruction::Program;
use known::{Piece, pieces};
use many::LaneFiles;
pub use many::States;
pub use pending::Pending;
use repeated::{Repeated, Scratch};
use ways::Ways;

use crate::graph::{Depends, Graph};
use crate::settings::Setting;

/// What formulas are evaluated at. What a tape does not depend on may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct State<'a, S = f64> {
    /// t
    pub t: S,
    /// q, or x of a first-order model
    pub q: &'a [S],
    /// v
    pub v: &'a [S],
    /// v'
    pub a: &'a [S],
    /// λ
    pub lambda: &'a [S],
}

/// Where the inputs are among the registers; 0 numbers for those that are not needed.
#[derive(Clone, Copy, Debug, Default)]
struct Slots {
    position: usize,
    velocity: usize,
    acceleration: usize,
    multiplier: usize,
    end: usize,
}

impl Slots {
    /// Time comes first, then what is needed of q, v, a, λ.
    fn new(needed: Depends, n: usize, m: usize) -> Self {
        let size = |kind: Depends, size: usize| if needed.on(kind) { size } else { 0 };
        let position = 1;
        let velocity = position + size(Depends::POSITION, n);
        let acceleration = velocity + size(Depends::VELOCITY, n);
        let multiplier = acceleration + size(Depends::ACCELERATION, n);
        let end = multiplier + size(Depends::MULTIPLIER, m);
        Slots { position, velocity, acceleration, multiplier, end }
    }
}

/// What runs at many places, and then all else: one level of a tape after the other.
#[derive(Clone, Debug)]
struct Level {
    repeated: Vec<Repeated>,
    program: Program,
}

/// Registers of one evaluation.
#[derive(Clone, Debug)]
struct Registers {
    file: Vec<f64>,
    scratch: Scratch,
    ways: Ways,
    /// results that go outside without having been computed
    known: Vec<Piece>,
}

/// Compiled formulas. They can be shared: registers belong to an [`Evaluator`].
#[derive(Clone, Debug)]
pub struct Tape {
    levels: Vec<Level>,
    slots: Slots,
    /// The registers of the results.
    results: Range<usize>,
    /// Results that are inputs or other results: to, from.
    copies: Vec<(u32, u32)>,
    /// The registers that are used, with the constants in their places.
    registers: Vec<f64>,
    /// Registers that hold what is known once the parameters are.
    fixed: Vec<(u32, Setting)>,
    /// Where results and inputs do not go by registers.
    direct: Option<Direct>,
}

impl Tape {
    /// Registers with constants and parameters in them; `size` of them.
    fn file(&self, settings: &[f64], size: usize) -> Vec<f64> {
        // Zeros first: of a large file, what is not used costs nothing.
        let mut file = vec![0.0; size];
        file[..self.registers.len()].copy_from_slice(&self.registers);
        for &(register, setting) in &self.fixed {
            file[register as usize] = setting.value(settings);
        }
        file
    }

    fn load<S: Scalar>(&self, at: State<'_, S>, registers: &mut [S]) {
        let Slots { position, velocity, acceleration, multiplier, end } = self.slots;
        registers[0] = at.t;
        copy(at.q, &mut registers[position..velocity]);
        copy(at.v, &mut registers[velocity..acceleration]);
        copy(at.a, &mut registers[acceleration..multiplier]);
        copy(at.lambda, &mut registers[multiplier..end]);
    }

    fn run<'r>(&self, at: State<'_>, registers: &'r mut Registers) -> &'r [f64] {
        let Registers { file, scratch, ways, .. } = registers;
        self.load(at, file);
        match self.plain() {
            Some(program) => program.run(file),
            None => self.run_levels(file, (scratch, ways)),
        }
        for &(to, from) in &self.copies {
            file[to as usize] = file[from as usize];
        }
        &file[self.results.clone()]
    }

    fn run_levels(&self, file: &mut [f64], (scratch, ways): (&mut Scratch, &mut Ways)) {
        let mut outside = Outside::default();
        let all = self.levels.iter().flat_map(|level| &level.repeated);
        let (mut routes, _) = ways.find(&outside, all, || true);
        for Level { repeated, program } in &self.levels {
            for repeated in repeated {
                let (now, later) = routes.split_at(repeated.stretches().len());
                repeated.run(file, scratch, &mut outside, now);
                routes = later;
            }
            program.run(file);
        }
    }

    /// Its only program, where nothing is repeated.
    fn plain(&self) -> Option<&Program> {
        match self.levels.as_slice() {
            [Level { repeated, program }] if repeated.is_empty() => Some(program),
            _ => None,
        }
    }

    /// Whether nearly all places of what is repeated have registers that are evenly apart.
    fn is_even(&self) -> bool {
        self.levels.iter().flat_map(|level| &level.repeated).all(Repeated::is_even)
    }

    /// How many instructions it has that run at one place, and how many parts that run at many.
    #[cfg(test)]
    fn counts(&self) -> [usize; 2] {
        let programs = self.levels.iter().map(|level| level.program.len()).sum();
        [programs, self.levels.iter().map(|level| level.repeated.len()).sum()]
    }
}

/// Formulas for one set of parameters, with registers of their own. They are compiled when they are evaluated first, and
/// registers are asked for when they are needed first.
#[derive(Clone, Debug)]
pub struct Evaluator {
    formulas: Arc<Pending>,
    graph: Arc<Graph>,
    /// see [`Settings::values`](crate::settings::Settings::values)
    settings: Arc<[f64]>,
    /// once it has been asked for; systems are copied and moved with many that never are
    ready: OnceCell<Box<Ready>>,
}

/// A tape with registers.
#[derive(Clone, Debug)]
struct Ready {
    tape: Arc<Tape>,
    registers: RefCell<Registers>,
    lanes: RefCell<LaneFiles>,
    /// constants and parameters among the results
    known_are_finite: bool,
}

impl Evaluator {
    /// Evaluates formulas of this graph with these values of formulas of parameters.
    pub fn new(formulas: &Arc<Pending>, graph: &Arc<Graph>, settings: &Arc<[f64]>) -> Self {
        let (formulas, graph, settings) = (formulas.clone(), graph.clone(), settings.clone());
        Evaluator { formulas, graph, settings, ready: OnceCell::new() }
    }

    /// Evaluates a tape with these values of formulas of parameters.
    pub fn of_tape(tape: &Arc<Tape>, settings: &Arc<[f64]>) -> Self {
        Evaluator::new(&Arc::new(tape.clone().into()), &Arc::default(), settings)
    }

    /// Of a tape without parameters.
    pub fn without_parameters(tape: Tape) -> Self {
        Evaluator::of_tape(&Arc::new(tape), &Arc::default())
    }

    fn ready(&self) -> &Ready {
        self.ready.get_or_init(|| {
            let tape = self.formulas.tape(&self.graph);
            let file = tape.file(&self.settings, Program::file_size(tape.registers.len()));
            let scratch = if tape.plain().is_some() { Scratch::default() } else { Scratch::new() };
            let known_are_finite = all_finite(&file[tape.results.clone()]);
            let known = tape.direct.as_ref().map_or_else(Vec::new, |direct| pieces(&file, &direct.known));
            let registers = RefCell::new(Registers { file, scratch, ways: Ways::default(), known });
            Box::new(Ready { tape: tape.clone(), registers, lanes: RefCell::default(), known_are_finite })
        })
    }

    /// Evaluates all formulas; the results fill the slices one after the other. Whether all of them are finite.
    pub fn evaluate(&self, at: State<'_>, out: &mut [&mut [f64]]) -> bool {
        let Ready { tape, registers, known_are_finite, .. } = self.ready();
        let mut registers = registers.borrow_mut();
        if let Some(finite) = tape.run_directly(at, &mut registers, out) {
            // A sum may be too large where no term is.
            return *known_are_finite && (finite || out.iter().all(|out| all_finite(out)));
        }
        let mut results = tape.run(at, &mut registers);
        let finite = all_finite(results);
        for out in out {
            if let Some(now) = results.split_off(..out.len().min(results.len())) {
                out[..now.len()].copy_from_slice(now);
            }
        }
        finite
    }

    /// Evaluates all formulas and hands over the results; nothing when one of them is not finite.
    pub fn evaluate_with<R>(&self, at: State<'_>, take: impl FnOnce(&[f64]) -> R) -> Option<R> {
        let Ready { tape, registers, .. } = self.ready();
        let mut registers = registers.borrow_mut();
        let results = tape.run(at, &mut registers);
        all_finite(results).then(|| take(results))
    }

    /// Evaluates all formulas and adds the results. Whether all sums are finite.
    pub fn accumulate(&self, at: State<'_>, out: &mut [&mut [f64]]) -> bool {
        let Ready { tape, registers, .. } = self.ready();
        let mut registers = registers.borrow_mut();
        let mut results = tape.run(at, &mut registers).iter();
        let mut finite = true;
        for out in out {
            for (sum, value) in out.iter_mut().zip(results.by_ref()) {
                *sum += value;
            }
            finite &= all_finite(out);
        }
        finite
    }

    /// The results for numbers of any type, one after the other.
    pub fn evaluate_any<S: Scalar>(&self, at: State<'_, S>) -> Vec<S> {
        let tape = &self.ready().tape;
        let known = tape.file(&self.settings, tape.registers.len());
        let mut registers: Vec<S> = known.into_iter().map(S::constant).collect();
        tape.load(at, &mut registers);
        for Level { repeated, program } in &tape.levels {
            repeated.iter().for_each(|repeated| repeated.run_any(&mut registers));
            program.run_any(&mut registers);
        }
        for &(to, from) in &tape.copies {
            registers[to as usize] = registers[from as usize];
        }
        registers.drain(tape.results.clone()).collect()
    }
}

fn copy<S: Scalar>(from: &[S], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// Whether all values are finite: 0 x is not a number where x is not finite.
fn all_finite(values: &[f64]) -> bool {
    let (chunks, rest) = values.as_chunks::<8>();
    let mut zeros = [0.0; 8];
    for chunk in chunks {
        for (zero, x) in zeros.iter_mut().zip(chunk) {
            *zero += x * 0.0;
        }
    }
    zeros == [0.0; 8] && rest.iter().all(|x| x.is_finite())
}
