//! The index-reduced equations of a constrained mechanical system: accelerations from one saddle-point system for each
//! evaluation, by Taut's own elimination.

use taut::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use taut::system::{Dynamics, Mechanism};

/// The right-hand side (v, a) of y = (q, v).
pub struct Reduced<'a> {
    system: &'a dyn Mechanism,
    mass: Vec<f64>,
    force: Vec<f64>,
    constraint: Vec<f64>,
    jacobian: Vec<f64>,
    curvature: Vec<f64>,
    saddle: Saddle,
    right: Vec<f64>,
}

impl<'a> Reduced<'a> {
    pub fn new(system: &'a dyn Mechanism) -> Self {
        let s = system.structure();
        let (n, m) = (s.n(), s.m());
        let pattern = SaddlePattern {
            n,
            m,
            mass: s.mass.clone(),
            damping: Pattern::empty(n, n),
            stiffness: Pattern::empty(n, n),
            jacobian: s.jacobian.clone(),
        };
        Reduced {
            system,
            mass: vec![0.0; s.mass.nnz()],
            force: vec![0.0; n],
            constraint: vec![0.0; m],
            jacobian: vec![0.0; s.jacobian.nnz()],
            curvature: vec![0.0; m],
            saddle: Saddle::new(&pattern, Choice::Auto),
            right: vec![0.0; n + m],
        }
    }

    /// Nothing where it cannot be evaluated.
    pub fn evaluate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Option<()> {
        let n = self.force.len();
        let (q, v) = y.split_at(n);
        let out = &mut Dynamics {
            mass: &mut self.mass,
            force: &mut self.force,
            constraint: &mut self.constraint,
            jacobian: &mut self.jacobian,
        };
        self.system.dynamics_and_curvature(t, q, v, out, &mut self.curvature).ok()?;
        let blocks = Blocks {
            mass: &self.mass,
            damping: &[],
            stiffness: &[],
            jacobian: &self.jacobian,
            compliance: &[],
            relaxation: &[],
        };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        self.saddle.assemble_and_factor(&blocks, scales).ok()?;
        self.right[..n].copy_from_slice(&self.force);
        for (right, curvature) in self.right[n..].iter_mut().zip(&self.curvature) {
            *right = -curvature;
        }
        self.saddle.solve(&mut self.right);
        rate[..n].copy_from_slice(v);
        rate[n..].copy_from_slice(&self.right[..n]);
        Some(())
    }
}
