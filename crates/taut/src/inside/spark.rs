//! The last accepted step: what lies inside it, and what it says about the next one.

use std::ops::Range;

use super::hermite::quintic;
use crate::equations::Layout;
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::spark::arrived::Arrived;
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::unknowns::Unknowns;

/// A step is predicted from the last one when it is at most so many times as long.
const LONGEST_CONTINUATION: f64 = 2.0;

/// Steps whose lengths differ by at most this share are of the same length; constant steps differ by rounding.
pub(crate) const SAME_LENGTH: f64 = 1e-6;

/// The last accepted step.
pub(crate) struct Past {
    layout: Layout,
    /// its length; 0 when there was none
    pub(crate) h: f64,
    start: Arrived,
    x: Vec<f64>,
    /// the unknowns of the step in progress as the polynomial predicts them
    polynomial: Vec<f64>,
    /// which of them it has predicted
    predicted: Range<usize>,
    /// what the polynomial missed in the last step
    missed: Vec<f64>,
    /// of which of them that is known; 0 of all others
    known_missed: Range<usize>,
    /// whether the last step, the step in progress are as long as the ones before them, so that they miss the same
    alike: (bool, bool),
}

impl Past {
    pub(crate) fn none(layout: Layout, unknowns: Unknowns, y: &[f64]) -> Self {
        let zeros = || vec![0.0; unknowns.len()];
        Past {
            layout,
            h: 0.0,
            start: Arrived::at(y, layout.n()),
            x: zeros(),
            polynomial: zeros(),
            predicted: 0..unknowns.len(),
            missed: zeros(),
            known_missed: 0..unknowns.len(),
            alike: (false, false),
        }
    }

    /// A step of length h from `start` with the unknowns `x` was accepted. Both are taken; what is left in their places is older,
    /// and is to be written over.
    pub(crate) fn record(&mut self, h: f64, start: &mut Arrived, x: &mut Vec<f64>) {
        self.h = h;
        std::mem::swap(&mut self.start, start);
        std::mem::swap(&mut self.x, x);
        let predicted = self.predicted.clone();
        if predicted != self.known_missed {
            self.missed.fill(0.0);
            self.known_missed = predicted.clone();
        }
        let known = self.x[predicted.clone()].iter().zip(&self.polynomial[predicted.clone()]);
        for (missed, (x, polynomial)) in self.missed[predicted].iter_mut().zip(known) {
            *missed = x - polynomial;
        }
        self.alike = (self.alike.1, false);
    }

    /// The state at θ of the step that led to `end`: positions and velocities of degree 5 and 4, multipliers linear.
    pub(crate) fn interpolate(&self, end: &Arrived, theta: f64, y: &mut [f64]) {
        let h = self.h;
        let (weights, slopes) = quintic(theta);
        let (q0, v0, lambda0) = self.layout.split(&self.start.y);
        let (q1, v1, lambda1) = self.layout.split(&end.y);
        let (a0, a1) = (&self.start.a, &end.a);
        let (q, v, lambda) = self.layout.split_mut(y);
        for k in 0..self.layout.n() {
            let ends = [0.0, q1[k] - q0[k], h * v0[k], h * v1[k], h * h * a0[k], h * h * a1[k]];
            let sum = |weights: [f64; 6]| weights.iter().zip(ends).map(|(w, end)| w * end).sum::<f64>();
            q[k] = q0[k] + sum(weights);
            v[k] = if h == 0.0 { v0[k] } else { sum(slopes) / h };
        }
        for k in 0..self.layout.m() {
            lambda[k] = (1.0 - theta) * lambda0[k] + theta * lambda1[k];
        }
    }

