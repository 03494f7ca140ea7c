//! A general strong potential.

use taut_formula::number::Scalar;
use taut_formula::tape::{Evaluator, State};

/// U(q) of a strong potential U(q)/ε² (Lubich 1992, eq. 1.1), which is treated apart from the other forces.
#[derive(Clone, Debug)]
pub struct StrongPotential {
    epsilon: f64,
    value: Evaluator,
}

impl StrongPotential {
    pub(super) fn new(value: Evaluator, epsilon: f64) -> Self {
        StrongPotential { epsilon, value }
    }

    /// ε
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// U(q)
    pub fn value<S: Scalar>(&self, q: &[S]) -> S {
        let at = State { t: S::zero(), q, v: &[], a: &[], lambda: &[] };
        self.value.evaluate_any(at).first().copied().unwrap_or(S::zero())
    }
}
