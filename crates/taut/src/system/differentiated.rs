//! A person's system with its derivatives: the bridge from [`Mechanical`] to [`MechanicalSystem`].

use std::cell::RefCell;

use super::dual_numbers::{DualNumbers, Unrecordable};
use super::mechanical::{Mechanical, Sparsity};
use super::number::{Dual, Scalar, Series, Unrecorded};
use super::terms::{Formulas, Motion, Scratch};
use super::traced::{self, Recorded};
use crate::seen::{
    Dynamics, Energy, Evaluation, Fault, MechanicalExpansion, MechanicalSystem, MotionSeries, Partitioned,
    Structure, Terms, separately,
};

/// A [`Mechanical`] system with all derivatives.
///
/// The formulas are recorded once, and differentiated symbolically; blocks are as sparse as the formulas. Formulas that ask for the
/// value of a number, such as to branch on it, cannot be recorded ([`unrecorded`](Self::unrecorded) says so): they are
/// differentiated by dual numbers, in all directions, and their blocks are full.
#[derive(Clone, Debug)]
pub struct Differentiated<M> {
    system: M,
    found: Found,
    /// for values that the formulas compute themselves
    scratch: RefCell<(Scratch<f64>, Vec<Dual<1>>)>,
}

/// What is known of the formulas.
#[derive(Clone, Debug)]
enum Found {
    Recorded(Box<Recorded>),
    Unrecorded(Box<DualNumbers>),
}

impl<M: Mechanical> Differentiated<M> {
    /// Records the formulas and differentiates them.
    pub fn new(system: M) -> Self {
        let (coordinates, mut constraints) = (system.coordinates(), system.constraints());
        // The formulas give holonomic constraints first, in whatever order they are listed.
        constraints.sort_by_key(|constraint| !constraint.is_holonomic());
        let (n, m) = (coordinates.len(), constraints.len());
        let recorded = match system.sparsity() {
            Sparsity::Traced => traced::mechanical(&system, coordinates.clone(), constraints.clone()),
            Sparsity::Dense => Err(None),
        };
        let found = match recorded {
            Ok(recorded) => Found::Recorded(Box::new(recorded)),
            Err(reason) => Found::Unrecorded(Box::new(DualNumbers::new(coordinates, constraints, reason))),
        };
        let motion = vec![Dual::constant(0.0); 2 * n];
        Differentiated { system, found, scratch: RefCell::new((Scratch::new(n, m, 0), motion)) }
    }

    /// The system it was made of.
    pub fn system(&self) -> &M {
        &self.system
    }

    /// Why the formulas were not recorded; nothing where they were, or where the system declares its blocks to be full.
    pub fn unrecorded(&self) -> Option<Unrecorded> {
        match &self.found {
            Found::Recorded(_) => None,
            Found::Unrecorded(numbers) => numbers.reason,
        }
    }

    /// What was recorded, where values of these terms are computed by the formulas themselves all the same.
    fn written(&self, terms: Terms) -> Option<&Recorded> {
        match &self.found {
            Found::Recorded(recorded)
                if self.system.evaluates_itself() && !recorded.derived.contain(terms) =>
            {
                Some(recorded)
            }
            _ => None,
        }
    }

    /// Whether M and these terms are best computed by the formulas themselves, where G is asked for as well.
    fn writes_beside_jacobian(&self, terms: Terms) -> bool {
        self.written(terms).is_some_and(|recorded| recorded.writes_mass && !recorded.shares_sines)
    }

    /// The formulas, for values that they compute themselves.
    fn formulas<'a>(&'a self, recorded: &'a Recorded) -> Formulas<'a, M> {
        Formulas { system: &self.system, structure: recorded.model.structure() }
    }

    /// Asks what was derived.
    fn derived<R>(&self, ask: impl FnOnce(&dyn MechanicalSystem) -> R) -> R {
        match &self.found {
            Found::Recorded(recorded) => ask(&recorded.model),
            Found::Unrecorded(numbers) => ask(&Unrecordable { system: &self.system, numbers }),
        }
    }
}

impl<M: Mechanical> MechanicalSystem for Differentiated<M> {
    fn structure(&self) -> &Structure {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.structure(),
            Found::Unrecorded(numbers) => &numbers.structure,
        }
    }

    fn expansion(&self) -> Option<MechanicalExpansion> {
        self.derived(|all| all.expansion())
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        match self.written(Terms::NONE).filter(|recorded| recorded.writes_mass) {
            Some(recorded) => self.formulas(recorded).mass(q, mass, &mut self.scratch.borrow_mut().1),
            None => self.derived(|all| all.mass(q, mass)),
        }
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.system.domain(t, q, v)?;
        match self.written(terms) {
            Some(recorded) => {
                let (present, scratch) = (terms & recorded.model.terms(), &mut self.scratch.borrow_mut().0);
                self.formulas(recorded).force(present, Motion { t, q, v }, force, scratch)
            }
            None => self.derived(|all| all.force(terms, t, q, v, force)),
        }
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        match self.written(Terms::NONE) {
            Some(recorded) => self.formulas(recorded).constraint(t, q, g),
            None => self.derived(|all| all.constraint(t, q, g)),
        }
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.derived(|all| all.jacobian(t, q, v, jacobian))
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        self.derived(|all| all.constraint_rate(t, q, v, rate))
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        self.derived(|all| all.curvature(t, q, v, curvature))
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        self.system.domain(t, q, v)?;
        self.derived(|all| all.newton_blocks(terms, t, q, v, a, lambda, stiffness, damping))
    }

    fn constraints_move(&self) -> bool {
        self.derived(|all| all.constraints_move())
    }

    fn terms(&self) -> Terms {
        self.derived(|all| all.terms())
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.system.domain(t, q, v)?;
        self.derived(|all| all.energy(t, q, v))
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        if self.writes_beside_jacobian(Terms::ACCELERATING) {
            return separately::dynamics(self, t, q, v, out);
        }
        self.system.domain(t, q, v)?;
        self.derived(|all| all.dynamics(t, q, v, out))
    }

    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        if self.writes_beside_jacobian(Terms::ACCELERATING) {
            return separately::dynamics_and_curvature(self, t, q, v, out, curvature);
        }
        self.system.domain(t, q, v)?;
        self.derived(|all| all.dynamics_and_curvature(t, q, v, out, curvature))
    }

    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        if self.writes_beside_jacobian(parts.iter().fold(Terms::NONE, |sum, part| sum | *part)) {
            return separately::partitioned(self, parts, t, q, v, out);
        }
        self.system.domain(t, q, v)?;
        self.derived(|all| all.partitioned(parts, t, q, v, out))
    }

    fn takes_several(&self) -> bool {
        self.derived(|all| all.takes_several())
    }

    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        if !self.takes_several() {
            return separately::dynamics_of_several(self, t, q, v, out);
        }
        let n = self.structure().n().max(1);
        for ((t, q), v) in t.iter().zip(q.chunks_exact(n)).zip(v.chunks_exact(n)) {
            self.system.domain(*t, q, v)?;
        }
        self.derived(|all| all.dynamics_of_several(t, q, v, out))
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        self.derived(|all| all.series(along, balance, constraint))
    }
}
