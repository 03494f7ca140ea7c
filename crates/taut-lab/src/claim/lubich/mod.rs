//! Lubich, Integration of stiff mechanical systems by Runge-Kutta methods (1992).
//!
//! All experiments are on the pendulum (1.1), in extended precision where double precision would hide the effect.

mod general;
mod lemma_5_1;
mod lemma_8_1;
mod lemma_8_2;
mod section_5;
mod section_8;
mod stages;
mod theorem_2_2;
mod theorem_3_1;
mod theorem_3_2;
mod theorem_4_1;
mod theorem_4_2;
mod theorem_6_1;

use taut_tableau::Tableau;
use taut_tableau::number::DoubleDouble;

use super::Claim;
use crate::error::LabError;
use crate::experiment::series::Series;
use crate::experiment::spring::State;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};

/// The claims, in the order of the paper.
pub(super) const CLAIMS: &[&Claim] = &[
    &theorem_2_2::CLAIM,
    &theorem_3_1::CLAIM,
    &general::CLAIM,
    &theorem_3_2::CLAIM,
    &theorem_4_1::CLAIM,
    &theorem_4_2::CLAIM,
    &stages::LOCAL,
    &lemma_5_1::CLAIM,
    &section_5::CLAIM,
    &theorem_6_1::CLAIM,
    &stages::MULTIPLIERS,
    &section_8::CLAIM,
    &lemma_8_1::CLAIM,
    &lemma_8_2::CLAIM,
];

/// 1/count in extended precision.
fn share(count: usize) -> DoubleDouble {
    DoubleDouble::ONE / DoubleDouble::from(count)
}

/// The Runge-Kutta solution of (1.1) at t = 1 after so many steps, from a start on smooth motion; of the rigid pendulum for
/// eps = 0.
fn stiff_end(tableau: &Tableau, steps: usize, epsilon: f64, start: State) -> Result<State, LabError> {
    let compliance = Series::from(DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon));
    let stepper = Stepper::<1>::new(tableau, share(steps), compliance);
    Ok(stepper.run(Expanded::new(&[start]), steps)?.coefficient(0))
}

/// The Runge-Kutta solution of (2.25.0-k), k < K, at t = 1/4, 1/2, 3/4 and 1: its coefficients.
fn expanded_quarters<const K: usize>(
    tableau: &Tableau,
    steps: usize,
    start: &Expansion,
) -> Result<Vec<Expansion>, LabError> {
    let stepper = Stepper::<K>::new(tableau, share(steps), Series::parameter());
    let mut at = Expanded::new(&start.coefficients);
    let mut quarters = Vec::new();
    for _ in 0..4 {
        at = stepper.run(at, steps / 4)?;
        quarters.push(Expansion { coefficients: (0..K).map(|k| at.coefficient(k)).collect() });
    }
    Ok(quarters)
}
