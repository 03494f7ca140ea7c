//! Values of formulas at the point of expansion.
//!
//! Sums are rows like those of higher orders, other operations are evaluated one by one. A stage has sums that do not need one
//! another, then operations that need them.

use super::compile::sum_rows;
use super::convolution::Coefficient;
use super::operation::Operation;
use super::recursion::Needed;
use super::rows::{Rows, Weights};

/// Operations of a level in the order of their evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages(Vec<Stage>);

#[derive(Clone, Debug, Default)]
struct Stage {
    sums: Rows,
    others: Vec<u32>,
}

impl Stages {
    /// Of operations in an order in which they can be evaluated; `one` is the formula 1.
    pub(super) fn new(numbers: &[u32], needed: &Needed<'_>, slots: usize, one: u32) -> Self {
        // After which stages formulas are known: sums of a stage are, before its other operations.
        let mut known_after = vec![None; slots];
        let mut stages: Vec<(Vec<Operation>, Vec<u32>)> = Vec::new();
        for &number in numbers {
            let operation = needed.operations[number as usize];
            let last = needed.reads(&operation).iter().filter_map(|&slot| known_after[slot as usize]).max();
            let is_sum = matches!(operation, Operation::Sum { .. });
            let stage = last.map_or(0, |last: usize| last + usize::from(is_sum));
            stages.resize_with(stages.len().max(stage + 1), Default::default);
            match is_sum {
                true => stages[stage].0.push(operation),
                false => stages[stage].1.push(number),
            }
            for slot in operation.results().into_iter().flatten() {
                known_after[slot as usize] = Some(stage);
            }
        }
        let stages = stages.into_iter();
        Stages(
            stages.map(|(sums, others)| Stage { sums: sum_rows(&sums, needed.terms, one), others }).collect(),
        )
    }

    /// The factors of all sums.
    pub(super) fn weights<N: Coefficient>(&self, constants: &[N], width: usize) -> Vec<Weights<N>> {
        self.0.iter().map(|stage| Weights::new(&stage.sums, constants, width)).collect()
    }

    /// Takes over other factors.
    pub(super) fn set<N: Coefficient>(&self, weights: &mut [Weights<N>], constants: &[N]) {
        for (stage, weights) in self.0.iter().zip(weights) {
            weights.set(&stage.sums, constants);
        }
    }

    /// Evaluates all operations.
    pub(super) fn evaluate<N: Coefficient>(
        &self,
        operations: &[Operation],
        weights: &mut [Weights<N>],
        constants: &[N],
        (values, kept): (&mut [N], &mut [N]),
    ) {
        for (stage, weights) in self.0.iter().zip(weights) {
            weights.evaluate(&stage.sums, values, true, |a, b, sum| a * b + sum);
            for &number in &stage.others {
                operations[number as usize].begin(constants, values, kept);
            }
        }
    }
}
