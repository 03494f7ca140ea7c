//! Auzinger, Eder and Frank, Extending convergence theory for nonlinear stiff problems, part II (2001).

mod lemma_4_5;
mod lemma_6_4;
mod lemmas_4;
mod remark_4_1;
mod scenes;
mod section_5;
mod theorem_4_7;
mod theorem_4_8;
mod theorem_4_9;
mod theorem_6_1;
mod theorem_6_2;
mod theorem_6_3;

use super::Claim;

/// The claims, in the order of the paper.
pub(super) const CLAIMS: &[&Claim] = &[
    &lemmas_4::CLAIM,
    &lemma_4_5::CLAIM,
    &theorem_4_7::CLAIM,
    &remark_4_1::CLAIM,
    &theorem_4_8::CLAIM,
    &theorem_4_9::CLAIM,
    &section_5::CLAIM,
    &theorem_6_1::CLAIM,
    &theorem_6_2::CLAIM,
    &theorem_6_3::CLAIM,
    &lemma_6_4::CLAIM,
];
