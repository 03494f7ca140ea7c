//! Formulas made ready for expansion: which are computed when, and which convolutions they need.

use std::collections::HashSet;
use std::ops::Range;

use super::compile::{Builder, Task};
use super::convolution::{Convolution, Convolutions};
use super::lower::Lowering;
use super::operation::Operation;
use super::pairing::Paired;
use super::pairs::Pairs;
use super::rows::{FEW, Rows};
use super::values::Stages;
use crate::graph::{Graph, Node};
use crate::number::Scalar;
use crate::settings::{Further, Setting};

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
    /// whether formulas of positions are asked for from order 1 on, in which time has a coefficient; else from order 2 on
    pub from_first_order: bool,
    /// how many formulas of parameters the graph had when its [`Settings`](crate::settings::Settings) were taken
    pub known: usize,
}

/// What is computed at one level.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// operations that are evaluated at the point of expansion
    pub(super) first: Stages,
    /// those that are evaluated there again once unknowns are known
    pub(super) again: Stages,
    pub(super) convolutions: Convolutions,
    /// sums whose sines and cosines are found side by side, and these
    pub(super) angles: Rows,
    pub(super) pairs: Pairs,
    /// what is asked for while unknowns are zero
    pub(super) probed: Rows,
    /// what else later orders and other levels need
    pub(super) all: Rows,
    /// what is asked for, with unknowns; at the level of positions
    pub(super) asked: Rows,
}

/// Formulas made ready for expansion; they can be shared.
#[derive(Clone, Debug)]
pub struct Recursion {
    pub(super) operations: Vec<Operation>,
    constants: Vec<Setting>,
    further: Further,
    /// numbers in each order: formulas and convolutions
    pub(super) width: usize,
    pub(super) kept: usize,
    /// the formulas 1 and 0
    pub(super) one: u32,
    pub(super) zero: u32,
    pub(super) roots: Vec<u32>,
    /// the same where formulas are few
    pub(super) few_roots: Vec<u8>,
    /// whether a root that is followed is an input
    pub(super) has_bare_roots: bool,
    /// formulas from this level on are followed to the order of accelerations, others as far as they are known
    pub(super) waits: Level,
    pub(super) inputs: [u32; 6],
    pub(super) lists: [Lists; 3],
}

impl Recursion {
    /// The recursion of formulas of a graph, to which it adds others.
    pub fn new(graph: &mut Graph, roots: &Roots<'_>) -> Self {
        let mut lowering = Lowering::new(graph, roots);
        let mut places = lowering.roots(roots);
        let inputs = lowering.input_ranges(roots);
        let followed = places[..roots.followed.len()].to_vec();
        let paired = lowering.pair_up(inputs[5], &followed, &mut places);
        let [one, zero] = [(); 2].map(|()| lowering.new_slot(Level::Position));
        let mut recursion = Recursion {
            operations: lowering.operations.clone(),
            constants: Vec::new(),
            further: Further::default(),
            width: 0,
            kept: lowering.kept,
            one,
            zero,
            waits: Level::Acceleration,
            has_bare_roots: followed.iter().any(|&place| place < inputs[5]),
            few_roots: places.iter().map(|&place| place as u8).collect(),
            roots: places,
            inputs,
            lists: Default::default(),
        };
        recursion.list(&mut lowering, roots, &paired);
        recursion.constants = lowering.settings();
        recursion.further = Further::beyond(lowering.graph, roots.known);
        recursion
    }

    /// The values of all constants, from those of formulas of parameters.
    pub(super) fn constants<N: Scalar>(&self, settings: &[N]) -> Vec<N> {
        let values = self.further.values_in(settings);
        self.constants.iter().map(|constant| constant.value_in(&values)).collect()
    }

    #[inline]
    pub(super) fn lists(&self, level: Level) -> &Lists {
        &self.lists[level as usize]
    }

    /// Whether no formula has branches.
    pub fn is_smooth(&self) -> bool {
        !self.operations.iter().any(|operation| matches!(operation, Operation::Choice { .. }))
    }

    /// The number of convolutions in each order.
    pub fn convolutions(&self) -> usize {
        self.lists.iter().map(|lists| lists.convolutions.count() + 2 * lists.pairs.count()).sum()
    }

