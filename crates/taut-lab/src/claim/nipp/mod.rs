//! Nipp, Numerical integration of differential algebraic systems and invariant manifolds (1999).

mod diagram;
mod global_errors;
mod lemma_3;
mod methods;
mod remark_1;
mod remark_11;
mod remark_2;
mod remark_3;
mod remark_9;
mod section_2_2;
mod section_3_1;
mod section_3_2;
mod section_3_2a;
mod theorem_1;
mod theorem_2;
mod theorem_4;

use super::Claim;

/// The claims, in the order of the paper.
pub(super) const CLAIMS: &[&Claim] = &[
    &theorem_1::CLAIM,
    &remark_2::CLAIM,
    &diagram::CLAIM,
    &global_errors::GLOBAL_ERRORS,
    &remark_1::CLAIM,
    &section_2_2::CLAIM,
    &remark_3::CLAIM,
    &theorem_2::CLAIM,
    &section_3_1::CLAIM,
    &global_errors::DRIFT,
    &lemma_3::CLAIM,
    &theorem_4::CLAIM,
    &remark_9::CLAIM,
    &section_3_2a::CLAIM,
    &section_3_2::CLAIM,
    &remark_11::CLAIM,
];
