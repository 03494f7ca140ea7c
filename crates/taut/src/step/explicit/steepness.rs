//! Rates that change by much within the tolerance.
//!
//! Dry friction tanh(v/δ) with δ far below the tolerance is flat on both sides of a jump that states within one tolerance lie on. Stages
//! of an explicit step that such friction holds fall on either side: what an error estimate says of them is chance, and steps that are
//! accepted, with all of their last stages on one side, look like those of smooth motion. Rejected ones show it: stages that are
//! the same but for a few tolerances have rates that differ by many within the step.

use super::Explicit;
use crate::control::error_norm::{larger, root_mean, weighted_square};
use crate::linear::Stages;
use crate::stages::field::Field;

/// States that differ by so many tolerances are nearly the same,
const NEARLY_THE_SAME: f64 = 10.0;
/// and their rates, within the step, should not differ by so many times as much. Rejected steps of stiff systems are at about twice
/// the limit of stability.
const STEEP: f64 = 20.0;
/// Nor is it of interest if they differ by less than so many tolerances.
const NOTICED: f64 = 20.0;

impl<F: Field> Explicit<F> {
    /// The place of the rate that differs by most between two stages of the step that was rejected, one after the other, which are
    /// nearly the same; none where no rate does. States of stages are not kept: rejections are few.
    pub(super) fn steepest(&mut self) -> Option<usize> {
        let (d, h) = (self.layout.differential(), self.attempted.0 - self.t);
        if h == 0.0 {
            return None;
        }
        let (before, tolerance) = (&mut self.compared.1, self.scales.rtol());
        before.copy_from_slice(&self.y);
        for i in 1..self.tableau.stages() {
            let weights = &self.tableau.a().row(i)[..i];
            let rates = Stages { values: &self.rates, stride: d };
            self.combination.add(&self.y, h, weights, rates, &mut self.stage);
            for (before, stage) in before.iter_mut().zip(&self.stage) {
                *before = stage - *before;
            }
            let states = norm(&before[..d], &self.scales.inverse()[..d], self.layout.n());
            if states <= NEARLY_THE_SAME * tolerance {
                let pair = &self.rates[(i - 1) * d..(i + 1) * d];
                for k in 0..d {
                    before[k] = h * (pair[d + k] - pair[k]);
                }
                let rates = norm(&before[..d], &self.scales.inverse()[..d], self.layout.n());
                if rates >= STEEP * states && rates >= NOTICED * tolerance {
                    return largest(&before[..d], self.scales.inverse());
                }
            }
            before.copy_from_slice(&self.stage);
        }
        None
    }
}

/// The place of the largest entry.
pub(super) fn largest(difference: &[f64], inverse_scales: &[f64]) -> Option<usize> {
    let sizes = difference.iter().zip(inverse_scales).map(|(e, w)| (e * w).abs());
    sizes.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(place, _)| place)
}

/// Of positions or velocities, whichever is larger.
fn norm(difference: &[f64], inverse_scales: &[f64], n: usize) -> f64 {
    let (q, v) = difference.split_at(n.min(difference.len()));
    let (q_scales, v_scales) = inverse_scales.split_at(q.len());
    root_mean(larger(weighted_square(q, q_scales), weighted_square(v, v_scales)), n)
}
