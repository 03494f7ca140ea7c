//! Formulas made ready for expansion: which are computed when, and which convolutions they need.

use std::collections::HashMap;

use super::lower::Lowering;
use super::operation::Operation;
use crate::graph::{Graph, Node};
use crate::settings::Setting;

/// What a formula depends on, which tells up to which order it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// time and positions (or the variables of a first-order system)
    Position,
    /// velocities, too
    Velocity,
    /// accelerations and multipliers, too
    Acceleration,
}

impl Level {
    /// All of them.
    pub const ALL: [Level; 3] = [Level::Position, Level::Velocity, Level::Acceleration];
}

/// The formulas that are to be expanded.
#[derive(Clone, Copy, Debug)]
pub struct Roots<'a> {
    /// the number of coordinates or variables
    pub n: usize,
    /// the number of multipliers
    pub m: usize,
    /// formulas whose coefficients are wanted
    pub followed: &'a [Node],
    /// those among them that are asked for while the unknowns of the same order are taken for zero, by number
    pub probed: &'a [usize],
    /// formulas whose values are wanted; as roots they come after the others
    pub values: &'a [Node],
}

/// The formulas of one level, by number of operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// all that is evaluated at the point of expansion
    pub(super) first: Vec<u32>,
    /// what is evaluated in all orders
    pub(super) all: Vec<u32>,
    /// what is asked for while unknowns are zero
    pub(super) probed: Vec<u32>,
    /// what later orders need once unknowns are known
    pub(super) repeated: Vec<u32>,
    /// forward row, reversed row, place of the sum
    pub(super) convolutions: Vec<(u32, u32, u32)>,
    /// rows that also are kept as those of the derivative
    pub(super) rates: Vec<(u32, u32)>,
    /// rows that also are kept with the last coefficient first
    pub(super) reversed: Vec<(u32, u32)>,
}

/// Formulas made ready for expansion; they can be shared.
#[derive(Clone, Debug)]
pub struct Recursion {
    pub(super) operations: Vec<Operation>,
    pub(super) constants: Vec<Setting>,
    /// factor and formula of each term of a sum
    pub(super) terms: Vec<(u32, u32)>,
    pub(super) slots: usize,
    pub(super) reversed: usize,
    pub(super) inner: usize,
    pub(super) kept: usize,
    pub(super) roots: Vec<u32>,
    pub(super) followed: usize,
    pub(super) time: u32,
    pub(super) positions: u32,
    pub(super) velocities: u32,
    pub(super) accelerations: u32,
    pub(super) multipliers: u32,
    lists: [Lists; 3],
}

impl Recursion {
    /// The recursion of formulas of a graph. Constants that it adds are formulas of parameters; settings have to be
    /// [extended](crate::settings::Settings::extend) by them.
    pub fn new(graph: &mut Graph, roots: &Roots<'_>) -> Self {
        let mut lowering = Lowering::new(graph, roots);
        let places = lowering.roots(roots);
        let constants = lowering.settings();
        let Lowering { operations, terms, levels, inner, kept, inputs, .. } = lowering;
        let [time, positions, velocities, accelerations, multipliers] = inputs;
        let mut recursion = Recursion {
            slots: levels.len(),
            operations,
            constants,
            terms,
            reversed: 0,
            inner,
            kept,
            followed: roots.followed.len(),
            roots: places,
            time,
            positions,
            velocities,
            accelerations,
            multipliers,
            lists: Default::default(),
        };
        recursion.list(&levels, roots);
        recursion.list_convolutions(&levels);
        recursion
    }

    pub(super) fn lists(&self, level: Level) -> &Lists {
        &self.lists[level as usize]
    }

    /// Whether there are formulas of a level that are followed.
    pub fn has(&self, level: Level) -> bool {
        !self.lists(level).all.is_empty()
    }

    /// Whether no formula has branches.
    pub fn is_smooth(&self) -> bool {
        !self.operations.iter().any(|operation| matches!(operation, Operation::Choice { .. }))
    }

    /// The number of convolutions in each order.
    pub fn convolutions(&self) -> usize {
        self.lists.iter().map(|lists| lists.convolutions.len()).sum()
    }

    /// Finds what is computed when.
    fn list(&mut self, levels: &[Level], roots: &Roots<'_>) {
        let (followed, values) = self.roots.split_at(self.followed);
        let all = self.needed(followed, levels, None, true);
        let first = self.needed(values, levels, None, false);
        let probed: Vec<u32> = roots.probed.iter().map(|&number| followed[number]).collect();
        let mut lists: [Lists; 3] = Default::default();
        for level in Level::ALL {
            let probed: Vec<u32> =
                probed.iter().copied().filter(|&slot| levels[slot as usize] == level).collect();
            let lists = &mut lists[level as usize];
            let of_level = |number: usize| self.level(number, levels) == level;
            let select = |wanted: &[bool]| {
                (0..wanted.len()).filter(|&k| wanted[k] && of_level(k)).map(|k| k as u32).collect()
            };
            lists.all = select(&all);
            lists.probed = select(&self.needed(&probed, levels, Some(level), false));
            let either: Vec<bool> = all.iter().zip(&first).map(|(a, b)| *a || *b).collect();
            lists.first = select(&either);
            lists.repeated =
                select(&self.needed(&self.read_again(&all, level, levels), levels, Some(level), false));
        }
        self.lists = lists;
    }

    fn level(&self, number: usize, levels: &[Level]) -> Level {
        let slot = self.operations[number].results()[0].unwrap_or(0);
        levels[slot as usize]
    }

