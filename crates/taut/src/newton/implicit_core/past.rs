//! Prediction of the stages of a step from those of the last one.

use std::sync::Arc;

use super::STAGES_ACROSS_KINKS;
use crate::linear::{Combination, Stages};
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StageEquations;

/// Stages of steps that are so many times as long as the last one are predicted by a line.
const LONGER: f64 = 1.6;

/// The stages of the last accepted step, from which the next ones are predicted.
#[derive(Clone, Debug)]
pub(super) struct Past {
    /// the length of that step; 0 when there was none
    pub(super) h: f64,
    /// which method it was taken with
    pub(super) method: usize,
    /// its stage unknowns
    pub(super) unknowns: Vec<f64>,
    /// the next step begins where it began: it is taken again
    pub(super) again: bool,
    /// of the past stages in the predicted ones, row by row
    weights: Vec<f64>,
    combination: Combination,
}

impl Past {
    /// None yet; methods have at most so many stages.
    pub(super) fn new(most_stages: usize) -> Self {
        Past {
            h: 0.0,
            method: 0,
            unknowns: Vec::new(),
            again: false,
            weights: vec![0.0; most_stages * most_stages],
            combination: Combination::default(),
        }
    }

    /// A step of length h was accepted.
    pub(super) fn keep(&mut self, h: f64, method: usize, unknowns: &[f64]) {
        (self.h, self.method, self.again) = (h, method, false);
        self.unknowns.clear();
        self.unknowns.extend_from_slice(unknowns);
    }

    /// Predicts the stage unknowns: the polynomial through those of the last step, extrapolated; or a line, which goes less
    /// astray far outside of that step.
    pub(super) fn predict(
        &mut self,
        methods: &[Arc<Coefficients>],
        method: &Coefficients,
        equations: &dyn StageEquations,
        h: f64,
        unknowns: &mut [f64],
    ) {
        let size = equations.unknowns();
        if self.h == 0.0 {
            for unknowns in unknowns.chunks_exact_mut(size) {
                equations.initial_unknowns(unknowns);
            }
            return;
        }
        let past = &methods[self.method];
        let begins_at = if self.again { 0.0 } else { 1.0 };
        let weights = &mut self.weights[..method.stages * past.stages];
        let ratio = h / self.h;
        let by_line = ratio > LONGER && past.stages > STAGES_ACROSS_KINKS && equations.prefers_lines();
        for (c, weights) in method.c.iter().zip(weights.chunks_exact_mut(past.stages)) {
            match by_line {
                true => past.line(begins_at + c * ratio, weights),
                false => past.lagrange(begins_at + c * ratio, weights),
            }
        }
        let stages = Stages { values: &self.unknowns, stride: size };
        self.combination.combine_rows(weights, past.stages, 1.0, stages, unknowns, size);
    }
}
