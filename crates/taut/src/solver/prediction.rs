//! Whether Taylor's series cost less than steps of an explicit Runge-Kutta method.

use super::target::Target;
use crate::equations::Formulation;
use crate::options::{Options, Projection};
use crate::system::Constraint;

/// The tolerance from which on series cost no more for the error that they leave, measured on model files (at equal tolerances, where
/// it is a fourth to a two-thousandth of that of `dopri8`, 0.8 to 1.5 times as much): with rods an evaluation of the equations eliminates, a
/// series eliminates once for all of its orders;
const WITH_RODS: f64 = 1e-3;
/// without them it pays where steps of order 8 become short. (At 1e-6 in millions of instructions, with errors in tolerances: Kepler's problem 78 and 592
/// instead of 82 and 72 thousand, Fermi, Pasta and Ulam's 208 and 815 instead of 561 and 7400, double pendulum 5.5 and 0.3 instead of 5.8 and 23, outer planets 64 and
/// 27 instead of 81 and 269; Pleiades 22 and 0.6 instead of 12 and 4.)
const WITHOUT_RODS: f64 = 1e-6;
/// Equations of first order more often turn stiff.
const FIRST_ORDER: f64 = 1e-8;
/// Large systems of many alike bodies gain nothing, and take long to be made ready.
const MOST_COORDINATES: usize = 200;

/// Whether Taylor's series are possible, and predicted to cost less than `dopri8` at equal error.
pub(super) fn series_pay(target: &Target<'_>, options: &Options) -> bool {
    let as_usual = options.constant_step.is_none()
        && options.formulation == Formulation::Index3
        && options.projection.is_none_or(|projection| projection == Projection::Full);
    if !as_usual || options.rtol > WITH_RODS {
        return false;
    }
    // Steps across kinks are rejected more often the more they reach ahead.
    match target {
        Target::Mechanical(system) => {
            let structure = system.structure();
            let rods = structure.constraints.iter().any(Constraint::is_rod);
            let below = if rods { WITH_RODS } else { WITHOUT_RODS };
            options.rtol <= below
                && structure.n() <= MOST_COORDINATES
                && system.expansion().is_some_and(|formulas| formulas.is_smooth())
        }
        Target::FirstOrder { system, of: None, .. } => {
            options.rtol <= FIRST_ORDER
                && system.composition().n() <= MOST_COORDINATES
                && system.expansion().is_some_and(|formulas| formulas.is_smooth())
        }
        _ => false,
    }
}
