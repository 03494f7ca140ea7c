//! From operations to rows.
//!
//! Formulas that nothing but rows reads need no place of their own: their terms go into the rows that read them. Terms whose
//! formulas are zero are left out. So the rows of what is asked for while unknowns are zero read convolutions and little else.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::lower::Lowering;
use super::operation::Operation;
use super::recursion::{Level, Needed};
use super::rows::{ChoiceRow, Rows};
use crate::graph::{Graph, Node};

/// Which rows are wanted.
pub(super) struct Task<'a> {
    pub(super) level: Level,
    /// formulas of the level
    pub(super) wanted: &'a [u32],
    /// inputs that are zero
    pub(super) vanishing: Range<u32>,
    /// formulas of the level that are known already
    pub(super) given: &'a HashSet<u32>,
}

/// A factor: the sum of products of constants with values at the point of expansion.
type Weight = BTreeMap<u32, Node>;
type Terms = BTreeMap<u32, Weight>;

/// A row that is being made.
struct Row {
    out: u32,
    layer: usize,
    terms: Vec<(u32, Weight)>,
    choice: Option<ChoiceRow>,
}

/// Makes rows.
pub(super) struct Builder<'b, 'g> {
    pub(super) lowering: &'b mut Lowering<'g>,
    needed: &'b Needed<'b>,
    /// where sums of convolutions are found
    sums: &'b [u32],
    one: u32,
    zero: u32,
    /// what is kept beside values has numbers from here on
    kept: u32,
}

impl<'b, 'g> Builder<'b, 'g> {
    pub(super) fn new(
        lowering: &'b mut Lowering<'g>,
        needed: &'b Needed<'b>,
        sums: &'b [u32],
        [one, zero, kept]: [u32; 3],
    ) -> Self {
        Builder { lowering, needed, sums, one, zero, kept }
    }

    /// The rows that give formulas; formulas of lower levels that they read become wanted.
    pub(super) fn rows(&mut self, task: &Task<'_>, wanted: &mut [bool]) -> Rows {
        let levels = self.lowering.levels.clone();
        let is_open = |slot: u32| levels[slot as usize] == task.level && !task.given.contains(&slot);
        let operations = self.needed.by(task.wanted, is_open, false);
        let uses = self.uses(&operations, task.wanted);
        let mut inline: HashMap<u32, Terms> = HashMap::new();
        let (mut rows, mut layers) = (Vec::new(), HashMap::new());
        for number in (0..operations.len()).filter(|&number| operations[number]) {
            let operation = self.lowering.operations[number];
            for out in operation.results().into_iter().flatten() {
                let Some(uses) = uses.get(&out).filter(|_| is_open(out)) else { continue };
                let terms = self.terms(&operation, out);
                let terms = self.put_in(terms, &inline, task);
                let choice = self.choice(&operation, task);
                let plain = terms.values().all(|weight| self.is_constant(weight));
                let short = uses.count == 1 || terms.len() <= 2;
                if choice.is_none() && !uses.is_kept && short && (plain || !uses.by_nonlinear) {
                    inline.insert(out, terms);
                    continue;
                }
                let mut row = Row { out, layer: 0, terms: terms.into_iter().collect(), choice };
                row.layer =
                    row.reads().map(|slot| layers.get(&slot).map_or(0, |layer| layer + 1)).max().unwrap_or(0);
                layers.insert(out, row.layer);
                for slot in row.reads().filter(|&slot| (slot as usize) < levels.len()) {
                    wanted[slot as usize] |= levels[slot as usize] < task.level;
                }
                rows.push(row);
            }
        }
        self.flatten(rows)
    }

    /// How often and by whom formulas are read.
    fn uses(&self, operations: &[bool], wanted: &[u32]) -> HashMap<u32, Uses> {
        let mut uses: HashMap<u32, Uses> = HashMap::new();
        for number in (0..operations.len()).filter(|&number| operations[number]) {
            let operation = self.lowering.operations[number];
            for slot in self.needed.reads(&operation) {
                let uses = uses.entry(slot).or_default();
                uses.count += 1;
                uses.by_nonlinear |= !matches!(operation, Operation::Sum { .. });
                uses.is_kept |= matches!(operation, Operation::Choice { .. });
            }
        }
        for &slot in wanted {
            uses.entry(slot).or_default().is_kept = true;
        }
        uses
    }

