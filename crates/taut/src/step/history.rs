//! The past of a multistep method: states (or accelerations) at uneven times, as modified divided differences.
//!
//! With the newest times tₙ, tₙ₋₁, … the difference of degree j is φⱼ = y[tₙ, …, tₙ₋ⱼ] Π (tₙ − tₙ₋ᵢ), i = 1 … j (Krogh
//! 1969; Brenan, Campbell and Petzold 1996, section 5.2). In them the polynomial through the newest k + 1 states is
//! Σ βⱼ(t) φⱼ, j = 0 … k, with βⱼ(t) = Π (t − tₙ₋ᵢ)/(tₙ − tₙ₋ᵢ₋₁), i = 0 … j − 1: no difference of close numbers is formed
//! that was not small before.

use pulp::{Arch, Simd, WithSimd};

use crate::control::bdf_pace::MOST_ORDER;
use crate::snapshot::{Fields, SnapshotError};

/// So many differences they keep: order k is compared with order k + 1, whose error is the difference of degree k + 2.
pub(crate) const COLUMNS: usize = MOST_ORDER + 2;

/// No method keeps more differences than this.
pub(crate) const MOST_COLUMNS: usize = 14;

/// Numbers for each difference.
pub(crate) type Weights = [f64; MOST_COLUMNS];

/// So many components lie together, as many as vector registers hold.
pub(crate) const BLOCK: usize = 4;
/// A number for each component of a block; 0 behind the last component.
pub(crate) type Block = [f64; BLOCK];

/// The newest states and their times.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// how many differences are kept
    columns: usize,
    /// how many states are known
    points: usize,
    /// the newest first
    times: Weights,
    /// how many components there are
    length: usize,
    /// φ₀, φ₁, … of each block of components, those of one block after the other
    differences: Vec<Block>,
    arch: Arch,
}

impl History {
    /// A past of one state, with room for so many.
    pub(crate) fn new(columns: usize, t: f64, y: &[f64]) -> Self {
        let columns = columns.min(MOST_COLUMNS);
        let mut history = History {
            columns,
            points: 0,
            times: [0.0; MOST_COLUMNS],
            length: y.len(),
            differences: vec![[0.0; BLOCK]; columns * y.len().div_ceil(BLOCK)],
            arch: Arch::new(),
        };
        history.restart(t, y);
        history
    }

    /// Forgets everything but one state.
    pub(crate) fn restart(&mut self, t: f64, y: &[f64]) {
        self.points = 1;
        self.times[0] = t;
        self.differences.fill([0.0; BLOCK]);
        for (differences, y) in self.differences.chunks_exact_mut(self.columns).zip(y.chunks(BLOCK)) {
            differences[0] = block(y);
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

    /// φ₀, φ₁, … of each block of components.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &[Block]> {
        self.differences.chunks_exact(self.columns)
    }

    /// Writes the first components of φⱼ.
    pub(crate) fn write_difference(&self, j: usize, difference: &mut [f64]) {
        for (difference, past) in difference.chunks_mut(BLOCK).zip(self.blocks()) {
            write(past[j], difference);
        }
    }

    /// tₙ − tₙ₋ⱼ
    pub(crate) fn span(&self, j: usize) -> f64 {
        self.times[0] - self.times[j]
    }

    /// βⱼ(t), 0 for differences that are not known.
    #[inline(always)]
    pub(crate) fn weights(&self, t: f64) -> Weights {
        let mut weights = [0.0; MOST_COLUMNS];
        let mut weight = 1.0;
        weights[0] = weight;
        let newest = self.times[0];
        for (place, times) in weights[1..].iter_mut().zip(self.times().windows(2)) {
            weight = weight * (t - times[0]) / (newest - times[1]);
            *place = weight;
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
        for (y, past) in y.chunks_mut(BLOCK).zip(self.blocks()) {
            let mut sum = [0.0; BLOCK];
            for (weight, difference) in weights.iter().zip(past) {
                for lane in 0..BLOCK {
                    sum[lane] += weight * difference[lane];
                }
            }
            write(sum, y);
        }
    }

    /// Adds the state at the time t.
    pub(crate) fn push(&mut self, t: f64, y: &[f64]) {
        let weights = self.weights(t);
        self.push_weighted(t, &weights, y);
    }

    /// Adds the state at the time t with the weights βⱼ(t): φⱼ₊₁ becomes (new φⱼ) − βⱼ(t) (old φⱼ).
    pub(crate) fn push_weighted(&mut self, t: f64, weights: &Weights, y: &[f64]) {
        let (columns, known) = (self.columns, self.columns.min(self.points + 1));
        self.arch.dispatch(Push { differences: &mut self.differences, columns, known, weights, y });
        self.times.copy_within(..MOST_COLUMNS - 1, 1);
        self.times[0] = t;
        self.points = known;
    }

    /// φ₀, φ₁, … of one component.
    fn component(&self, i: usize) -> impl Iterator<Item = f64> {
        self.differences[i / BLOCK * self.columns..][..self.columns].iter().map(move |d| d[i % BLOCK])
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let mut differences: Vec<f64> = (0..self.length).flat_map(|i| self.component(i)).collect();
        fields.list("differences", &mut differences)?;
        match fields {
            Fields::Saved(snapshot) => snapshot.put("times", &self.times[..self.points]),
            Fields::Restored(snapshot) => self.restore(snapshot.get("times")?, &differences)?,
        }
        Ok(())
    }

    fn restore(&mut self, times: &[f64], differences: &[f64]) -> Result<(), SnapshotError> {
        if times.is_empty() || times.len() > self.columns {
            let (found, expected) = (times.len(), self.columns);
            return Err(SnapshotError::Length { name: "times".to_owned(), found, expected });
        }
        for (i, component) in differences.chunks_exact(self.columns).enumerate() {
            let places = &mut self.differences[i / BLOCK * self.columns..][..self.columns];
            places.iter_mut().zip(component).for_each(|(place, d)| place[i % BLOCK] = *d);
        }
        self.points = times.len();
        self.times[..self.points].copy_from_slice(times);
        Ok(())
    }
}

struct Push<'a> {
    differences: &'a mut [Block],
    columns: usize,
    known: usize,
    weights: &'a Weights,
    y: &'a [f64],
}

impl WithSimd for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { differences, columns, known, weights, y } = self;
        for (differences, y) in differences.chunks_exact_mut(columns).zip(y.chunks(BLOCK)) {
            let mut new = block(y);
            for (old, weight) in differences[..known].iter_mut().zip(weights) {
                let mut next = new;
                for lane in 0..BLOCK {
                    next[lane] -= weight * old[lane];
                }
                *old = std::mem::replace(&mut new, next);
            }
        }
    }
}

/// The numbers of a block.
#[inline(always)]
pub(crate) fn block(x: &[f64]) -> Block {
    match x.first_chunk() {
        Some(block) => *block,
        None => std::array::from_fn(|lane| x.get(lane).copied().unwrap_or_default()),
    }
}

/// Writes as many numbers of a block as there is room for.
#[inline(always)]
pub(crate) fn write(block: Block, x: &mut [f64]) {
    match x.first_chunk_mut() {
        Some(place) => *place = block,
        None => x.iter_mut().zip(block).for_each(|(x, number)| *x = number),
    }
}

#[cfg(test)]
mod tests;
