//! A strong potential, and its derivatives in given directions.

use std::sync::Arc;

use crate::compiled::StrongPotential;
use crate::seen::{Constraint, Evaluation, ForceClass};
use crate::system::mechanical::{Given, Mass, Mechanical, Sparsity};
use crate::system::number::{Dual, Scalar};

/// U(q) of a strong potential U(q)/ε², as a formula for any number type (Lubich 1992, eq. 1.1).
///
/// U is constant and least on a manifold, and its Hessian has the same rank everywhere near it.
pub trait Potential {
    /// U(q)
    fn potential<S: Scalar>(&self, q: &[S]) -> S;
}

impl Potential for StrongPotential {
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.value(q)
    }
}

/// The derivative of U in direction a.
pub(super) fn slope<S: Scalar>(potential: &impl Potential, q: &[S], a: &[f64]) -> S {
    let moved = |(q, a): (&S, &f64)| Dual { value: *q, slope: [S::constant(*a)] };
    let moved: Vec<Dual<1, S>> = q.iter().zip(a).map(moved).collect();
    potential.potential(&moved).slope[0]
}

/// aᵀH b with the Hessian H of U.
pub(super) fn curvature<S: Scalar>(potential: &impl Potential, q: &[S], a: &[f64], b: &[f64]) -> S {
    let moved = |(q, (a, b)): (&S, (&f64, &f64))| Dual {
        value: Dual { value: *q, slope: [S::constant(*a)] },
        slope: [Dual::constant(*b)],
    };
    let moved: Vec<Dual<1, Dual<1, S>>> = q.iter().zip(a.iter().zip(b)).map(moved).collect();
    potential.potential(&moved).slope[0].slope[0]
}

/// Nᵀ∇U, the directions N one after the other.
pub(super) fn slopes<S: Scalar>(potential: &impl Potential, q: &[S], directions: &[f64]) -> Vec<S> {
    directions.chunks_exact(q.len()).map(|direction| slope(potential, q, direction)).collect()
}

/// NᵀH N, both triangles.
pub(super) fn curvatures<S: Scalar>(potential: &impl Potential, q: &[S], directions: &[f64]) -> Vec<S> {
    let n = q.len();
    let r = directions.len() / n;
    let mut matrix = vec![S::zero(); r * r];
    for i in 0..r {
        for j in 0..=i {
            let (a, b) = (&directions[i * n..(i + 1) * n], &directions[j * n..(j + 1) * n]);
            let entry = curvature(potential, q, a, b);
            (matrix[i * r + j], matrix[j * r + i]) = (entry, entry);
        }
    }
    matrix
}

/// A [`Mechanical`] system taken apart: as a system it is what remains without the strong potential, as a [`Potential`]
/// it is the strong potential.
#[derive(Debug)]
pub struct Split<M>(Arc<M>);

impl<M> Split<M> {
    /// Takes a system apart.
    pub fn new(system: M) -> Self {
        Split(Arc::new(system))
    }
}

impl<M> Clone for Split<M> {
    fn clone(&self) -> Self {
        Split(Arc::clone(&self.0))
    }
}

impl<M: Mechanical> Potential for Split<M> {
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.0.strong_potential(q)
    }
}

impl<M: Mechanical> Mechanical for Split<M> {
    fn coordinates(&self) -> Vec<String> {
        self.0.coordinates()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        self.0.mass(q, mass);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.0.potential(q)
    }
    fn potential_force<S: Scalar>(&self, q: &[S], force: &mut [S]) -> Given {
        self.0.potential_force(q, force)
    }
    fn coriolis_force<S: Scalar>(&self, q: &[S], v: &[S], force: &mut [S]) -> Given {
        self.0.coriolis_force(q, v, force)
    }
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        self.0.force(class, t, q, v, force);
    }
    fn constraints(&self) -> Vec<Constraint> {
        self.0.constraints()
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        self.0.constraint(t, q, g);
    }
    fn nonholonomic<S: Scalar>(&self, t: S, q: &[S], v: &[S], h: &mut [S]) {
        self.0.nonholonomic(t, q, v, h);
    }
    fn domain(&self, t: f64, q: &[f64], v: &[f64]) -> Evaluation {
        self.0.domain(t, q, v)
    }
    fn sparsity(&self) -> Sparsity {
        self.0.sparsity()
    }
}
