//! Errors of a step, and what follows from them: order, length, stiffness.

use super::Adams;
use super::formula::add_scaled;
use super::integrals::Integrals;
use crate::control::error_norm::{larger, root_mean, weighted_square};
use crate::stages::field::Field;
use crate::step::history::{BLOCK, block, write};

/// A second evaluation that changes more than this share of what the first one did belongs to a step that is short for
/// stability only.
const STIFF_CHANGE: f64 = 0.25;
/// Errors of k − 2, k − 1, k and k + 1 are compared.
const NEIGHBOURS: usize = 4;

impl<F: Field> Adams<F> {
    /// The error of a step of length h with k past accelerations, relative to what is allowed, from the squares of the new
    /// difference of degree k in the norms of velocities and positions: by what the result of order k + 1 differs from
    /// that of order k, in positions or in velocities, whichever is larger.
    fn error(&self, k: usize, h: f64, [velocities, positions]: [f64; 2]) -> f64 {
        let Integrals { once, twice } = &self.attempted.integrals;
        let count = self.remembered.len();
        let mut error = root_mean(velocities, count) * (h * (once[k] - once[k - 1])).abs();
        if self.layout.is_mechanical() {
            let positions = root_mean(positions, count) * (h * h * (twice[k] - twice[k - 1])).abs();
            error = larger(error, positions);
        }
        error / self.allowed
    }

    /// The error of the step computed last, of length h, where its surprise is the new difference of degree k.
    pub(super) fn attempted_error(&self, k: usize, h: f64) -> f64 {
        let (surprise, inverse) = (&self.attempted.surprise, self.scales.inverse());
        let velocities = weighted_square(surprise, &inverse[self.remembered.clone()]);
        self.error(k, h, [velocities, weighted_square(surprise, inverse)])
    }

    /// The errors that the last accepted step, of length h, would have had with k = `first` … `first` + 3.
    fn neighbouring_errors(&self, first: usize, h: f64) -> [f64; NEIGHBOURS] {
        let scales = self.scales.inverse();
        let velocities = scales[self.remembered.clone()].chunks(BLOCK);
        let mut squares = [[[0.0; BLOCK]; 2]; NEIGHBOURS];
        for ((past, velocities), positions) in self.history.blocks().zip(velocities).zip(scales.chunks(BLOCK))
        {
            let scales = [block(velocities), block(positions)];
            for (squares, difference) in squares.iter_mut().zip(&past[first..]) {
                for (squares, scale) in squares.iter_mut().zip(&scales) {
                    for lane in 0..BLOCK {
                        let error = scale[lane] * difference[lane];
                        squares[lane] += error * error;
                    }
                }
            }
        }
        let highest = self.history.points() - 1;
        let mut errors = [f64::INFINITY; NEIGHBOURS];
        for (k, (error, squares)) in errors.iter_mut().zip(squares).enumerate() {
            if first + k <= highest {
                *error = self.error(first + k, h, squares.map(|squares| squares.iter().sum()));
            }
        }
        errors
    }

    /// Whether the step computed last would have had a smaller error with an order less.
    pub(super) fn lower_is_better(&mut self) -> bool {
        let k = self.pace.steps;
        if k < 2 || self.attempted.is_start {
            return false;
        }
        let h = self.attempted.t - self.history.time();
        let same = self.attempted_error(k, h);
        let weight = self.attempted.weights[k - 1];
        for (surprise, past) in self.attempted.surprise.chunks_mut(BLOCK).zip(self.history.blocks()) {
            write(add_scaled(block(surprise), weight, past[k - 1]), surprise);
        }
        self.attempted_error(k - 1, h) < same
    }

    /// How much of the first evaluation's correction the second one takes back: h times the rate of friction, or
    /// (h times a frequency)², with factors below 1.
    pub(super) fn watch_stiffness(&mut self) {
        let v = self.remembered.clone();
        let (mut change, mut correction) = (0.0, 0.0);
        for ((new, old), surprise) in
            self.rate[v.clone()].iter().zip(&self.attempted.rate[v]).zip(&self.attempted.surprise)
        {
            change += (new - old) * (new - old);
            correction += surprise * surprise;
        }
        self.stiffness.note(change > STIFF_CHANGE * STIFF_CHANGE * correction);
    }

    /// Chooses order and length of the next step after one of length h.
    pub(super) fn choose_pace(&mut self, h: f64) {
        let points = self.history.points();
        if self.constant_step {
            self.pace.take_all(points);
            return;
        }
        let first = self.pace.steps.saturating_sub(2).max(1);
        let errors = self.neighbouring_errors(first, h);
        self.pace.choose(first, &errors, points);
        // The order rises by one at a time: differences of higher degree are not needed.
        self.history.keep(self.pace.steps.max(self.last.degree) + 2);
    }
}
