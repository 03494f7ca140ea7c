//! How order and step size of a multistep method go on.

use super::stability::{STABLE_ORDER, StabilityLimit};
use crate::snapshot::{Fields, SnapshotError};

/// The highest order of backward differentiation formulas: those beyond are unstable.
pub(crate) const MOST_ORDER: usize = 6;

/// A step grows at most by this factor, which keeps the formulas stable: orders 1, 2 and the others. Formulas of order 1
/// are stable whatever the steps are, those of order 2 up to 1 + √2.
const MOST_GROWTH: [f64; 3] = [10.0, 2.4, 2.0];
/// It does not grow by less than this factor: equal steps save factorisations.
const LEAST_GROWTH: f64 = 1.2;
/// It does not shrink more than this after it was accepted.
const MOST_SHRINKING: f64 = 0.5;
/// Errors above this share of what is allowed shorten the next step at once.
const ALARMING: f64 = 0.7;
/// Where errors are larger than this share of what is allowed, an error that is smaller with a lower order is a sign of
/// instability.
const NOTICEABLE: f64 = 0.1;
/// Another order must promise steps that are longer by this factor.
const WORTH_CHANGING: f64 = 1.1;

/// The order in use, and when it was last changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    pub(crate) order: usize,
    highest: usize,
    /// one order only
    fixed: bool,
    /// steps are chosen so that the error would be 1/this of what is allowed
    margin: f64,
    /// accepted steps since order or step size changed
    steady: usize,
    /// the step size changes by this factor next
    pub(crate) factor: f64,
    /// rejections since the last accepted step
    pub(crate) rejections: usize,
    limit: StabilityLimit,
}

/// Estimated errors of the last step, relative to what is allowed, had it been taken with order k − 1, k, k + 1; `None`
/// where it is not known.
pub(crate) struct Errors {
    pub(crate) lower: Option<f64>,
    pub(crate) same: f64,
    pub(crate) higher: Option<f64>,
}

impl Pace {
    /// Orders up to `highest`, or just this one.
    pub(crate) fn new(highest: usize, fixed: bool, margin: f64) -> Self {
        let highest = highest.min(MOST_ORDER);
        Pace {
            order: highest,
            highest,
            fixed,
            margin,
            steady: 0,
            factor: 1.0,
            rejections: 0,
            limit: StabilityLimit::new(),
        }
    }

    /// Begins with an order that so many known states allow.
    pub(crate) fn begin(&mut self, points: usize, factor: f64) {
        self.order = self.highest.min(points.saturating_sub(1)).max(1);
        self.steady = 0;
        self.factor = factor;
        self.rejections = 0;
    }

    /// Whether the neighbouring orders should be looked at after a step with this error.
    pub(crate) fn is_due(&self, error: f64) -> bool {
        self.steady > self.order || error > ALARMING
    }

    /// The orders beside the one in use; a fixed order is only ever approached from below.
    pub(crate) fn neighbours(&self) -> (Option<usize>, Option<usize>) {
        let lower = (self.order > 1 && !self.fixed).then(|| self.order - 1);
        let highest = if self.limit.is_low() { self.highest.min(STABLE_ORDER) } else { self.highest };
        let higher = (self.order < highest).then(|| self.order + 1);
        (lower, higher)
    }

    /// Whether the fall of differences says something: steps are as long as errors allow, and of an order that may be
    /// unstable.
    pub(crate) fn may_be_unstable(&self, error: f64) -> bool {
        self.order > STABLE_ORDER && !self.fixed && error > NOTICEABLE
    }

    /// A step of length h was accepted whose differences fell so much; whether the order has to become [`STABLE_ORDER`].
    pub(crate) fn must_fall(&mut self, h: f64, fall: Option<f64>) -> bool {
        self.limit.observe(h, fall)
    }

    /// Goes on with a stable order, with which the last step would have had this error.
    pub(crate) fn fall(&mut self, error: f64) {
        self.go_on();
        self.order = STABLE_ORDER;
        self.steady = 0;
        self.factor = self.promise(STABLE_ORDER, error).clamp(MOST_SHRINKING, 1.0);
    }

    /// A step was accepted and nothing is due.
    pub(crate) fn go_on(&mut self) {
        self.steady += 1;
        self.factor = 1.0;
        self.rejections = 0;
    }

    /// A step was accepted: chooses the order that promises the longest step.
    pub(crate) fn choose(&mut self, errors: &Errors) {
        let before = self.order;
        let may_grow = self.steady > before;
        let mut best = self.promise(before, errors.same);
        if let Some(error) = errors.lower {
            let lower = self.promise(before - 1, error);
            let unstable = errors.same > NOTICEABLE && error < errors.same;
            if is_worth(lower, best) || unstable {
                (self.order, best) = (before - 1, lower);
            }
        }
        if let Some(error) = errors.higher.filter(|_| may_grow) {
            let higher = self.promise(before + 1, error);
            if is_worth(higher, best) || self.fixed {
                (self.order, best) = (before + 1, higher);
            }
        }
        self.go_on();
        if best < 1.0 && errors.same > ALARMING {
            self.factor = best.max(MOST_SHRINKING);
        } else if best >= LEAST_GROWTH && may_grow {
            self.factor = best;
        }
        if self.order != before || self.factor != 1.0 {
            self.steady = 0;
        }
    }

    /// A step was rejected; after the second rejection in a row the order falls.
    pub(crate) fn reject(&mut self) {
        self.rejections += 1;
        self.steady = 0;
        if self.rejections > 1 && !self.fixed {
            self.order = (self.order - 1).max(1);
        }
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let Pace { order, steady, rejections, factor, .. } = self;
        fields.entry("pace", &mut [order, steady, rejections, factor])?;
        fields.within("pace", self.order, 1..=self.highest)?;
        self.limit.fields(fields)
    }

    /// The factor of the step that an error of this order allows, as far as it is stable.
    fn promise(&self, order: usize, error: f64) -> f64 {
        let most = MOST_GROWTH[order.min(MOST_GROWTH.len()) - 1];
        (self.margin * error.max(f64::MIN_POSITIVE)).powf(-1.0 / (order + 1) as f64).min(most)
    }
}

/// Whether a step is longer by so much that its order is worth a change. What would be more than stable for all orders
/// is not compared: errors may be no more than noise there.
fn is_worth(promise: f64, best: f64) -> bool {
    promise.min(MOST_GROWTH[MOST_GROWTH.len() - 1]) > WORTH_CHANGING * best
}

#[cfg(test)]
mod tests;
