//! Properties of methods, each computed from the coefficients.

mod algebraic;
mod b_theory;
mod estimator;
mod order;
mod signs;
mod spectrum;
mod stability;
mod summary;
mod symmetry;
mod trees;

pub use algebraic::symplectic_defect;
pub use b_theory::StiffStability;
pub use estimator::ErrorEstimator;
pub use order::SimplifyingAssumptions;
pub use spectrum::Spectrum;
pub use stability::StabilityFunction;
pub use summary::Properties;
pub use trees::RootedTrees;

pub(crate) use order::{assumption_cc, assumption_dd};
pub(crate) use signs::first_negative;

#[cfg(test)]
mod tests;