    /// The coefficient of a formula: what is linear in those of its operands, and its convolutions.
    fn terms(&mut self, operation: &Operation, out: u32) -> Terms {
        let (one, kept) = (self.one, |place: u32| self.kept + place);
        let sum = |number: u32| self.sums[number as usize];
        let (plus, minus) = (Graph::ONE, Graph::MINUS_ONE);
        let terms: Vec<(u32, Node, u32)> = match *operation {
            Operation::Sum { terms: (from, to), .. } => {
                let terms = self.lowering.terms[from as usize..to as usize].iter();
                terms.map(|&(factor, slot)| (slot, self.lowering.constants[factor as usize], one)).collect()
            }
            Operation::Product { a, b, inner, .. } => {
                vec![(a, plus, b), (b, plus, a), (sum(inner), plus, one)]
            }
            Operation::Square { a, inner, .. } => {
                let two = self.lowering.graph.constant(2.0);
                vec![(a, two, a), (sum(inner), plus, one)]
            }
            Operation::Quotient { a, b, inner, kept: k, .. } => {
                vec![(a, plus, kept(k)), (b, plus, kept(k + 1)), (sum(inner), minus, kept(k))]
            }
            Operation::Reciprocal { b, inner, kept: k, .. } => {
                vec![(b, plus, kept(k + 1)), (sum(inner), minus, kept(k))]
            }
            Operation::Root { a, inner, kept: k, .. } => {
                vec![(a, plus, kept(k)), (sum(inner), minus, kept(k))]
            }
            Operation::Exponential { a, inner, .. } => vec![(a, plus, out), (sum(inner), plus, one)],
            Operation::SineCosine { sine, cosine, a, inner } if out == sine => {
                vec![(a, plus, cosine), (sum(inner), plus, one)]
            }
            Operation::SineCosine { sine, a, inner, .. } => {
                vec![(a, minus, sine), (sum(inner + 1), minus, one)]
            }
            // a z' = p a' z
            Operation::Power { a, exponent, inner, kept: k, .. } => {
                let exponent = self.lowering.constants[exponent as usize];
                vec![
                    (a, plus, kept(k + 1)),
                    (sum(inner), exponent, kept(k)),
                    (sum(inner + 1), minus, kept(k)),
                ]
            }
            Operation::Chain { a, slope, inner, .. } => vec![(a, plus, slope), (sum(inner), plus, one)],
            Operation::Pair { a, b, slopes, inner, .. } => vec![
                (a, plus, slopes.0),
                (b, plus, slopes.1),
                (sum(inner), plus, one),
                (sum(inner + 1), plus, one),
            ],
            Operation::Choice { a, .. } => vec![(a, plus, one)],
        };
        let mut found = Terms::new();
        for (slot, constant, place) in terms {
            self.add(&mut found, slot, place, constant);
        }
        found
    }

    fn add(&mut self, terms: &mut Terms, slot: u32, place: u32, constant: Node) {
        let entry = terms.entry(slot).or_default().entry(place).or_insert(Graph::ZERO);
        *entry = self.lowering.graph.add(*entry, constant);
    }

    fn is_constant(&self, weight: &Weight) -> bool {
        weight.keys().all(|&place| place == self.one)
    }

    /// Puts in what has no place of its own, and leaves out what vanishes.
    fn put_in(&mut self, terms: Terms, inline: &HashMap<u32, Terms>, task: &Task<'_>) -> Terms {
        let mut found = Terms::new();
        for (slot, weight) in terms {
            if task.vanishing.contains(&slot) {
                continue;
            }
            let Some(inner) = inline.get(&slot) else {
                for (place, constant) in weight {
                    self.add(&mut found, slot, place, constant);
                }
                continue;
            };
            for (&slot, inner_weight) in inner {
                for (&place, &constant) in &weight {
                    for (&inner_place, &inner_constant) in inner_weight {
                        // One of the two factors is a constant.
                        let place = if place == self.one { inner_place } else { place };
                        let constant = self.lowering.graph.multiply(constant, inner_constant);
                        self.add(&mut found, slot, place, constant);
                    }
                }
            }
        }
        for weight in found.values_mut() {
            weight.retain(|_, constant| *constant != Graph::ZERO);
        }
        found.retain(|_, weight| !weight.is_empty());
        found
    }

    /// Where a value is found: what is kept beside them comes first.
    fn place(&self, number: u32) -> u32 {
        number.checked_sub(self.kept).unwrap_or(number + self.lowering.kept as u32)
    }

