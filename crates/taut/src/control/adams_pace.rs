//! How order and step size of an Adams method go on.

use crate::snapshot::{Fields, SnapshotError};

/// Steps are chosen so that the error would be this share of what is allowed (measured: with 0.5 the squeezer takes a quarter
/// more evaluations for the same error, by rejections and by orders that are too low).
const SHARE: f64 = 0.1;
/// A step grows at most by this factor (Shampine and Gordon: 2).
const MOST_GROWTH: f64 = 2.0;
/// It does not grow by less than this factor: even steps keep errors small.
const LEAST_GROWTH: f64 = 1.1;
/// What shrinks after it was accepted shrinks within these factors.
const SHRINKING: (f64, f64) = (0.5, 0.9);
/// Errors below this share of what is allowed are rounding.
const LEAST_ERROR: f64 = 1e-14;
/// After so many rejections in a row the past is forgotten: there is a kink.
const REJECTIONS_BEFORE_RESTART: usize = 4;

/// How many past rates are in use, and how the step changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// k: the order is k + 1
    pub(crate) steps: usize,
    highest: usize,
    /// one order only
    fixed: bool,
    /// the step size changes by this factor next
    pub(crate) factor: f64,
    /// rejections since the last accepted step
    rejections: usize,
}

impl Pace {
    /// Up to `highest` past rates, or just so many as soon as they are known.
    pub(crate) fn new(highest: usize, fixed: bool) -> Self {
        Pace { steps: 1, highest, fixed, factor: 1.0, rejections: 0 }
    }

    /// Whether so many rates of the past are all that will be used.
    pub(crate) fn is_complete(&self, points: usize) -> bool {
        points >= self.highest
    }

    /// With constant steps all of the past is used.
    pub(crate) fn take_all(&mut self, points: usize) {
        self.steps = self.highest.min(points);
    }

    /// A step was accepted: takes the k that promises the longest step, given the errors of `first`, `first` + 1, …, relative
    /// to what is allowed, and how many rates are known.
    pub(crate) fn choose(&mut self, first: usize, errors: &[f64], points: usize) {
        let most = (self.steps + 1).min(self.highest).min(points.saturating_sub(1)).max(1);
        let least = if self.fixed { most } else { first.min(most) };
        let (mut longest, mut steps) = (f64::NEG_INFINITY, most);
        for (k, error) in (first..=most).zip(errors).filter(|(k, _)| *k >= least) {
            let promise = promise(k, *error);
            // The order in use wins where it is as good.
            if promise > longest || (promise == longest && k == self.steps) {
                (longest, steps) = (promise, k);
            }
        }
        self.steps = steps;
        self.rejections = 0;
        let factor = longest.exp();
        self.factor = if factor < 1.0 {
            factor.clamp(SHRINKING.0, SHRINKING.1)
        } else if factor < LEAST_GROWTH {
            1.0
        } else {
            factor.min(MOST_GROWTH)
        };
    }

    /// A step was rejected; `lower_is_better` says that its error would have been smaller with an order less. Returns whether
    /// the past has to be forgotten.
    pub(crate) fn reject(&mut self, lower_is_better: bool) -> bool {
        self.rejections += 1;
        if lower_is_better && !self.fixed {
            self.steps = (self.steps - 1).max(1);
        }
        let restart = self.rejections >= REJECTIONS_BEFORE_RESTART;
        if restart {
            (self.steps, self.rejections) = (1, 0);
        }
        restart
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("pace", &mut [&mut self.steps, &mut self.rejections, &mut self.factor])?;
        fields.within("pace", self.steps, 1..=self.highest)
    }
}

/// The logarithm of the factor of the step that an error with k past rates, which is O(h^(k + 1)), allows.
fn promise(k: usize, error: f64) -> f64 {
    (SHARE / error.max(LEAST_ERROR)).ln() / (k + 1) as f64
}
