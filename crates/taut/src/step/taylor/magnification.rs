//! How much constraints magnify rounding errors where a step ends, beside where they do so least.
//!
//! Beside a singular configuration G M⁻¹Gᵀ has an eigenvalue σ² that is nearly zero: multipliers, and all orders of the
//! expansion after them, are wrong by rounding errors over σ². The motion itself goes on through it, so that a step may
//! cross it, but is not to end there.

use crate::snapshot::{Fields, SnapshotError};

/// What the diagonal of (G M⁻¹Gᵀ)⁻¹ has come to on the way. Entries of one row are compared, so that neither masses nor
/// units matter.
pub(super) struct Magnification {
    /// the smallest entry of each row so far
    least: Vec<f64>,
    /// the largest entry in units of these where the step begins, and where it ends
    here: f64,
    there: f64,
}

/// A step may end with rounding errors of multipliers of this share of the tolerance,
const ALLOWED_SHARE: f64 = 0.1;
/// or magnified so many times, whatever the tolerance,
const ALLOWED: f64 = 100.0;
/// or so many times as much as where it begins.
const ALLOWED_GROWTH: f64 = 2.0;

impl Magnification {
    pub(super) fn new(rows: usize) -> Self {
        Magnification { least: vec![f64::INFINITY; rows], here: 1.0, there: 1.0 }
    }

    /// Looks at the entries where a step ends.
    pub(super) fn look(&mut self, entries: impl Iterator<Item = f64>) {
        self.there = 1.0;
        for (least, entry) in self.least.iter_mut().zip(entries) {
            let entry = entry.abs();
            *least = least.min(entry);
            self.there = self.there.max(entry / *least);
        }
    }

    /// Whether too much of the multipliers is rounding errors where the step ends, and less where it begins.
    pub(super) fn is_too_large(&self, rtol: f64) -> bool {
        let allowed = (ALLOWED_SHARE * rtol / f64::EPSILON).max(ALLOWED).max(ALLOWED_GROWTH * self.here);
        self.there > allowed
    }

    /// The next step begins where the last one ended.
    pub(super) fn go_on(&mut self) {
        self.here = self.there;
    }

    pub(super) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.list("magnification", &mut self.least)?;
        fields.entry("magnified", &mut [&mut self.here])?;
        // The next step begins here, and has not been tried.
        self.there = self.here;
        Ok(())
    }
}
