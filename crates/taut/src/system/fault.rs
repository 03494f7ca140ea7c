//! What a system answers when it cannot be evaluated.

use std::fmt;

/// A system could not be evaluated at a state. It is recoverable: the solver tries a shorter step.
#[derive(Clone, Debug, PartialEq)]
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
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotFinite { quantity, name, t } => {
                write!(f, "{quantity} of '{name}' is not finite at t = {t}")
            }
            Fault::OutsideDomain { t, reason } => {
                write!(f, "outside the domain of the system at t = {t}: {reason}")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// The outcome of an evaluation.
pub type Evaluation = Result<(), Fault>;

/// So few values are looked at one by one.
const FEW: usize = 8;

/// Checks that all values are finite and names the first that is not.
#[inline]
pub(crate) fn finite<'a>(
    values: &[f64],
    quantity: &'static str,
    t: f64,
    name: impl Fn(usize) -> &'a str,
) -> Evaluation {
    // Of many values without early exit, so that the compiler may look at several at once.
    let all_finite = match values.len() {
        ..=FEW => values.iter().all(|x| x.is_finite()),
        _ => values.iter().fold(true, |all, x| all & x.is_finite()),
    };
    if all_finite {
        return Ok(());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Fault::NotFinite { quantity, name: name(i).to_string(), t }),
        None => Ok(()),
    }
}
