//! A motion as a polynomial in time.

use crate::equations::Layout;

/// Accelerations were found at the beginning of a step.
const LEAST_ORDER: usize = 2;

/// Coefficients of positions and multipliers, or of the variables of a first-order system, each in a row.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    layout: Layout,
    order: usize,
    /// up to which order coefficients have values
    usable: usize,
    /// of positions, up to the order
    positions: Vec<f64>,
    /// of multipliers, which are known to two orders less
    multipliers: Vec<f64>,
}

impl Polynomial {
    pub(super) fn new(layout: &Layout, order: usize) -> Self {
        let row = order + 1;
        Polynomial {
            layout: *layout,
            order,
            usable: order,
            positions: vec![0.0; layout.n() * row],
            multipliers: vec![0.0; layout.m() * row],
        }
    }

    /// How many orders there is room for.
    pub(super) fn order(&self) -> usize {
        self.order
    }

    /// Up to which order coefficients have values.
    pub(super) fn usable(&self) -> usize {
        self.usable
    }

    /// Leaves out the orders that have no values: where a formula has no further derivatives, such as |v| at rest, or where
    /// they are too large for numbers. Steps are short then.
    pub(super) fn leave_out_what_has_no_value(&mut self) {
        let row = self.order + 1;
        let is_finite = |k: usize| {
            let mut rows = self.positions.chunks_exact(row).chain(self.multipliers.chunks_exact(row));
            rows.all(|row| row[k].is_finite())
        };
        let missing = (0..row).find(|&k| !is_finite(k)).unwrap_or(row);
        for row in self.positions.chunks_exact_mut(row).chain(self.multipliers.chunks_exact_mut(row)) {
            row[missing..].fill(0.0);
        }
        self.usable = missing.max(LEAST_ORDER + 1) - 1;
    }

    /// The coefficients of a position.
    pub(super) fn position(&self, number: usize) -> &[f64] {
        &self.positions[number * (self.order + 1)..][..=self.order]
    }

    pub(super) fn position_mut(&mut self, number: usize) -> &mut [f64] {
        &mut self.positions[number * (self.order + 1)..][..=self.order]
    }

    pub(super) fn multiplier_mut(&mut self, number: usize) -> &mut [f64] {
        &mut self.multipliers[number * (self.order + 1)..][..=self.order]
    }

    /// The state after a time.
    pub(super) fn evaluate(&self, h: f64, y: &mut [f64]) {
        let (q, v, lambda) = self.layout.split_mut(y);
        for (q, row) in q.iter_mut().zip(self.positions.chunks_exact(self.order + 1)) {
            *q = horner(row, h);
        }
        for (v, row) in v.iter_mut().zip(self.positions.chunks_exact(self.order + 1)) {
            *v = slope(row, h);
        }
        for (lambda, row) in lambda.iter_mut().zip(self.multipliers.chunks_exact(self.order + 1)) {
            *lambda = horner(row, h);
        }
    }

    /// The rate of the state after a time.
    pub(super) fn rate(&self, h: f64, rate: &mut [f64]) {
        let (first, second) = rate.split_at_mut(self.layout.n());
        for (rate, row) in first.iter_mut().zip(self.positions.chunks_exact(self.order + 1)) {
            *rate = slope(row, h);
        }
        for (rate, row) in second.iter_mut().zip(self.positions.chunks_exact(self.order + 1)) {
            *rate = curvature(row, h);
        }
    }
}

fn horner(row: &[f64], h: f64) -> f64 {
    row.iter().rev().fold(0.0, |sum, x| sum * h + x)
}

fn slope(row: &[f64], h: f64) -> f64 {
    let terms = row.iter().enumerate().skip(1).rev();
    terms.fold(0.0, |sum, (k, x)| sum * h + k as f64 * x)
}

fn curvature(row: &[f64], h: f64) -> f64 {
    let terms = row.iter().enumerate().skip(2).rev();
    terms.fold(0.0, |sum, (k, x)| sum * h + (k * (k - 1)) as f64 * x)
}
