//! The past of a multistep method: states (or accelerations) at uneven times, as modified divided differences.
//!
//! With the newest times tₙ, tₙ₋₁, … the difference of degree j is φⱼ = y[tₙ, …, tₙ₋ⱼ] Π (tₙ − tₙ₋ᵢ), i = 1 … j (Krogh
//! 1969; Brenan, Campbell and Petzold 1996, section 5.2). In them the polynomial through the newest k + 1 states is
//! Σ βⱼ(t) φⱼ, j = 0 … k, with βⱼ(t) = Π (t − tₙ₋ᵢ)/(tₙ − tₙ₋ᵢ₋₁), i = 0 … j − 1: no difference of close numbers is formed
//! that was not small before.

use crate::run::{Snapshot, SnapshotError};

/// The highest order of backward differentiation formulas: those beyond are unstable.
pub(crate) const MOST_ORDER: usize = 6;

/// So many differences they keep: order k is compared with order k + 1, whose error is the difference of degree k + 2.
pub(crate) const COLUMNS: usize = MOST_ORDER + 2;

/// No method keeps more differences than this.
pub(crate) const MOST_COLUMNS: usize = 14;

/// Numbers for each difference.
pub(crate) type Weights = [f64; MOST_COLUMNS];

/// The newest states and their times.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// how many differences are kept
    columns: usize,
    /// how many states are known
    points: usize,
    /// the newest first
    times: Weights,
    /// φ₀, φ₁, … of each component, those of one component after the other
    differences: Vec<f64>,
}

impl History {
    /// A past of one state, with room for so many.
    pub(crate) fn new(columns: usize, t: f64, y: &[f64]) -> Self {
        let columns = columns.min(MOST_COLUMNS);
        let mut history = History {
            columns,
            points: 0,
            times: [0.0; MOST_COLUMNS],
            differences: vec![0.0; columns * y.len()],
        };
        history.restart(t, y);
        history
    }

    /// Forgets everything but one state.
    pub(crate) fn restart(&mut self, t: f64, y: &[f64]) {
        self.points = 1;
        self.times[0] = t;
        self.differences.fill(0.0);
        for (differences, y) in self.differences.chunks_exact_mut(self.columns).zip(y) {
            differences[0] = *y;
        }
    }

    /// Forgets all but the newest so many states.
    pub(crate) fn keep(&mut self, points: usize) {
        self.points = self.points.min(points.max(1));
    }

    /// How many states are known.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// The newest time.
    pub(crate) fn time(&self) -> f64 {
        self.times[0]
    }

    /// The known times, the newest first.
    pub(crate) fn times(&self) -> &[f64] {
        &self.times[..self.points]
    }

    /// φ₀, φ₁, … of each component.
    pub(crate) fn components(&self) -> impl Iterator<Item = &[f64]> {
        self.differences.chunks_exact(self.columns)
    }

    /// Writes the first components of φⱼ.
    pub(crate) fn write_difference(&self, j: usize, difference: &mut [f64]) {
        for (difference, component) in difference.iter_mut().zip(self.components()) {
            *difference = component[j];
        }
    }

    /// tₙ − tₙ₋ⱼ
    pub(crate) fn span(&self, j: usize) -> f64 {
        self.times[0] - self.times[j]
    }

    /// βⱼ(t), 0 for differences that are not known.
    pub(crate) fn weights(&self, t: f64) -> Weights {
        let mut weights = [0.0; MOST_COLUMNS];
        weights[0] = 1.0;
        for j in 1..self.points {
            weights[j] = weights[j - 1] * (t - self.times[j - 1]) / (self.times[0] - self.times[j]);
        }
        weights
    }

    /// Σ 1/(t − tₙ₋ᵢ), i = 0 … j − 1: βⱼ'(t) = βⱼ(t) times this. With j = k it is the leading coefficient of the formula of
    /// order k at the time t.
    pub(crate) fn slopes(&self, t: f64) -> Weights {
        let mut slopes = [0.0; MOST_COLUMNS];
        for j in 1..self.columns.min(self.points + 1) {
            slopes[j] = slopes[j - 1] + 1.0 / (t - self.times[j - 1]);
        }
        slopes
    }

    /// Σ weightⱼ φⱼ over the first differences.
    pub(crate) fn combine(&self, weights: &[f64], y: &mut [f64]) {
        for (y, component) in y.iter_mut().zip(self.components()) {
            *y = weights
                .iter()
                .zip(component)
                .fold(0.0, |sum, (weight, difference)| sum + weight * difference);
        }
    }

    /// Adds the state at the time t: φⱼ₊₁ becomes (new φⱼ) − βⱼ(t) (old φⱼ).
    pub(crate) fn push(&mut self, t: f64, y: &[f64]) {
        let weights = self.weights(t);
        let known = self.columns.min(self.points + 1);
        for (differences, y) in self.differences.chunks_exact_mut(self.columns).zip(y) {
            let mut new = *y;
            for (old, weight) in differences[..known].iter_mut().zip(&weights) {
                let next = new - weight * *old;
                *old = std::mem::replace(&mut new, next);
            }
        }
        self.times.rotate_right(1);
        self.times[0] = t;
        self.points = self.columns.min(self.points + 1);
    }

    pub(crate) fn save(&self, snapshot: &mut Snapshot) {
        snapshot.put("times", &self.times[..self.points]);
        snapshot.put("differences", &self.differences);
    }

    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let times = snapshot.get("times")?;
        if times.is_empty() || times.len() > self.columns {
            let (found, expected) = (times.len(), self.columns);
            return Err(SnapshotError::Length { name: "times".to_owned(), found, expected });
        }
        snapshot.copy_to("differences", &mut self.differences)?;
        self.points = times.len();
        self.times[..self.points].copy_from_slice(times);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
