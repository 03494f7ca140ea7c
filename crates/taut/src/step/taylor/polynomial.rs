//! A motion as a polynomial in time.

use taut_formula::expansion::{Coefficient, Work};

use crate::equations::Layout;

/// Accelerations were found at the beginning of a step.
const LEAST_ORDER: usize = 2;

/// So many components are evaluated side by side.
const LANES: usize = 4;
type Block = [f64; LANES];

/// Coefficients of positions and multipliers, or of the variables of a first-order system, order by order.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    layout: Layout,
    order: usize,
    /// up to which order coefficients have values
    usable: usize,
    /// of positions, up to the order
    positions: Rows,
    /// of multipliers, which are known to two orders less
    multipliers: Rows,
}

impl Polynomial {
    pub(super) fn new(layout: &Layout, order: usize) -> Self {
        Polynomial {
            layout: *layout,
            order,
            usable: order,
            positions: Rows::new(layout.n(), order),
            multipliers: Rows::new(layout.m(), order),
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
        if self.positions.zero_or_nothing() + self.multipliers.zero_or_nothing() == 0.0 {
            return;
        }
        let is_finite = |k: usize| {
            let mut numbers = self.positions(k).iter().chain(self.multipliers(k));
            numbers.all(|x| x.is_finite())
        };
        let missing = (0..=self.order).find(|&k| !is_finite(k)).unwrap_or(self.order + 1);
        for k in missing..=self.order {
            self.positions_mut(k).fill(0.0);
            self.multipliers_mut(k).fill(0.0);
        }
        self.usable = missing.max(LEAST_ORDER + 1) - 1;
    }

    /// The coefficients of order k of positions.
    pub(super) fn positions(&self, k: usize) -> &[f64] {
        self.positions.row(k)
    }

    pub(super) fn positions_mut(&mut self, k: usize) -> &mut [f64] {
        self.positions.row_mut(k)
    }

    /// Sets the coefficients of order k of positions.
    #[inline]
    pub(super) fn set_positions(&mut self, k: usize, x: &[f64]) {
        self.positions.set_row(k, x);
    }

    fn multipliers(&self, k: usize) -> &[f64] {
        self.multipliers.row(k)
    }

    /// Sets the coefficients of order k of multipliers.
    #[inline]
    pub(super) fn set_multipliers(&mut self, k: usize, lambda: &[f64]) {
        self.multipliers.set_row(k, lambda);
    }

    pub(super) fn multipliers_mut(&mut self, k: usize) -> &mut [f64] {
        self.multipliers.row_mut(k)
    }

    /// The state after a time.
    pub(super) fn evaluate(&self, h: f64, y: &mut [f64]) {
        let (q, v, lambda) = self.layout.split_mut(y);
        match self.layout.is_mechanical() {
            true => self.positions.evaluate(h, [q, v]),
            false => self.positions.evaluate(h, [q]),
        }
        self.multipliers.evaluate(h, [lambda]);
    }

    /// The state after a time, and its rate.
    pub(super) fn evaluate_with_rate(&self, h: f64, y: &mut [f64], rate: &mut [f64]) {
        let (q, v, lambda) = self.layout.split_mut(y);
        let (first, second) = rate.split_at_mut(self.layout.n());
        if self.layout.is_mechanical() {
            self.positions.evaluate(h, [q, v, second]);
            first.copy_from_slice(v);
        } else {
            self.positions.evaluate(h, [q, first]);
        }
        self.multipliers.evaluate(h, [lambda]);
    }
}

/// Coefficients of several components, order by order; blocks are filled up with zeros.
#[derive(Clone, Debug)]
struct Rows {
    components: usize,
    /// how many blocks an order has
    blocks: usize,
    coefficients: Vec<Block>,
}

impl Rows {
    fn new(components: usize, order: usize) -> Self {
        let blocks = components.div_ceil(LANES);
        Rows { components, blocks, coefficients: vec![[0.0; LANES]; blocks * (order + 1)] }
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.coefficients[k * self.blocks..][..self.blocks].as_flattened()[..self.components]
    }

    fn row_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.coefficients[k * self.blocks..][..self.blocks].as_flattened_mut()[..self.components]
    }

    /// Sets the coefficients of order k, block by block: an order is too short to be worth a call of what copies memory.
    #[inline]
    fn set_row(&mut self, k: usize, x: &[f64]) {
        let blocks = &mut self.coefficients[k * self.blocks..][..self.blocks];
        let (whole, rest) = x.as_chunks::<LANES>();
        for (block, x) in blocks.iter_mut().zip(whole) {
            *block = *x;
        }
        let Some(last) = blocks.get_mut(whole.len()) else { return };
        match *rest {
            [a] => last[0] = a,
            [a, b] => (last[0], last[1]) = (a, b),
            [a, b, c] => (last[0], last[1], last[2]) = (a, b, c),
            _ => {}
        }
    }

    /// Zero where all coefficients have values.
    fn zero_or_nothing(&self) -> f64 {
        let mut sums = [0.0; LANES];
        for block in &self.coefficients {
            for (sum, x) in sums.iter_mut().zip(block) {
                *sum += x * 0.0;
            }
        }
        sums.iter().sum()
    }

    /// The sum and its first derivatives after a time: Σ xₖ hᵏ, Σ k xₖ hᵏ⁻¹, Σ k (k − 1) xₖ hᵏ⁻², by Horner's rule.
    fn evaluate<const D: usize>(&self, h: f64, sums: [&mut [f64]; D]) {
        f64::compute(Evaluation { rows: self, h, sums });
    }
}

/// Coefficients that are added up.
struct Evaluation<'r, const D: usize> {
    rows: &'r Rows,
    h: f64,
    sums: [&'r mut [f64]; D],
}

impl<const D: usize> Work<f64> for Evaluation<'_, D> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy) {
        let Evaluation { rows, h, mut sums } = self;
        for block in 0..rows.blocks {
            let mut found = [[0.0; LANES]; D];
            for row in rows.coefficients.chunks_exact(rows.blocks).rev() {
                add_order(&mut found, &row[block], h, multiply_add);
            }
            let from = block * LANES;
            let to = rows.components.min(from + LANES);
            let mut factorial = 1.0;
            for (derivative, (sum, found)) in sums.iter_mut().zip(&found).enumerate() {
                factorial *= derivative.max(1) as f64;
                for (sum, found) in sum[from..to].iter_mut().zip(found) {
                    *sum = factorial * found;
                }
            }
        }
    }
}

/// Takes the terms of the next lower order in: each sum is the derivative of the one before it, over the number of the derivative.
#[inline(always)]
fn add_order<const D: usize>(
    sums: &mut [Block; D],
    x: &Block,
    h: f64,
    multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy,
) {
    for derivative in (0..D).rev() {
        for lane in 0..LANES {
            let next = if derivative == 0 { x[lane] } else { sums[derivative - 1][lane] };
            sums[derivative][lane] = multiply_add(sums[derivative][lane], h, next);
        }
    }
}
