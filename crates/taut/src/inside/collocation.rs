//! The inside of an accepted step: the polynomial through its stages.

use std::sync::Arc;

use crate::control::smooth_step;
use crate::equations::Layout;
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StepEquations;

/// What is known about an accepted step.
#[derive(Default)]
pub(crate) struct Inside {
    pub(crate) h: f64,
    pub(crate) start: Vec<f64>,
    /// what was found when the start was settled
    pub(crate) memory: Vec<f64>,
    /// which method it was taken with
    method: usize,
    /// derivatives at the stages
    rates: Vec<f64>,
    unknowns: Vec<f64>,
    /// what the projection changed, and what joins it to what follows
    pub(crate) shift: Vec<f64>,
}

impl Inside {
    /// A step of length h from `start` to the end `end` that the method gives is about to be accepted.
    pub(crate) fn begin<E: StepEquations>(&mut self, equations: &mut E, h: f64, start: &[f64], end: &[f64]) {
        self.h = h;
        copy(start, &mut self.start);
        equations.remember(&mut self.memory);
        copy(end, &mut self.shift);
    }

    /// The step, taken with the method of this number, was accepted and ends at `y`.
    pub(crate) fn end<E: StepEquations>(
        &mut self,
        equations: &E,
        (number, method): (usize, &Coefficients),
        unknowns: &[f64],
        y: &[f64],
    ) {
        for (shift, y) in self.shift.iter_mut().zip(y) {
            *shift = y - *shift;
        }
        self.method = number;
        copy(unknowns, &mut self.unknowns);
        self.rates.resize(method.stages * equations.layout().differential(), 0.0);
        equations.stage_rates(method, unknowns, &mut self.rates);
    }

    /// The state at θ.
    pub(crate) fn at(&self, methods: &[Arc<Coefficients>], layout: &Layout, theta: f64, y: &mut [f64]) {
        let method = &methods[self.method];
        let (differential, size) = (layout.differential(), self.unknowns.len() / method.stages);
        let mut weights = [0.0; taut_tableau::MOST_STAGES];
        let weights = &mut weights[..method.stages];
        method.integrated_lagrange(theta, weights);
        y.copy_from_slice(&self.start);
        let (integrated, multipliers) = y.split_at_mut(differential);
        for (weight, rates) in weights.iter().zip(self.rates.chunks_exact(differential)) {
            for (y, rate) in integrated.iter_mut().zip(rates) {
                *y += self.h * weight * rate;
            }
        }
        let smooth = smooth_step(theta);
        for (y, shift) in integrated.iter_mut().zip(&self.shift) {
            *y += smooth * shift;
        }
        method.lagrange(theta, weights);
        multipliers.fill(0.0);
        for (weight, unknowns) in weights.iter().zip(self.unknowns.chunks_exact(size)) {
            for (multiplier, value) in multipliers.iter_mut().zip(&unknowns[size - layout.m()..]) {
                *multiplier += weight * value;
            }
        }
    }
}

fn copy(from: &[f64], to: &mut Vec<f64>) {
    to.clear();
    to.extend_from_slice(from);
}
