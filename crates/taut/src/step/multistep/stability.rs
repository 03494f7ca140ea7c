//! Formulas of order 3 and more amplify vibrations that they do not resolve; orders 1 and 2 damp them.
//!
//! Steps that are short for stability have a mark: differences of the newest states do not fall with their degree, since
//! they belong to a vibration of few steps per period. The same is true of a vibration that is there and has to be
//! followed. So order 2 is tried: where steps become longer with it, it was instability (codes that look for roots of the
//! formula outside of the unit circle instead: LSODE's and CVODE's stability limit detection).

use crate::run::{Snapshot, SnapshotError};

/// The highest order that is stable on all of the imaginary axis.
pub(crate) const STABLE_ORDER: usize = 2;
/// The difference of lowest degree that is compared with the highest one.
pub(crate) const LOWEST_DEGREE: usize = 2;
/// Differences that fall to no less than this from one degree to the next belong to vibrations of ten steps per period or
/// less: |1 − exp(iφ)| for a phase φ of 0.6 in a step.
const HARDLY_FALLS: f64 = 0.6;
/// So many steps with such differences ask for a trial, at first.
const FIRST_PATIENCE: usize = 10;
/// A trial without longer steps makes the next one wait so many times longer.
const PATIENCE_GROWTH: usize = 4;
/// After so many steps a trial is judged.
const TRIAL: usize = 200;
/// After a trial with longer steps the low order stays for so many steps, at first, and twice as long after each relapse.
const FIRST_STAY: usize = 800;
/// No wait is longer than this.
const LONGEST: usize = 1 << 20;

/// Whether orders above 2 are safe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StabilityLimit {
    /// steps whose differences hardly fell
    suspicious: usize,
    patience: usize,
    stay: usize,
    /// steps since the order was lowered, and the length of steps then
    trial: Option<(usize, f64)>,
}

impl StabilityLimit {
    pub(crate) fn new() -> Self {
        StabilityLimit { suspicious: 0, patience: FIRST_PATIENCE, stay: FIRST_STAY, trial: None }
    }

    /// Whether no more than order 2 is to be taken.
    pub(crate) fn is_low(&self) -> bool {
        self.trial.is_some()
    }

    /// A step of length h was accepted; `fall` is the mean ratio of its differences from one degree to the next, where the
    /// order was above 2. Returns whether a trial begins.
    pub(crate) fn observe(&mut self, h: f64, fall: Option<f64>) -> bool {
        if let Some((steps, h_before)) = &mut self.trial {
            *steps += 1;
            if *steps == TRIAL && h.abs() <= *h_before {
                self.patience = (self.patience * PATIENCE_GROWTH).min(LONGEST);
                self.trial = None;
            } else if *steps >= self.stay {
                self.stay = (2 * self.stay).min(LONGEST);
                self.trial = None;
            }
            return false;
        }
        self.suspicious = match fall {
            Some(fall) if fall > HARDLY_FALLS => self.suspicious + 1,
            _ => self.suspicious.saturating_sub(1),
        };
        let begins = self.suspicious >= self.patience;
        if begins {
            self.suspicious = 0;
            self.trial = Some((0, h.abs()));
        }
        begins
    }

    pub(crate) fn save(&self, snapshot: &mut Snapshot) {
        let (steps, h) = self.trial.unwrap_or((0, 0.0));
        let counts = [self.suspicious, self.patience, self.stay, steps].map(|x| x as f64);
        snapshot.put("stability", &[counts[0], counts[1], counts[2], counts[3], h]);
    }

    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let [suspicious, patience, stay, steps, h] = snapshot.numbers("stability")?;
        self.suspicious = suspicious as usize;
        self.patience = patience as usize;
        self.stay = stay as usize;
        self.trial = (h != 0.0).then_some((steps as usize, h));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_PATIENCE, FIRST_STAY, StabilityLimit, TRIAL};

    /// Observes steps until a trial begins.
    fn steps_to_trial(limit: &mut StabilityLimit, fall: f64) -> usize {
        (1..10_000).find(|_| limit.observe(1.0, Some(fall))).unwrap_or(0)
    }

    #[test]
    fn differences_that_fall_are_no_cause() {
        assert_eq!(steps_to_trial(&mut StabilityLimit::new(), 0.3), 0);
    }

    #[test]
    fn longer_steps_keep_the_low_order_and_a_relapse_keeps_it_longer() {
        let mut limit = StabilityLimit::new();
        for stay in [FIRST_STAY, 2 * FIRST_STAY] {
            assert_eq!(steps_to_trial(&mut limit, 1.3), FIRST_PATIENCE);
            let low = (0..10_000).take_while(|_| limit.is_low() && !limit.observe(9.0, None)).count();
            assert_eq!(low, stay);
        }
    }

    #[test]
    fn steps_that_do_not_grow_end_the_trial() {
        let mut limit = StabilityLimit::new();
        assert_eq!(steps_to_trial(&mut limit, 1.3), FIRST_PATIENCE);
        let low = (0..10_000).take_while(|_| limit.is_low() && !limit.observe(0.5, None)).count();
        assert_eq!(low, TRIAL);
        assert_eq!(steps_to_trial(&mut limit, 1.3), 4 * FIRST_PATIENCE);
    }
}
