//! The index-reduced equations of a constrained mechanical system: accelerations from one saddle-point system for each
//! evaluation, by Taut's own elimination or by a full one written by hand.

use taut::linear::Choice;
use taut::linear::measured::{Blocks, Saddle, SaddlePattern, Scales};
use taut::system::{Dynamics, MechanicalSystem};

/// The right-hand side (v, a) of y = (q, v).
pub struct Reduced<'a> {
    system: &'a dyn MechanicalSystem,
    mass: Vec<f64>,
    force: Vec<f64>,
    constraint: Vec<f64>,
    jacobian: Vec<f64>,
    curvature: Vec<f64>,
    elimination: Elimination,
    right: Vec<f64>,
}

/// How the saddle-point system is solved.
enum Elimination {
    Taut(Box<Saddle>),
    /// the full matrix, row by row, with exchange of rows: the fastest for few unknowns
    ByHand(Vec<f64>),
}

impl<'a> Reduced<'a> {
    /// With Taut's elimination.
    pub fn new(system: &'a dyn MechanicalSystem) -> Self {
        let s = system.structure();
        let pattern = SaddlePattern::accelerations(s.mass.clone(), s.jacobian.clone());
        Self::with(system, Elimination::Taut(Box::new(Saddle::symmetric(&pattern, Choice::Auto))))
    }

    /// With a full elimination by hand.
    pub fn by_hand(system: &'a dyn MechanicalSystem) -> Self {
        let size = system.structure().n() + system.structure().m();
        Self::with(system, Elimination::ByHand(vec![0.0; size * size]))
    }

    fn with(system: &'a dyn MechanicalSystem, elimination: Elimination) -> Self {
        let s = system.structure();
        let (n, m) = (s.n(), s.m());
        Reduced {
            system,
            mass: vec![0.0; s.mass.nnz()],
            force: vec![0.0; n],
            constraint: vec![0.0; m],
            jacobian: vec![0.0; s.jacobian.nnz()],
            curvature: vec![0.0; m],
            elimination,
            right: vec![0.0; n + m],
        }
    }

    /// Writes (v, a) of a state; nothing where it cannot be evaluated.
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
        self.right[..n].copy_from_slice(&self.force);
        for (right, curvature) in self.right[n..].iter_mut().zip(&self.curvature) {
            *right = -curvature;
        }
        match &mut self.elimination {
            Elimination::Taut(saddle) => {
                let blocks = Blocks {
                    mass: &self.mass,
                    damping: &[],
                    stiffness: &[],
                    jacobian: &self.jacobian,
                    compliance: &[],
                    relaxation: &[],
                };
                let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
                saddle.assemble_and_factor(&blocks, scales).ok()?;
                saddle.solve(&mut self.right);
            }
            Elimination::ByHand(matrix) => {
                let (structure, size) = (self.system.structure(), self.right.len());
                matrix.fill(0.0);
                for ((i, j), value) in structure.mass.entries().zip(&self.mass) {
                    matrix[i * size + j] = *value;
                }
                for ((i, j), value) in structure.jacobian.entries().zip(&self.jacobian) {
                    matrix[(n + i) * size + j] = *value;
                    matrix[j * size + n + i] = *value;
                }
                eliminate(matrix, &mut self.right);
            }
        }
        rate[..n].copy_from_slice(v);
        rate[n..].copy_from_slice(&self.right[..n]);
        Some(())
    }
}

/// Replaces the right-hand side by the solution, with the largest entry of a column as its pivot.
fn eliminate(matrix: &mut [f64], right: &mut [f64]) {
    let size = right.len();
    for k in 0..size {
        let column = (k..size).map(|i| (matrix[i * size + k].abs(), i));
        let (_, pivot) = column.fold((-1.0, k), |best, next| if next.0 > best.0 { next } else { best });
        if pivot != k {
            let (before, after) = matrix.split_at_mut(pivot * size);
            before[k * size + k..][..size - k].swap_with_slice(&mut after[k..size]);
            right.swap(k, pivot);
        }
        let (above, below) = matrix.split_at_mut((k + 1) * size);
        let row = &above[k * size + k..];
        let (reciprocal, known) = (1.0 / row[0], right[k]);
        for (target, right) in below.chunks_exact_mut(size).zip(&mut right[k + 1..]) {
            let factor = target[k] * reciprocal;
            if factor != 0.0 {
                target[k + 1..].iter_mut().zip(&row[1..]).for_each(|(x, y)| *x -= factor * y);
                *right -= factor * known;
            }
        }
    }
    for k in (0..size).rev() {
        let row = &matrix[k * size..(k + 1) * size];
        let sum: f64 = row[k + 1..].iter().zip(&right[k + 1..]).map(|(x, y)| x * y).sum();
        right[k] = (right[k] - sum) / row[k];
    }
}