    /// Formulas of a level that nonlinear operations or slopes read: later orders need all of their coefficients.
    fn read_again(&self, all: &[bool], level: Level, levels: &[Level]) -> Vec<u32> {
        let operations = self.operations.iter().zip(all).filter(|(_, needed)| **needed);
        let read = operations
            .flat_map(|(operation, _)| operation.operands().into_iter().chain(operation.slopes()).flatten());
        read.filter(|&slot| levels[slot as usize] == level).collect()
    }

    /// Which operations formulas are computed by, at one level or at all, with those of slopes or without.
    fn needed(&self, roots: &[u32], levels: &[Level], level: Option<Level>, slopes: bool) -> Vec<bool> {
        let mut by = vec![None; levels.len()];
        for (number, operation) in self.operations.iter().enumerate() {
            for slot in operation.results().into_iter().flatten() {
                by[slot as usize] = Some(number);
            }
        }
        let mut needed = vec![false; self.operations.len()];
        let mut waiting = roots.to_vec();
        while let Some(slot) = waiting.pop() {
            let Some(number) = by[slot as usize].filter(|&number| !needed[number]) else { continue };
            if level.is_some_and(|level| self.level(number, levels) != level) {
                continue;
            }
            needed[number] = true;
            let operation = &self.operations[number];
            waiting.extend(operation.operands().into_iter().flatten());
            if slopes {
                waiting.extend(operation.slopes().into_iter().flatten());
            }
            if let Operation::Sum { terms: (from, to), .. } = *operation {
                waiting.extend(self.terms[from as usize..to as usize].iter().map(|term| term.1));
            }
        }
        needed
    }

    /// Finds the convolutions, and the rows that are kept for them.
    fn list_convolutions(&mut self, levels: &[Level]) {
        let mut rows = Rows { levels: levels.to_vec(), ..Rows::default() };
        let mut products = Vec::new();
        for level in Level::ALL {
            for number in std::mem::take(&mut self.lists[level as usize].all) {
                let operation = self.operations[number as usize];
                match operation {
                    Operation::Product { a, b, inner, .. } => products.push((level, a, b, inner)),
                    _ => rows.convolutions_of(level, &operation),
                }
                self.lists[level as usize].all.push(number);
            }
        }
        for (level, a, b, inner) in products {
            // A row that is reversed already serves again.
            let (a, b) = if rows.reversed.contains_key(&a) { (b, a) } else { (a, b) };
            let b = rows.reverse(b);
            rows.convolutions.push((level, (a, b, inner)));
        }
        self.slots = rows.levels.len();
        self.reversed = rows.reversed.len();
        for (level, convolution) in rows.convolutions {
            self.lists[level as usize].convolutions.push(convolution);
        }
        let mut rates: Vec<_> = rows.rates.into_iter().collect();
        rates.sort_unstable();
        for (slot, rate) in rates {
            self.lists[rows.levels[slot as usize] as usize].rates.push((slot, rate));
        }
        let mut reversed: Vec<_> = rows.reversed.into_iter().collect();
        reversed.sort_unstable();
        for (slot, row) in reversed {
            self.lists[rows.levels[slot as usize] as usize].reversed.push((slot, row));
        }
    }
}

/// Rows of coefficients that convolutions are made of.
#[derive(Default)]
struct Rows {
    levels: Vec<Level>,
    rates: HashMap<u32, u32>,
    reversed: HashMap<u32, u32>,
    convolutions: Vec<(Level, (u32, u32, u32))>,
}

impl Rows {
    /// The row of j xⱼ.
    fn rate(&mut self, slot: u32) -> u32 {
        let levels = &mut self.levels;
        *self.rates.entry(slot).or_insert_with(|| {
            levels.push(levels[slot as usize]);
            levels.len() as u32 - 1
        })
    }

    fn reverse(&mut self, slot: u32) -> u32 {
        let next = self.reversed.len() as u32;
        *self.reversed.entry(slot).or_insert(next)
    }

    fn push(&mut self, level: Level, forward: u32, reversed: u32, inner: u32) {
        let reversed = self.reverse(reversed);
        self.convolutions.push((level, (forward, reversed, inner)));
    }

    fn convolutions_of(&mut self, level: Level, operation: &Operation) {
        match *operation {
            Operation::Sum { .. } | Operation::Choice { .. } | Operation::Product { .. } => {}
            Operation::Square { a, inner, .. } => self.push(level, a, a, inner),
            Operation::Quotient { out, b, inner, .. } | Operation::Reciprocal { out, b, inner, .. } => {
                self.push(level, b, out, inner);
            }
            Operation::Root { out, inner, .. } => self.push(level, out, out, inner),
            Operation::Exponential { out, a, inner } => {
                let rate = self.rate(a);
                self.push(level, rate, out, inner);
            }
            Operation::SineCosine { sine, cosine, a, inner } => {
                let rate = self.rate(a);
                self.push(level, rate, cosine, inner);
                self.push(level, rate, sine, inner + 1);
            }
            Operation::Power { out, a, inner, .. } => {
                let rates = (self.rate(a), self.rate(out));
                self.push(level, rates.0, out, inner);
                self.push(level, rates.1, a, inner + 1);
            }
            Operation::Chain { a, slope, inner, .. } => {
                let rate = self.rate(a);
                self.push(level, rate, slope, inner);
            }
            Operation::Pair { a, b, slopes, inner, .. } => {
                let rates = (self.rate(a), self.rate(b));
                self.push(level, rates.0, slopes.0, inner);
                self.push(level, rates.1, slopes.1, inner + 1);
            }
        }
    }
}