    /// Finds what is computed when.
    fn list(&mut self, lowering: &mut Lowering<'_>, roots: &Roots<'_>, paired: &[Paired; 3]) {
        let operations = std::mem::take(&mut self.operations);
        let terms = lowering.terms.clone();
        let needed = Needed::new(&operations, &terms, lowering.levels.len());
        let [probed, followed, values] = self.slots_of(roots);
        self.waits = waiting_level(probed.iter().map(|&slot| lowering.levels[slot as usize]));
        let all = needed.by(&[followed.as_slice(), &probed].concat(), |_| true, true);
        let first = needed.by(&values, |_| true, false);
        let either: Vec<bool> = all.iter().zip(&first).map(|(a, b)| *a || *b).collect();
        let beside: HashSet<u32> = paired.iter().flat_map(Paired::results).collect();
        let mut convolutions = needed.convolutions(&all, &lowering.levels, &beside);
        for level in Level::ALL.into_iter().filter(|level| (self.waits..Level::Acceleration).contains(level))
        {
            let of_level = std::mem::take(&mut convolutions[level as usize]);
            convolutions[Level::Acceleration as usize].extend(of_level);
        }
        let places = self.place_convolutions(&convolutions, paired, lowering);
        // What convolutions read is wanted, and what others are told.
        let mut wanted = vec![false; lowering.levels.len()];
        let read = convolutions.iter().flatten().flat_map(|convolution| [convolution.a, convolution.b]);
        read.chain(followed).for_each(|slot| wanted[slot as usize] = true);
        let nothing = HashSet::new();
        let levels = lowering.levels.clone();
        let mut builder = Builder::new(lowering, &needed, &places, [self.one, self.zero, self.width as u32]);
        for level in Level::ALL.into_iter().rev() {
            let unknowns = self.unknowns(level, roots.from_first_order);
            let lists = &mut self.lists[level as usize];
            let of_level = |slot: &u32| levels[*slot as usize] == level;
            let asked: Vec<u32> = probed.iter().copied().filter(of_level).collect();
            let task = Task { level, wanted: &asked, vanishing: unknowns, given: &nothing };
            lists.probed = builder.rows(&task, &mut wanted);
            let kept: Vec<u32> =
                (0..wanted.len() as u32).filter(|&k| wanted[k as usize]).filter(of_level).collect();
            let paired = &paired[level as usize];
            let angles: Vec<u32> = paired.angles(self.inputs[5]).collect();
            let task = Task { level, wanted: &angles, vanishing: 0..0, given: &nothing };
            lists.angles = builder.rows(&task, &mut wanted);
            let given: HashSet<u32> = angles.into_iter().chain(paired.results()).collect();
            let others: Vec<u32> = kept.iter().copied().filter(|slot| !given.contains(slot)).collect();
            let task = Task { level, wanted: &others, vanishing: 0..0, given: &given };
            lists.all = builder.rows(&task, &mut wanted);
            if level == Level::Position {
                let given = kept.iter().copied().chain(given).collect();
                let task = Task { level, wanted: &asked, vanishing: 0..0, given: &given };
                lists.asked = builder.rows(&task, &mut wanted);
            }
            let select = |list: &[bool]| {
                let numbers = (0..list.len() as u32).filter(|&number| list[number as usize]);
                let of_level = numbers.filter(|&number| needed.level(number, &levels) == level);
                Stages::new(&of_level.collect::<Vec<u32>>(), &needed, levels.len(), self.one)
            };
            lists.first = select(&either);
            let kept = [kept, paired.results().collect()].concat();
            lists.again = select(&needed.by(&kept, |_| true, false));
        }
        self.operations = operations;
    }

    /// The slots of roots that are probed, of the others that are followed, and of those whose values alone are asked for.
    fn slots_of(&self, roots: &Roots<'_>) -> [Vec<u32>; 3] {
        let (followed, values) = self.roots.split_at(roots.followed.len());
        let numbered = followed.iter().enumerate();
        let (probed, others): (Vec<_>, Vec<_>) =
            numbered.partition(|(number, _)| roots.probed.contains(number));
        let slots = |of: Vec<(usize, &u32)>| of.into_iter().map(|(_, &slot)| slot).collect();
        [slots(probed), slots(others), values.to_vec()]
    }

