use std::fmt;

/// Why a run in double-double numbers came to no end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DigitsError {
    /// there are too many unknowns for a dense elimination
    TooLarge {
        /// how many
        unknowns: usize,
        /// how many there may be
        most: usize,
    },
    /// [M Gᵀ; G 0] is singular
    Singular {
        /// when
        t: f64,
    },
    /// equations without derivatives do not determine the variables without
    HigherIndex {
        /// when
        t: f64,
    },
    /// a state does not reach its constraints
    Projection {
        /// when
        t: f64,
        /// what is left of them
        residual: f64,
    },
    /// a formula has no value
    NotFinite {
        /// when
        t: f64,
    },
    /// steps became too short
    StepTooSmall {
        /// when
        t: f64,
    },
    /// there were too many steps
    TooManySteps {
        /// when
        t: f64,
        /// how many there were
        steps: usize,
    },
}

impl fmt::Display for DigitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DigitsError::TooLarge { unknowns, most } => {
                write!(
                    f,
                    "{unknowns} unknowns are too many for an elimination in double-double numbers: at most {most}"
                )
            }
            DigitsError::Singular { t } => {
                write!(
                    f,
                    "at t = {t:.6} the constraints depend on each other or a mass is missing: [M G'; G 0] is singular"
                )
            }
            DigitsError::HigherIndex { t } => {
                write!(
                    f,
                    "at t = {t:.6} equations without derivatives do not determine the variables without: constraints depend on \
                     each other, or the index is higher than is known to thirty digits"
                )
            }
            DigitsError::Projection { t, residual } => {
                write!(f, "at t = {t:.6} the state does not reach its constraints (residual {residual:.1e})")
            }
            DigitsError::NotFinite { t } => write!(f, "at t = {t:.6} a formula has no value"),
            DigitsError::StepTooSmall { t } => {
                write!(f, "at t = {t:.6} steps became too short: the motion is not smooth there")
            }
            DigitsError::TooManySteps { t, steps } => {
                write!(f, "after {steps} steps t = {t:.6} was reached: the motion is stiff, or the time long")
            }
        }
    }
}

impl std::error::Error for DigitsError {}
