//! Derivatives that a mechanism does not offer, by central differences.

use crate::linear::{Coloring, Pattern};
use crate::system::Evaluation;

/// The derivative of a function by central differences, on a fixed pattern.
///
/// With steps near ∛u, u the unit of rounding, about nine digits are right: more than Newton's iteration can use.
/// Columns that share no row are differentiated together.
pub(super) struct Differences {
    pattern: Pattern,
    coloring: Coloring,
    shifted: Vec<f64>,
    ahead: Vec<f64>,
    behind: Vec<f64>,
    values: Vec<f64>,
}

impl Differences {
    pub(super) fn new(pattern: Pattern) -> Self {
        Differences {
            coloring: Coloring::of(&pattern),
            shifted: vec![0.0; pattern.cols()],
            ahead: vec![0.0; pattern.rows()],
            behind: vec![0.0; pattern.rows()],
            values: vec![0.0; pattern.nnz()],
            pattern,
        }
    }

    pub(super) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// ∂f/∂x, in the order of the pattern.
    pub(super) fn derivative(
        &mut self,
        x: &[f64],
        mut f: impl FnMut(&[f64], &mut [f64]) -> Evaluation,
    ) -> Result<&[f64], crate::system::Fault> {
        if self.pattern.nnz() == 0 {
            return Ok(&self.values);
        }
        for color in 0..self.coloring.colors() {
            self.shift(color, x, 1.0);
            f(&self.shifted, &mut self.ahead)?;
            self.shift(color, x, -1.0);
            f(&self.shifted, &mut self.behind)?;
            self.collect(color, x);
        }
        Ok(&self.values)
    }

    fn shift(&mut self, color: usize, x: &[f64], sign: f64) {
        for (j, (shifted, x)) in self.shifted.iter_mut().zip(x).enumerate() {
            let moves = self.coloring.has(j, color);
            *shifted = if moves { x + sign * step(*x) } else { *x };
        }
    }

    fn collect(&mut self, color: usize, x: &[f64]) {
        for (j, x) in x.iter().enumerate() {
            if !self.coloring.has(j, color) {
                continue;
            }
            // The step that was taken, which rounding makes a little different from the one that was meant.
            let width = (x + step(*x)) - (x - step(*x));
            let start = self.pattern.column_starts()[j];
            for (value, &i) in self.values[start..].iter_mut().zip(self.pattern.column(j)) {
                *value = (self.ahead[i] - self.behind[i]) / width;
            }
        }
    }
}

/// ∛u of the size of x, at least of 1.
fn step(x: f64) -> f64 {
    f64::EPSILON.cbrt() * x.abs().max(1.0)
}