    /// The inputs that are unknown in the order in hand; time has no coefficients from order 2 on.
    fn unknowns(&self, level: Level, from_first_order: bool) -> Range<u32> {
        let [time, positions, velocities, accelerations, _, end] = self.inputs;
        match level {
            Level::Position if from_first_order => positions..velocities,
            Level::Position => time..velocities,
            Level::Velocity => velocities..accelerations,
            Level::Acceleration => accelerations..end,
        }
    }

    /// Finds where the sums of convolutions are found: behind the formulas.
    fn place_convolutions(
        &mut self,
        list: &[Vec<Convolution>; 3],
        paired: &[Paired; 3],
        lowering: &Lowering<'_>,
    ) -> Vec<u32> {
        let mut places = vec![0; lowering.inner];
        self.width = lowering.levels.len();
        for ((lists, list), paired) in self.lists.iter_mut().zip(list).zip(paired) {
            lists.convolutions = Convolutions::new(list, self.width, self.zero, &mut places);
            self.width += lists.convolutions.width();
            lists.pairs = Pairs::new(&paired.list, paired.first, self.width, self.zero, &mut places);
            self.width += lists.pairs.width();
        }
        if self.width <= FEW {
            self.width = FEW;
        }
        places
    }
}

/// From which level on formulas may wait for accelerations: nothing of it is asked for before. Others have to be followed as far
/// as they are known.
fn waiting_level(asked: impl Iterator<Item = Level>) -> Level {
    match asked.map(|level| (level < Level::Acceleration).then_some(level)).max() {
        Some(None) => Level::Position,
        Some(Some(Level::Position)) => Level::Velocity,
        _ => Level::Acceleration,
    }
}

/// Which operations formulas are computed by.
pub(super) struct Needed<'a> {
    pub(super) operations: &'a [Operation],
    /// factor and formula of each term of a sum
    pub(super) terms: &'a [(u32, u32)],
    by: Vec<Option<u32>>,
}

impl<'a> Needed<'a> {
    pub(super) fn new(operations: &'a [Operation], terms: &'a [(u32, u32)], slots: usize) -> Self {
        let mut by = vec![None; slots];
        for (number, operation) in operations.iter().enumerate() {
            for slot in operation.results().into_iter().flatten() {
                by[slot as usize] = Some(number as u32);
            }
        }
        Needed { operations, terms, by }
    }

    /// The operation that computes a formula.
    pub(super) fn operation(&self, slot: u32) -> Option<(u32, Operation)> {
        self.by[slot as usize].map(|number| (number, self.operations[number as usize]))
    }

    fn level(&self, number: u32, levels: &[Level]) -> Level {
        self.operations[number as usize].results()[0].map_or(Level::Position, |slot| levels[slot as usize])
    }

    /// The convolutions of operations that are needed, by level, but for those of sines and cosines that are computed side by
    /// side.
    fn convolutions(
        &self,
        needed: &[bool],
        levels: &[Level],
        beside: &HashSet<u32>,
    ) -> [Vec<Convolution>; 3] {
        let mut found: [Vec<Convolution>; 3] = Default::default();
        let is_beside = |number: usize| {
            self.operations[number].results().into_iter().flatten().any(|slot| beside.contains(&slot))
        };
        for number in (0..needed.len()).filter(|&number| needed[number] && !is_beside(number)) {
            let level = self.level(number as u32, levels);
            self.operations[number].convolutions(&mut found[level as usize]);
        }
        found
    }

    /// All formulas that one reads in the same order.
    pub(super) fn reads(&self, operation: &Operation) -> Vec<u32> {
        match *operation {
            Operation::Sum { terms: (from, to), .. } => {
                self.terms[from as usize..to as usize].iter().map(|term| term.1).collect()
            }
            _ => operation.operands().into_iter().flatten().collect(),
        }
    }

    /// The operations that some formulas are computed by, through formulas that are not known; with slopes or without.
    pub(super) fn by(&self, roots: &[u32], is_open: impl Fn(u32) -> bool, slopes: bool) -> Vec<bool> {
        let mut needed = vec![false; self.operations.len()];
        let mut waiting = roots.to_vec();
        while let Some(slot) = waiting.pop() {
            let Some((number, operation)) = self.operation(slot) else { continue };
            if std::mem::replace(&mut needed[number as usize], true) {
                continue;
            }
            waiting.extend(self.reads(&operation).into_iter().filter(|&slot| is_open(slot)));
            if slopes {
                waiting.extend(operation.slopes().into_iter().flatten());
            }
        }
        needed
    }
}
