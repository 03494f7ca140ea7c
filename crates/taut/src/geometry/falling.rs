//! Newton's iteration on constraints, with one matrix: corrections go on as long as residuals fall.

use crate::failure::StepFailure;

/// It gives up after so many corrections.
const MOST_CORRECTIONS: usize = 12;
/// A residual that is not below this share of the last one no longer falls.
const FALLS: f64 = 0.5;

/// What corrections have left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Left {
    /// no more than the rounding error of an evaluation
    Rounding,
    /// residuals that no longer fall, and those before them
    Standstill { found: f64, before: f64 },
}

impl Left {
    /// Residuals that no longer fall are rounding errors of the formula when they are small for gradients of this size. Otherwise
    /// they are returned.
    pub(super) fn unless_small(self, gradients: f64) -> Result<(), f64> {
        let small = f64::EPSILON.sqrt() * gradients;
        match self {
            Left::Standstill { found, before } if !(found <= small && before <= small) => Err(found),
            _ => Ok(()),
        }
    }
}

/// Corrects `this` while its residual falls; `residual` finds the largest entry and the rounding error of its evaluation,
/// `correct` takes one correction from the residuals found last.
pub(super) fn correct_while_falling<T>(
    this: &mut T,
    mut residual: impl FnMut(&mut T) -> Result<[f64; 2], StepFailure>,
    mut correct: impl FnMut(&mut T),
) -> Result<Left, StepFailure> {
    let (mut before, mut corrections) = (f64::INFINITY, 0);
    loop {
        let [found, rounding] = residual(this)?;
        if found <= rounding {
            return Ok(Left::Rounding);
        }
        // What is no number does not fall.
        if !(found < FALLS * before) || corrections == MOST_CORRECTIONS {
            return Ok(Left::Standstill { found, before });
        }
        before = found;
        correct(this);
        corrections += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residuals that fall by this factor down to a least one.
    fn left(factor: f64, least: f64) -> Left {
        let residual = |x: &mut f64| Ok([x.abs().max(least), 1e-16]);
        let left = correct_while_falling(&mut 1.0, residual, |x| *x *= factor);
        left.unwrap_or(Left::Rounding)
    }

    #[test]
    fn corrections_end_at_rounding_or_where_residuals_stand_still() {
        assert_eq!(left(1e-3, 0.0), Left::Rounding);
        assert_eq!(left(1e-3, 1e-10), Left::Standstill { found: 1e-10, before: 1e-10 });
        assert_eq!(left(0.6, 0.0), Left::Standstill { found: 0.6, before: 1.0 });
        assert!(matches!(left(f64::NAN, f64::NAN), Left::Standstill { .. }));
        // slow, but on its way
        assert!(matches!(left(0.4, 0.0), Left::Standstill { found, .. } if found < 1e-4));
    }

    #[test]
    fn small_residuals_that_stand_still_are_rounding_errors_of_formulas() {
        let standstill = |found| Left::Standstill { found, before: 1e-9 };
        assert_eq!(standstill(1e-9).unless_small(1.0), Ok(()));
        assert_eq!(standstill(1e-6).unless_small(1.0), Err(1e-6));
        assert!(standstill(f64::NAN).unless_small(1.0).is_err());
    }
}
