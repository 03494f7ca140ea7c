//! Jay, Structure preservation for constrained dynamics with super partitioned additive Runge-Kutta methods (1998).

mod convergence;
mod corollary_8_2;
mod figure_2;
mod figures;
mod figures_5_6;
mod lemma_8_1;
mod local_and_variable;
mod operations;
mod section_5;
mod section_5_2;
mod section_6_1;
mod section_6_4;
mod section_6_6;
mod section_7;
mod section_7_coordinates;
mod section_8;
mod section_8_1;
mod symplectic;
mod tables;
mod theorem_4_3;
mod theorem_6_1;
mod theorem_6_3;

use super::Claim;

/// The claims, in the order of the paper.
pub(super) const CLAIMS: &[&Claim] = &[
    &theorem_4_3::CLAIM,
    &local_and_variable::THEOREM_4_5,
    &local_and_variable::VARIABLE_STEPS,
    &section_5::THEOREM_5_2,
    &section_5::THEOREM_5_4,
    &section_5::THEOREM_5_7,
    &section_5_2::CLAIM,
    &section_5::THEOREM_5_9,
    &section_6_1::NONHOLONOMIC,
    &theorem_6_1::CLAIM,
    &theorem_6_3::CLAIM,
    &section_6_4::THEOREM_6_7,
    &section_6_4::THEOREM_6_8,
    &section_6_1::EXCHANGE,
    &section_6_6::CLAIM,
    &section_7::CLAIM,
    &section_7_coordinates::CLAIM,
    &section_8::CLAIM,
    &lemma_8_1::CLAIM,
    &tables::CLAIM,
    &corollary_8_2::CLAIM,
    &section_8_1::CLAIM,
    &section_6_1::TOLERANCE,
    &operations::CLAIM,
    &figures::FIGURE_1,
    &figure_2::CLAIM,
    &figures::FIGURE_3,
    &figures::FIGURE_4,
    &figures_5_6::FIGURE_5,
    &figures_5_6::FIGURE_6,
];