    fn choice(&self, operation: &Operation, task: &Task<'_>) -> Option<ChoiceRow> {
        let Operation::Choice { condition, a, b, kept, choice, .. } = *operation else { return None };
        let [condition, a, b] =
            [condition, a, b].map(|slot| if task.vanishing.contains(&slot) { self.zero } else { slot });
        Some(ChoiceRow { row: 0, term: 0, condition, a, b, kept, choice })
    }

    /// Rows of as many terms one after the other, as far as they do not need one another; where a run would be short, some get
    /// terms that are zero.
    fn flatten(&mut self, mut rows: Vec<Row>) -> Rows {
        for row in rows.iter_mut().filter(|row| row.choice.is_some()) {
            // The formula and its factor are found at the point of expansion.
            row.terms = vec![(self.zero, Weight::from([(self.one, Graph::ZERO)]))];
        }
        rows.sort_by_key(|row| (row.layer, row.terms.len(), row.out));
        let lengths = run_lengths(&rows.iter().map(|row| row.terms.len()).collect::<Vec<usize>>());
        for (row, length) in rows.iter_mut().zip(lengths) {
            row.terms.resize_with(length, || (self.zero, Weight::from([(self.one, Graph::ZERO)])));
        }
        let mut flat = Rows::default();
        for row in rows {
            flat.add_to_runs(row.terms.len());
            if let Some(choice) = row.choice {
                let (row, term) = (flat.out.len() as u32, flat.operands.len() as u32);
                flat.choices.push(ChoiceRow { row, term, ..choice });
            }
            flat.out.push(row.out);
            for (slot, weight) in row.terms {
                let term = flat.operands.len() as u32;
                flat.operands.push(slot);
                if self.is_constant(&weight) {
                    let constant = weight.into_values().next().unwrap_or(Graph::ZERO);
                    flat.fixed.push((term, self.lowering.constant(constant)));
                    continue;
                }
                let single = weight.len() == 1;
                for (place, constant) in weight {
                    let (constant, place) = (self.lowering.constant(constant), self.place(place));
                    match single {
                        true => flat.single.push((term, constant, place)),
                        false => flat.products.push((constant, place)),
                    }
                }
                if !single {
                    flat.weighed.push((term, flat.products.len() as u32));
                }
            }
        }
        flat
    }
}

/// Beginning a run costs as much as so many terms.
const RUN: usize = 4;

/// How many terms rows get, so that runs of as many terms are not too short.
fn run_lengths(lengths: &[usize]) -> Vec<usize> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &length in lengths {
        match runs.last_mut() {
            Some((last, count)) if *last == length => *count += 1,
            _ => runs.push((length, 1)),
        }
    }
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (length, count) in runs {
        if let Some((last, rows)) = merged.last_mut() {
            let added = if *last < length { (length - *last) * *rows } else { (*last - length) * count };
            if added <= RUN {
                (*last, *rows) = (length.max(*last), *rows + count);
                continue;
            }
        }
        merged.push((length, count));
    }
    merged.into_iter().flat_map(|(length, count)| std::iter::repeat_n(length, count)).collect()
}

impl Row {
    /// All formulas it reads.
    fn reads(&self) -> impl Iterator<Item = u32> {
        let choice = self.choice.iter().flat_map(|choice| [choice.condition, choice.a, choice.b]);
        self.terms.iter().map(|(slot, _)| *slot).chain(choice)
    }
}

/// Rows of sums that do not need one another, at the point of expansion: their constants are multiples of the formula 1.
pub(super) fn sum_rows(sums: &[Operation], terms: &[(u32, u32)], one: u32) -> Rows {
    let rows = sums.iter().filter_map(|sum| match *sum {
        Operation::Sum { out, terms: (from, to), constant } => {
            Some((out, constant, &terms[from as usize..to as usize]))
        }
        _ => None,
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|(_, _, terms)| terms.len());
    let mut flat = Rows::default();
    for (out, constant, terms) in rows {
        flat.add_to_runs(terms.len() + 1);
        flat.out.push(out);
        for &(factor, slot) in [(constant, one)].iter().chain(terms) {
            flat.fixed.push((flat.operands.len() as u32, factor));
            flat.operands.push(slot);
        }
    }
    flat
}

/// How often a formula is read.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: usize,
    by_nonlinear: bool,
    /// whether it needs a place of its own
    is_kept: bool,
}
