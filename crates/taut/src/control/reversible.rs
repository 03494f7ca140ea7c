//! Reversible variable steps: a step has the length at which a symmetric error estimate takes a given value.
//!
//! The equation err(h) = TOL^((p̃+1)/(p+1)) (Jay 1998, eq. 39 and section 9) is the same for the step and for the step
//! back, so that a symmetric method remains symmetric with variable steps. It is solved together with the equations of
//! the step by Newton's iteration in logarithms, in which err = O(h^(p̃+1)) is nearly a line.

/// Changes of ln h below this are beyond what an estimate can tell.
const NOTHING: f64 = 1e-11;
/// Changes of ln h below this that no longer fall are rounding errors of the estimate.
const NOISE: f64 = 1e-9;
/// A change that is not smaller than this share of the last one no longer falls.
const STANDSTILL: f64 = 0.3;
/// The slope of ln err is trusted within this factor of p̃ + 1, its value for h → 0.
const SLOPE_FACTOR: f64 = 5.0;
/// A secant says something where ln h has changed by more than this.
const SECANT_BASE: f64 = 1e-6;
/// Changes of ln h above this say which lengths are too short or too long.
const BRACKETED_FROM: f64 = 0.03;
/// ln h changes at most by this in one iteration.
const LARGEST_CHANGE: f64 = 0.7;

/// The search for the length of one step.
#[derive(Clone, Debug)]
pub(crate) struct LengthSearch {
    /// the value that the estimate shall have
    target: f64,
    /// p̃ + 1
    power: f64,
    /// no step is longer than this
    longest: f64,
    /// ln |h| that was too short and that was too long
    bracket: (f64, f64),
    /// ln |h| and ln err before
    before: Option<(f64, f64)>,
    /// the slope of the last secant that could be trusted
    secant: Option<f64>,
    /// of ln h
    change: f64,
    settled: bool,
}

impl LengthSearch {
    pub(crate) fn new(target: f64, power: f64, longest: f64) -> Self {
        LengthSearch {
            target,
            power,
            longest,
            bracket: (f64::NEG_INFINITY, f64::INFINITY),
            before: None,
            secant: None,
            change: f64::INFINITY,
            settled: false,
        }
    }

    /// Whether the length has been found, up to rounding errors of the estimate.
    pub(crate) fn settled(&self) -> bool {
        self.settled
    }

    /// A better length than h, for which the estimate is `error` and ln err over ln h has this slope.
    pub(crate) fn improve(&mut self, h: f64, error: f64, slope: f64) -> f64 {
        if self.settled {
            return h;
        }
        let logarithms = (h.abs().ln(), error.max(f64::MIN_POSITIVE).ln());
        let change = ((self.target.ln() - logarithms.1) / self.best_slope(logarithms, slope))
            .clamp(-LARGEST_CHANGE, LARGEST_CHANGE)
            .min((self.longest / h.abs()).ln());
        let change = self.bracketed(logarithms.0, change);
        let falls = change.abs() < STANDSTILL * self.change.abs();
        self.settled = change.abs() <= NOTHING || (change.abs() <= NOISE && !falls);
        self.change = change;
        self.before = Some(logarithms);
        h * change.exp()
    }

    /// A change of ln h that stays between lengths that were found too short and too long.
    ///
    /// Only large changes count: close to the solution, errors of the unknowns decide which side a length is on.
    fn bracketed(&mut self, length: f64, change: f64) -> f64 {
        if change.abs() < BRACKETED_FROM {
            return change;
        }
        let (short, long) = &mut self.bracket;
        if change > 0.0 {
            *short = short.max(length);
        } else {
            *long = long.min(length);
        }
        let new = length + change;
        if new > *short && new < *long || !(*short + *long).is_finite() {
            change
        } else {
            0.5 * (*short + *long) - length
        }
    }

    /// The slope of the last secant, else the one that is given, else that of short steps: the first that can be trusted.
    fn best_slope(&mut self, (length, error): (f64, f64), given: f64) -> f64 {
        let trusted = self.power / SLOPE_FACTOR..=self.power * SLOPE_FACTOR;
        if let Some((length_before, error_before)) = self.before {
            let (base, slope) = (length - length_before, (error - error_before) / (length - length_before));
            if base.abs() > SECANT_BASE && trusted.contains(&slope) {
                self.secant = Some(slope);
            }
        }
        let slopes = [self.secant, Some(given)];
        slopes.into_iter().flatten().find(|slope| trusted.contains(slope)).unwrap_or(self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::LengthSearch;

    /// err = h³ (1 + h)
    #[test]
    fn the_length_is_found_in_few_iterations() {
        let error = |h: f64| h.abs().powi(3) * (1.0 + h.abs());
        for start in [0.05_f64, 0.3, -0.2] {
            let mut search = LengthSearch::new(error(0.1), 3.0, f64::INFINITY);
            let (mut h, mut iterations) = (start, 0);
            while !search.settled() {
                let slope = 3.0 + h.abs() / (1.0 + h.abs());
                h = search.improve(h, error(h), slope);
                iterations += 1;
            }
            assert!((h - 0.1_f64.copysign(start)).abs() < 1e-14, "{h}");
            assert!(iterations <= 6, "{iterations} from {start}");
        }
    }

    #[test]
    fn no_step_is_longer_than_allowed() {
        let mut search = LengthSearch::new(1.0, 3.0, 2.0);
        let mut h = 0.5;
        while !search.settled() {
            h = search.improve(h, 0.0, f64::NAN);
        }
        assert!((h - 2.0).abs() < 1e-14);
    }
}
