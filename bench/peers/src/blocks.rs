//! The blocks of a mechanism on their patterns, as peers need them.

use taut::linear::Pattern;
use taut::system::{Dynamics, MechanicalSystem, Structure, Terms};

/// M, f, g, G, K and D of one state.
pub struct Blocks<'a> {
    pub system: &'a dyn MechanicalSystem,
    pub mass: Vec<f64>,
    pub force: Vec<f64>,
    pub constraint: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub stiffness: Vec<f64>,
    pub damping: Vec<f64>,
    /// c of g = c lambda
    pub compliance: Vec<f64>,
}

impl<'a> Blocks<'a> {
    pub fn new(system: &'a dyn MechanicalSystem) -> Self {
        let s = system.structure();
        let values = |pattern: &Pattern| vec![0.0; pattern.nnz()];
        Blocks {
            system,
            mass: values(&s.mass),
            force: vec![0.0; s.n()],
            constraint: vec![0.0; s.m()],
            jacobian: values(&s.jacobian),
            stiffness: values(&s.stiffness),
            damping: values(&s.damping),
            compliance: s.constraints.iter().map(|constraint| constraint.compliance()).collect(),
        }
    }

    pub fn structure(&self) -> &'a Structure {
        self.system.structure()
    }

    /// M, f, g, G; false where they cannot be evaluated.
    pub fn dynamics(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        let out = &mut Dynamics {
            mass: &mut self.mass,
            force: &mut self.force,
            constraint: &mut self.constraint,
            jacobian: &mut self.jacobian,
        };
        self.system.dynamics(t, q, v, out).is_ok()
    }

    /// K and D.
    pub fn newton_blocks(&mut self, t: f64, q: &[f64], v: &[f64], a: &[f64], lambda: &[f64]) -> bool {
        let (stiffness, damping) = (&mut self.stiffness, &mut self.damping);
        self.system.newton_blocks(Terms::ACCELERATING, t, q, v, a, lambda, stiffness, damping).is_ok()
    }

    /// M a - f + G'lambda
    pub fn balance(&self, a: &[f64], lambda: &[f64], out: &mut [f64]) {
        let s = self.structure();
        for (out, f) in out.iter_mut().zip(&self.force) {
            *out = -f;
        }
        s.mass.multiply_add(&self.mass, a, out, 1.0);
        s.jacobian.transpose_multiply_add(&self.jacobian, lambda, out, 1.0);
    }

    /// y += G' x
    pub fn add_transposed(&self, x: &[f64], y: &mut [f64]) {
        self.structure().jacobian.transpose_multiply_add(&self.jacobian, x, y, 1.0);
    }
}
