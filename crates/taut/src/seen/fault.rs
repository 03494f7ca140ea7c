//! What a system answers when it cannot be evaluated.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A system could not be evaluated at a state. The solver tries a shorter step, unless an error was
/// [raised](Fault::Raised), which ends the run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// a formula gave NaN or infinity
    NotFinite {
        /// what was evaluated
        quantity: &'static str,
        /// the coordinate, variable or constraint
        name: String,
        /// the time
        t: f64,
    },
    /// the state is outside the domain that the system declares
    OutsideDomain {
        /// the time
        t: f64,
        /// the system's own words
        reason: String,
    },
    /// a function of the system ended with an error of its own: no shorter step is tried
    Raised {
        /// the time
        t: f64,
        /// the error
        error: Raised,
    },
}

impl Fault {
    /// The fault of an error that is to end the run at once, such as one raised by a user's function.
    ///
    /// ```
    /// use taut::system::Fault;
    ///
    /// let fault = Fault::raised(0.5, "the table has no entry for this speed");
    /// assert!(fault.is_fatal());
    /// assert_eq!(fault.to_string(), "at t = 0.5: the table has no entry for this speed");
    /// ```
    pub fn raised(t: f64, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Fault::Raised { t, error: Raised(Arc::from(error.into())) }
    }

    /// Whether it ends the run instead of shortening the step.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Fault::Raised { .. })
    }
}

/// An error that a function of a system raised.
#[derive(Clone, Debug)]
pub struct Raised(Arc<dyn Error + Send + Sync>);

impl Raised {
    /// The error itself, to be looked at or downcast.
    pub fn error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl PartialEq for Raised {
    /// Whether it is the same error, raised at the same time.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Masses do not know the time.
            Fault::NotFinite { quantity, name, t } if t.is_nan() => {
                write!(f, "{quantity} of '{name}' is not finite")
            }
            Fault::NotFinite { quantity, name, t } => {
                write!(f, "{quantity} of '{name}' is not finite at t = {t}")
            }
            Fault::OutsideDomain { t, reason } => {
                write!(f, "outside the domain of the system at t = {t}: {reason}")
            }
            Fault::Raised { t, error } => write!(f, "at t = {t}: {}", error.0),
        }
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Fault::Raised { error, .. } => Some(error.error()),
            _ => None,
        }
    }
}

/// The outcome of an evaluation.
pub type Evaluation = Result<(), Fault>;

/// So many values are looked at side by side.
const SIDE_BY_SIDE: usize = 8;

/// Whether all values are finite. A number times 0 is 0, or no number where it is not finite: sums of these are cheaper than to look at
/// each.
#[inline]
pub(crate) fn are_finite(values: &[f64]) -> bool {
    let (pieces, rest) = values.as_chunks::<SIDE_BY_SIDE>();
    let mut sums = [0.0; SIDE_BY_SIDE];
    for piece in pieces {
        sums.iter_mut().zip(piece).for_each(|(sum, x)| *sum += 0.0 * x);
    }
    sums == [0.0; SIDE_BY_SIDE] && rest.iter().all(|x| x.is_finite())
}

/// Checks that all values are finite and names the first that is not.
#[inline]
pub(crate) fn finite<'a>(
    values: &[f64],
    quantity: &'static str,
    t: f64,
    name: impl Fn(usize) -> &'a str,
) -> Evaluation {
    if are_finite(values) {
        return Ok(());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Fault::NotFinite { quantity, name: name(i).to_string(), t }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_that_is_not_finite_is_found_wherever_it_is() {
        for length in [5, 64, 203] {
            let mut values = vec![1e300; length];
            assert!(are_finite(&values));
            for (place, wrong) in [(0, f64::NAN), (length / 2, f64::INFINITY), (length - 1, -f64::INFINITY)] {
                let value = std::mem::replace(&mut values[place], wrong);
                assert!(!are_finite(&values), "{wrong} at {place} of {length}");
                values[place] = value;
            }
        }
    }
}
