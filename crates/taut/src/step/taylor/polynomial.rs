//! A motion as a polynomial in time.

use crate::equations::Layout;

/// Accelerations were found at the beginning of a step.
const LEAST_ORDER: usize = 2;

/// Coefficients of positions and multipliers, or of the variables of a first-order system, order by order.
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
        Polynomial {
            layout: *layout,
            order,
            usable: order,
            positions: vec![0.0; layout.n() * (order + 1)],
            multipliers: vec![0.0; layout.m() * (order + 1)],
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
        self.usable = self.order;
        // A sum has no value where one of its terms has none.
        let sum = |values: &[f64]| values.iter().map(|x| x * 0.0).sum::<f64>();
        if sum(&self.positions) + sum(&self.multipliers) == 0.0 {
            return;
        }
        let is_finite = |k: usize| {
            let mut numbers = self.positions(k).iter().chain(self.multipliers(k));
            numbers.all(|x| x.is_finite())
        };
        let missing = (0..=self.order).find(|&k| !is_finite(k)).unwrap_or(self.order + 1);
        self.positions[missing * self.layout.n()..].fill(0.0);
        self.multipliers[missing * self.layout.m()..].fill(0.0);
        self.usable = missing.max(LEAST_ORDER + 1) - 1;
    }

    /// The coefficients of order k of positions.
    pub(super) fn positions(&self, k: usize) -> &[f64] {
        &self.positions[k * self.layout.n()..][..self.layout.n()]
    }

    pub(super) fn positions_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.positions[k * self.layout.n()..][..self.layout.n()]
    }

    fn multipliers(&self, k: usize) -> &[f64] {
        &self.multipliers[k * self.layout.m()..][..self.layout.m()]
    }

    pub(super) fn multipliers_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.multipliers[k * self.layout.m()..][..self.layout.m()]
    }

    /// The state after a time.
    pub(super) fn evaluate(&self, h: f64, y: &mut [f64]) {
        let (q, v, lambda) = self.layout.split_mut(y);
        horner(&self.positions, h, q, |_| 1.0);
        horner(&self.positions, h, v, |k| k as f64);
        horner(&self.multipliers, h, lambda, |_| 1.0);
    }

    /// The rate of the state after a time.
    pub(super) fn rate(&self, h: f64, rate: &mut [f64]) {
        let (first, second) = rate.split_at_mut(self.layout.n());
        horner(&self.positions, h, first, |k| k as f64);
        horner(&self.positions, h, second, |k| (k * k.saturating_sub(1)) as f64);
    }
}

/// The sum of factor(k) xₖ hᵏ over the orders k that have a factor, divided by the first power among them; of all components.
fn horner(coefficients: &[f64], h: f64, sums: &mut [f64], factor: impl Fn(usize) -> f64) {
    sums.fill(0.0);
    if sums.is_empty() {
        return;
    }
    for (k, row) in coefficients.chunks_exact(sums.len()).enumerate().rev() {
        let factor = factor(k);
        if factor == 0.0 {
            break;
        }
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum = *sum * h + factor * x;
        }
    }
}
