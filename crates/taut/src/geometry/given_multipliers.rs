//! Accelerations of a state whose multipliers are known.

use crate::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use crate::system::{Dynamics, MechanicalSystem, Structure};

/// Accelerations of a state whose multipliers are known, as an observer of a run has it: M a = f − Gᵀλ. Where M is
/// singular, the constraints say what it does not: G a = −curvature.
#[derive(Clone, Debug)]
pub struct Accelerations {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    constraint: Vec<f64>,
    curvature: Vec<f64>,
    /// f, then a and what the multipliers change by
    unknowns: Vec<f64>,
    alone: Saddle,
    /// made when M is found to be singular
    with_constraints: Option<Saddle>,
}

const SCALES: Scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };

impl Accelerations {
    /// Storage for systems of this structure.
    pub fn new(structure: &Structure) -> Self {
        let (n, m) = (structure.n(), structure.m());
        let alone = SaddlePattern::pencil(structure.mass.clone(), Pattern::empty(n, n));
        Accelerations {
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            constraint: vec![0.0; m],
            curvature: vec![0.0; m],
            unknowns: vec![0.0; n + m],
            alone: Saddle::new(&alone, Choice::Auto),
            with_constraints: None,
        }
    }

    /// The accelerations at a state (q, v, λ); nothing where they cannot be found.
    pub fn at(
        &mut self,
        system: &dyn MechanicalSystem,
        t: f64,
        (q, v, lambda): (&[f64], &[f64], &[f64]),
    ) -> Option<&[f64]> {
        let (structure, n) = (system.structure(), q.len());
        let (force, rows) = self.unknowns.split_at_mut(n);
        let mut dynamics = Dynamics {
            mass: &mut self.mass,
            force,
            constraint: &mut self.constraint,
            jacobian: &mut self.jacobian,
        };
        system.dynamics_and_curvature(t, q, v, &mut dynamics, &mut self.curvature).ok()?;
        structure.jacobian.transpose_multiply_add(&self.jacobian, lambda, force, -1.0);
        let blocks = Blocks {
            mass: &self.mass,
            damping: &[],
            stiffness: &[],
            jacobian: &[],
            compliance: &[],
            relaxation: &[],
        };
        if self.alone.assemble_and_factor(&blocks, SCALES).is_ok() {
            self.alone.solve(force);
        } else {
            let constraints = structure.constraints.iter();
            for ((row, curvature), constraint) in rows.iter_mut().zip(&self.curvature).zip(constraints) {
                *row = if constraint.compliance() > 0.0 { 0.0 } else { -curvature };
            }
            self.solve_with_constraints(structure)?;
        }
        Some(&self.unknowns[..n])
    }

    /// Multipliers of springs are what they are; those of rods may change, which says that they were not settled.
    fn solve_with_constraints(&mut self, structure: &Structure) -> Option<()> {
        let springs: Vec<f64> =
            structure.constraints.iter().map(|c| f64::from(u8::from(c.compliance() > 0.0))).collect();
        for (row, entry) in structure.jacobian.row_indices().iter().zip(&mut self.jacobian) {
            *entry *= 1.0 - springs[*row];
        }
        let saddle = self.with_constraints.get_or_insert_with(|| {
            let pattern = SaddlePattern::accelerations(structure.mass.clone(), structure.jacobian.clone());
            Saddle::new(&pattern, Choice::Auto)
        });
        let blocks = Blocks {
            mass: &self.mass,
            damping: &[],
            stiffness: &[],
            jacobian: &self.jacobian,
            compliance: &springs,
            relaxation: &[],
        };
        saddle.assemble_and_factor(&blocks, SCALES).ok()?;
        saddle.solve(&mut self.unknowns);
        Some(())
    }
}
