//! The order of the next step of a multistep method, from differences of the past.

use super::Multistep;
use crate::control::bdf_pace::Errors;
use crate::control::stability::{LOWEST_DEGREE, STABLE_ORDER};
use crate::stages::stage_equations::StepEquations;

impl<E: StepEquations> Multistep<E> {
    /// Chooses order and length of the next step after one of length h was accepted.
    pub(super) fn choose_pace(&mut self, h: f64) {
        let error = self.attempted.error;
        if self.is_unstable(h) {
            let error = self.error_of_order(Some(STABLE_ORDER)).unwrap_or(error);
            self.pace.fall(error);
            return;
        }
        if !self.pace.is_due(error) {
            self.pace.go_on();
            return;
        }
        let (lower, higher) = self.pace.neighbours();
        let lower = self.error_of_order(lower);
        let higher = self.error_of_order(higher);
        self.pace.choose(&Errors { lower, same: error, higher });
    }

    /// The error that the last accepted step would have had with another order.
    fn error_of_order(&mut self, order: Option<usize>) -> Option<f64> {
        let order = order.filter(|&order| self.history.points() > order + 1)?;
        let leading: f64 = (1..=order).map(|i| 1.0 / self.history.span(i)).sum();
        let constant = 1.0 / (leading * self.history.span(order + 1));
        Some(constant * self.size_of_difference(order + 1) / self.error_tolerance())
    }

    /// The norm of φⱼ.
    fn size_of_difference(&mut self, j: usize) -> f64 {
        self.history.write_difference(j, &mut self.error);
        self.equations.norm(&self.error, &self.scales)
    }

    /// Whether the step just accepted is one too many that looks short for stability only.
    fn is_unstable(&mut self, h: f64) -> bool {
        let order = self.pace.order;
        let fall = self.pace.may_be_unstable(self.attempted.error).then(|| {
            let lowest = self.size_of_difference(LOWEST_DEGREE).max(f64::MIN_POSITIVE);
            let ratio = self.size_of_difference(order + 1) / lowest;
            ratio.powf(1.0 / (order + 1 - LOWEST_DEGREE) as f64)
        });
        self.pace.must_fall(h, fall)
    }
}
