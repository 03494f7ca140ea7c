//! Statements of other papers on what the five are about; each claim names its source.

mod adiabatic;
mod averaged_vibrations;
mod modified_energy;
mod order_maps;

use super::Claim;

/// The claims.
pub(super) const CLAIMS: &[&Claim] = &[
    &modified_energy::CLAIM,
    &adiabatic::TURNING,
    &adiabatic::TRIGONOMETRIC,
    &averaged_vibrations::CLAIM,
    &order_maps::CLAIM,
];
