//! Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3 (2003).

mod figures;
mod lemma_3_2;
mod lemma_3_3;
mod remark_2_1;
mod table_1;
mod table_2;
mod tables;
mod theorem_2_1;

use super::Claim;

/// The claims, in the order of the paper.
pub(super) const CLAIMS: &[&Claim] = &[
    &theorem_2_1::CLAIM,
    &remark_2_1::CLAIM,
    &lemma_3_2::CLAIM,
    &lemma_3_3::CLAIM,
    &figures::FIGURE_2,
    &figures::FIGURE_3,
    &table_1::CLAIM,
    &figures::FIGURE_5,
    &table_2::CLAIM,
];