    /// Predicts the unknowns `x` of a step of length h that begins at `end`; false when this step says nothing about it.
    ///
    /// They are the unknowns of this step and what the interpolating polynomial adds to them from here to there: stages
    /// of Lobatto IIIB do not lie on a smooth curve, but their distance from it changes little. Of steps of the same length
    /// the polynomial misses nearly the same in one as in the last, which is added `with_missed`.
    pub(crate) fn predict(
        &mut self,
        method: &SparkCoefficients,
        unknowns: Unknowns,
        end: &Arrived,
        h: f64,
        with_missed: bool,
        x: &mut [f64],
    ) -> bool {
        let ratio = h / self.h;
        self.alike.1 = (ratio - 1.0).abs() <= SAME_LENGTH;
        if !(0.0..=LONGEST_CONTINUATION).contains(&ratio) {
            return false;
        }
        self.predicted = 0..x.len();
        let (h0, polynomial) = (self.h, &mut self.polynomial);
        let (q0, v0, lambda0) = self.layout.split(&self.start.y);
        let (q1, v1, lambda1) = self.layout.split(&end.y);
        let (a0, a1) = (&self.start.a, &end.a);
        for i in 0..=unknowns.stages {
            let c = method.node(i);
            let ((_, inside), (_, beyond)) = (quintic(c), quintic(1.0 + c * ratio));
            let [_, dq, of_v0, of_v1, of_a0, of_a1]: [f64; 6] =
                std::array::from_fn(|k| beyond[k] - inside[k]);
            let (dq, of_a0, of_a1) = (dq / h0, h0 * of_a0, h0 * of_a1);
            let range = unknowns.velocities(i);
            for (k, (x, past)) in polynomial[range.clone()].iter_mut().zip(&self.x[range]).enumerate() {
                let moved = dq * (q1[k] - q0[k]) + of_v0 * v0[k] + of_v1 * v1[k];
                *x = past + (moved + of_a0 * a0[k] + of_a1 * a1[k]);
            }
            if i < unknowns.stages {
                let (range, ahead) = (unknowns.multipliers(i), h * (1.0 + c * ratio - c));
                for (k, (x, past)) in polynomial[range.clone()].iter_mut().zip(&self.x[range]).enumerate() {
                    *x = ratio * past + ahead * (lambda1[k] - lambda0[k]);
                }
            }
        }
        x.copy_from_slice(&self.polynomial);
        if with_missed && self.alike == (true, true) {
            x.iter_mut().zip(&self.missed).for_each(|(x, missed)| *x += missed);
        }
        true
    }

    /// [`Self::predict`] for the multipliers of the first stage alone, with what was missed.
    pub(crate) fn predict_first_multipliers(
        &mut self,
        unknowns: Unknowns,
        end: &Arrived,
        h: f64,
        x: &mut [f64],
    ) -> bool {
        let (ratio, range) = (h / self.h, unknowns.multipliers(0));
        self.alike.1 = (ratio - 1.0).abs() <= SAME_LENGTH;
        if !(0.0..=LONGEST_CONTINUATION).contains(&ratio) {
            return false;
        }
        self.predicted = range.clone();
        let ((_, _, before), (_, _, lambda)) = (self.layout.split(&self.start.y), self.layout.split(&end.y));
        let changes = lambda.iter().zip(before).map(|(lambda, before)| h * (lambda - before));
        let past = self.x[range.clone()].iter().zip(changes);
        for (polynomial, (past, change)) in self.polynomial[range.clone()].iter_mut().zip(past) {
            *polynomial = ratio * past + change;
        }
        let x = &mut x[range.clone()];
        x.copy_from_slice(&self.polynomial[range.clone()]);
        if self.alike == (true, true) {
            x.iter_mut().zip(&self.missed[range]).for_each(|(x, missed)| *x += missed);
        }
        true
    }

    /// Velocities v₀ + cᵢ h a and multipliers λ₀ of a step from `here`, a the share `share` of its accelerations.
    pub(crate) fn predict_uniform(
        &self,
        method: &SparkCoefficients,
        unknowns: Unknowns,
        here: &Arrived,
        h: f64,
        share: f64,
        x: &mut [f64],
    ) {
        let (_, v, lambda) = self.layout.split(&here.y);
        for i in 0..=unknowns.stages {
            let factor = share * method.node(i) * h;
            for (k, x) in x[unknowns.velocities(i)].iter_mut().enumerate() {
                *x = v[k] + factor * here.a[k];
            }
        }
        for i in 0..unknowns.stages {
            for (x, lambda) in x[unknowns.multipliers(i)].iter_mut().zip(lambda) {
                *x = h * lambda;
            }
        }
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("past step", &mut [&mut self.h])?;
        fields.list("past state", &mut self.start.y)?;
        fields.list("past accelerations", &mut self.start.a)?;
        fields.list("past unknowns", &mut self.x)?;
        fields.list("missed unknowns", &mut self.missed)?;
        fields.entry("steps alike", &mut [&mut self.alike.0])?;
        if fields.restored().is_some() {
            self.alike.1 = false;
            self.known_missed = 0..self.missed.len();
        }
        Ok(())
    }
}
