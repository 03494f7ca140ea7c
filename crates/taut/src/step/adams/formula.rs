//! Prediction and correction.

use super::{Adams, Attempted};
use crate::step::field::Field;
use crate::step::multistep::history::MOST_COLUMNS;

/// Σ weightⱼ φⱼ, with several weights for each difference.
pub(super) fn combine<const N: usize>(weights: &[[f64; N]], past: &[f64]) -> [f64; N] {
    let mut sums = [0.0; N];
    for (weights, difference) in weights.iter().zip(past) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += weight * difference;
        }
    }
    sums
}

impl<F: Field> Adams<F> {
    /// The state at the time `to` from the polynomial through k accelerations; the acceleration that it has there is
    /// left in the place of the surprise.
    pub(super) fn predict(&mut self, to: f64) {
        let (t, k) = (self.history.time(), self.pace.steps);
        let h = to - t;
        let times = self.history.times();
        let mut spans = [0.0; MOST_COLUMNS];
        for (span, time) in spans.iter_mut().zip(times) {
            *span = to - time;
        }
        let highest = (k + 1).min(times.len());
        let Attempted { y, surprise, integrals, weights, .. } = &mut self.attempted;
        integrals.set((times, &spans), (to, h), highest);
        *weights = self.history.weights(to);
        let mut combined = [[0.0; 3]; MOST_COLUMNS];
        for (j, combined) in combined[..k].iter_mut().enumerate() {
            let weight = weights[j];
            *combined = [weight, h * integrals.once[j] * weight, h * h * integrals.twice[j] * weight];
        }
        let places = surprise.iter_mut().zip(self.remembered.clone()).zip(self.history.components());
        for (i, ((surprise, at), past)) in places.enumerate() {
            let [rate, once, twice] = combine(&combined[..k], past);
            *surprise = rate;
            y[at] = self.y[at] + once;
            if self.layout.is_mechanical() {
                y[i] = self.y[i] + (h * self.y[at] + twice);
            }
        }
        let multipliers = self.layout.multipliers();
        y[multipliers.clone()].copy_from_slice(&self.y[multipliers]);
    }

    /// Adds the difference of degree k to the polynomial.
    pub(super) fn correct(&mut self, h: f64) {
        let k = self.pace.steps;
        let Attempted { y, rate, surprise, integrals, .. } = &mut self.attempted;
        let (once, twice) = (h * integrals.once[k], h * h * integrals.twice[k]);
        for (i, (surprise, at)) in surprise.iter_mut().zip(self.remembered.clone()).enumerate() {
            *surprise = rate[at] - *surprise;
            y[at] += once * *surprise;
            if self.layout.is_mechanical() {
                y[i] += twice * *surprise;
            }
        }
    }
}
