//! Formulas of order 3 and more amplify vibrations that they do not resolve; orders 1 and 2 damp them.
//!
//! Steps that are short for stability have a mark: differences of the newest states do not fall with their degree, since
//! they belong to a vibration of few steps per period. The same is true of a vibration that is there and has to be
//! followed. So order 2 is tried: where steps become longer with it, it was instability (codes that look for roots of the
//! formula outside of the unit circle instead: LSODE's and CVODE's stability limit detection).

use crate::snapshot::{Fields, SnapshotError};

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
/// It goes on as long as steps have become longer by this factor: what instability has excited dies out slowly.
const GROWS: f64 = 1.2;
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
    trial: Option<Trial>,
    /// a trial had longer steps: what looks like instability is
    proven: bool,
}

/// Steps of low order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Trial {
    /// how many there were
    steps: usize,
    /// the length of steps before
    before: f64,
    /// their length when the trial began, or was looked at last
    lately: f64,
}

impl StabilityLimit {
    pub(crate) fn new() -> Self {
        StabilityLimit {
            suspicious: 0,
            patience: FIRST_PATIENCE,
            stay: FIRST_STAY,
            trial: None,
            proven: false,
        }
    }

    /// Whether no more than order 2 is to be taken.
    pub(crate) fn is_low(&self) -> bool {
        self.trial.is_some()
    }

    /// A step of length h was accepted; `fall` is the mean ratio of its differences from one degree to the next, where the
    /// order was above 2. Returns whether a trial begins.
    pub(crate) fn observe(&mut self, h: f64, fall: Option<f64>) -> bool {
        if let Some(trial) = &mut self.trial {
            trial.steps += 1;
            if trial.steps == 1 {
                trial.lately = h.abs();
            }
            let judged = !self.proven && trial.steps.is_multiple_of(TRIAL);
            self.proven |= judged && h.abs() > trial.before;
            if judged && !self.proven && h.abs() <= GROWS * trial.lately {
                self.patience = (self.patience * PATIENCE_GROWTH).min(LONGEST);
                self.trial = None;
            } else if trial.steps >= self.stay {
                self.stay = (2 * self.stay).min(LONGEST);
                self.trial = None;
            } else if judged {
                trial.lately = h.abs();
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
            self.trial = Some(Trial { steps: 0, before: h.abs(), lately: h.abs() });
        }
        begins
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let mut trial = self.trial.unwrap_or(Trial { steps: 0, before: 0.0, lately: 0.0 });
        let Self { suspicious, patience, stay, proven, .. } = self;
        let Trial { steps, before, lately } = &mut trial;
        fields.entry("stability", &mut [suspicious, patience, stay, proven, steps, before, lately])?;
        self.trial = (trial.before != 0.0).then_some(trial);
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
    fn a_trial_goes_on_as_long_as_steps_grow() {
        let mut limit = StabilityLimit::new();
        assert_eq!(steps_to_trial(&mut limit, 1.3), FIRST_PATIENCE);
        let growing = |step: usize| 0.1 * 1.3_f64.powi((step / TRIAL) as i32).min(2.0);
        let low = (0..10_000).take_while(|&k| limit.is_low() && !limit.observe(growing(k + 1), None)).count();
        assert_eq!(low, 3 * TRIAL);
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
