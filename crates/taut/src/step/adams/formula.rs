//! Prediction and correction.

use pulp::{Simd, WithSimd};

use super::{Adams, Attempted};
use crate::stages::field::Field;
use crate::step::history::{BLOCK, Block, History, MOST_COLUMNS, block, write};

/// Σ weightⱼ φⱼ of a block of components, with several weights for each difference.
#[inline(always)]
pub(super) fn combine<const N: usize>(weights: &[[f64; N]], past: &[Block]) -> [Block; N] {
    let mut sums = [[0.0; BLOCK]; N];
    for (weights, difference) in weights.iter().zip(past) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            for lane in 0..BLOCK {
                sum[lane] += weight * difference[lane];
            }
        }
    }
    sums
}

/// x + s y
#[inline(always)]
pub(super) fn add_scaled(x: Block, s: f64, y: Block) -> Block {
    std::array::from_fn(|lane| x[lane] + s * y[lane])
}

/// Where the components of a block lie in the state.
pub(super) struct Places {
    pub(super) velocity: usize,
    /// nowhere in first-order systems, whose variables are in the place of velocities
    pub(super) position: Option<usize>,
    pub(super) count: usize,
}

/// The state of a block after the time h, given what accelerations add to velocities and to positions.
#[inline(always)]
pub(super) fn move_block(start: &[f64], h: f64, [once, twice]: [Block; 2], at: Places, y: &mut [f64]) {
    let velocities = at.velocity..at.velocity + at.count;
    let v = block(&start[velocities.clone()]);
    write(add_scaled(v, 1.0, once), &mut y[velocities]);
    if let Some(position) = at.position {
        let positions = position..position + at.count;
        let q = block(&start[positions.clone()]);
        write(add_scaled(q, 1.0, add_scaled(twice, h, v)), &mut y[positions]);
    }
}

/// A prediction, what it is made from and what it writes.
struct Prediction<'a> {
    history: &'a History,
    /// the time that is predicted
    to: f64,
    /// how many past rates are used
    steps: usize,
    start: &'a [f64],
    /// where that begins whose rates are remembered, and whether positions lie before it
    remembered: (usize, bool),
    attempted: &'a mut Attempted,
}

impl WithSimd for Prediction<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { history, to, steps: k, start, remembered: (remembered, is_mechanical), attempted } = self;
        let times = history.times();
        let h = to - history.time();
        let mut spans = [0.0; MOST_COLUMNS];
        for (span, time) in spans.iter_mut().zip(times) {
            *span = to - time;
        }
        let Attempted { y, surprise, integrals, weights, .. } = attempted;
        integrals.set((times, &spans), (to, h), (k + 1).min(times.len()));
        *weights = history.weights(to);
        let mut combined = [[0.0; 3]; MOST_COLUMNS];
        for (j, combined) in combined[..k].iter_mut().enumerate() {
            let weight = weights[j];
            *combined = [weight, h * integrals.once[j] * weight, h * h * integrals.twice[j] * weight];
        }
        for ((surprise, past), i) in
            surprise.chunks_mut(BLOCK).zip(history.blocks()).zip((0..).step_by(BLOCK))
        {
            let [rate, once, twice] = combine(&combined[..k], past);
            write(rate, surprise);
            let places = Places {
                velocity: remembered + i,
                position: is_mechanical.then_some(i),
                count: surprise.len(),
            };
            move_block(start, h, [once, twice], places, y);
        }
    }
}

impl<F: Field> Adams<F> {
    /// The state at the time `to` from the polynomial through k accelerations; the acceleration that it has there is
    /// left in the place of the surprise.
    pub(super) fn predict(&mut self, to: f64) {
        self.arch.dispatch(Prediction {
            history: &self.history,
            to,
            steps: self.pace.steps,
            start: &self.y,
            remembered: (self.remembered.start, self.layout.is_mechanical()),
            attempted: &mut self.attempted,
        });
        let multipliers = self.layout.multipliers();
        self.attempted.y[multipliers.clone()].copy_from_slice(&self.y[multipliers]);
    }

    /// Adds the difference of degree k to the polynomial.
    pub(super) fn correct(&mut self, h: f64) {
        let k = self.pace.steps;
        let Attempted { y, rate, surprise, integrals, .. } = &mut self.attempted;
        let (once, twice) = (h * integrals.once[k], h * h * integrals.twice[k]);
        let n = surprise.len();
        let (positions, others) = y.split_at_mut(self.remembered.start);
        for ((surprise, rate), y) in surprise.iter_mut().zip(&rate[self.remembered.clone()]).zip(others) {
            *surprise = rate - *surprise;
            *y += once * *surprise;
        }
        for (q, surprise) in positions.iter_mut().take(n).zip(&*surprise) {
            *q += twice * surprise;
        }
    }
}
