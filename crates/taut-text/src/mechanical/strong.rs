//! A general strong potential.

use taut::linear::Pattern;

use super::derive::DerivedStrong;
use crate::tape::{Compiler, State, Tape};

/// A strong potential U(q)/ε² (Lubich 1992, eq. 1.1), for solvers that treat it apart from the other forces.
#[derive(Clone, Debug)]
pub struct StrongPotential {
    epsilon: f64,
    value: Tape,
    gradient: Tape,
    pattern: Pattern,
    hessian: Tape,
}

impl StrongPotential {
    pub(super) fn new(compiler: &mut Compiler<'_>, derived: &DerivedStrong) -> Self {
        StrongPotential {
            epsilon: derived.epsilon,
            value: compiler.tape(&[derived.value]),
            gradient: compiler.tape(&derived.gradient),
            pattern: derived.pattern.clone(),
            hessian: compiler.tape(&derived.hessian),
        }
    }

    /// ε
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// U(q)
    pub fn value(&self, q: &[f64]) -> f64 {
        let mut value = [0.0];
        self.value.evaluate(State { q, ..State::default() }, &mut [&mut value]);
        value[0]
    }

    /// ∂U/∂q
    pub fn gradient(&self, q: &[f64], gradient: &mut [f64]) {
        self.gradient.evaluate(State { q, ..State::default() }, &mut [gradient]);
    }

    /// The places of the Hessian.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// ∂²U/∂q², in the order of its pattern.
    pub fn hessian(&self, q: &[f64], hessian: &mut [f64]) {
        self.hessian.evaluate(State { q, ..State::default() }, &mut [hessian]);
    }
}
