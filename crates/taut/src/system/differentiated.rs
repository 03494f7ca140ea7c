//! A person's system with its derivatives: the bridge from [`Mechanical`] to [`MechanicalSystem`].

use std::cell::RefCell;

use super::dual_numbers::DualNumbers;
use super::expansion::MechanicalExpansion;
use super::fault::{Evaluation, Fault};
use super::force::Terms;
use super::mechanical::{Mass, Mechanical, Sparsity};
use super::mechanical_system::{Dynamics, Energy, MechanicalSystem, MotionSeries, Partitioned, Structure};
use super::number::{Dual, Scalar, Series, Unrecorded};
use super::separately;
use super::terms::{Formulas, Motion, Scratch};
use super::traced::{self, Recorded};

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

    /// Whether the values of these terms are computed by the formulas themselves.
    fn writes(&self, recorded: &Recorded, terms: Terms) -> bool {
        self.system.evaluates_itself() && !recorded.derived.contain(terms)
    }

    /// Whether M and these terms are best computed by the formulas themselves, where G is asked for as well.
    fn writes_beside_jacobian(&self, recorded: &Recorded, terms: Terms) -> bool {
        recorded.writes_mass && !recorded.shares_sines && self.writes(recorded, terms)
    }

    fn written_force(
        &self,
        recorded: &Recorded,
        terms: Terms,
        at: Motion<'_, f64>,
        force: &mut [f64],
    ) -> Evaluation {
        let structure = recorded.model.structure();
        force.fill(0.0);
        let formulas = Formulas { system: &self.system, structure };
        let present = terms & recorded.model.terms();
        formulas.add_force(present, at, force, &mut self.scratch.borrow_mut().0);
        structure.finite_coordinates(force, "the force", at.t)
    }

    fn written_constraint(&self, structure: &Structure, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let (holonomic, rest) = g.split_at_mut(structure.holonomic());
        self.system.constraint(t, q, holonomic);
        rest.fill(0.0);
        structure.finite_constraints(g, "the constraint", t)
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
        match &self.found {
            Found::Recorded(recorded) => recorded.model.expansion(),
            Found::Unrecorded(_) => None,
        }
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) if recorded.writes_mass && self.system.evaluates_itself() => {
                let structure = recorded.model.structure();
                let motion = &mut self.scratch.borrow_mut().1;
                self.system.mass(q, &mut Mass::values(&structure.mass, mass, motion));
                structure.finite_block(&structure.mass, mass, "the mass", f64::NAN)
            }
            Found::Recorded(recorded) => recorded.model.mass(q, mass),
            Found::Unrecorded(numbers) => numbers.mass(&self.system, q, mass),
        }
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.system.domain(t, q, v)?;
        let at = Motion { t, q, v };
        match &self.found {
            Found::Recorded(recorded) if self.writes(recorded, terms) => {
                self.written_force(recorded, terms, at, force)
            }
            Found::Recorded(recorded) => recorded.model.force(terms, t, q, v, force),
            Found::Unrecorded(numbers) => numbers.force(&self.system, terms, at, force),
        }
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) if !self.system.evaluates_itself() => {
                recorded.model.constraint(t, q, g)
            }
            _ => self.written_constraint(self.structure(), t, q, g),
        }
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.jacobian(t, q, v, jacobian),
            Found::Unrecorded(numbers) => numbers.jacobian(&self.system, Motion { t, q, v }, jacobian),
        }
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.constraint_rate(t, q, v, rate),
            Found::Unrecorded(numbers) => numbers.rate(&self.system, Motion { t, q, v }, rate),
        }
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.curvature(t, q, v, curvature),
            Found::Unrecorded(numbers) => numbers.curvature(&self.system, Motion { t, q, v }, curvature),
        }
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
        match &self.found {
            Found::Recorded(recorded) => {
                recorded.model.newton_blocks(terms, t, q, v, a, lambda, stiffness, damping)
            }
            Found::Unrecorded(numbers) => {
                let at = Motion { t, q, v };
                numbers.newton_blocks(&self.system, terms, at, (a, lambda), [stiffness, damping])
            }
        }
    }

    fn constraints_move(&self) -> bool {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.constraints_move(),
            Found::Unrecorded(_) => true,
        }
    }

    fn terms(&self) -> Terms {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.terms(),
            Found::Unrecorded(_) => Terms::ACCELERATING | Terms::KINETIC,
        }
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.system.domain(t, q, v)?;
        match &self.found {
            Found::Recorded(recorded) => recorded.model.energy(t, q, v),
            Found::Unrecorded(numbers) => numbers.energy(&self.system, Motion { t, q, v }),
        }
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) if !self.writes_beside_jacobian(recorded, Terms::ACCELERATING) => {
                self.system.domain(t, q, v)?;
                recorded.model.dynamics(t, q, v, out)
            }
            _ => separately::dynamics(self, t, q, v, out),
        }
    }

    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) if !self.writes_beside_jacobian(recorded, Terms::ACCELERATING) => {
                self.system.domain(t, q, v)?;
                recorded.model.dynamics_and_curvature(t, q, v, out, curvature)
            }
            _ => separately::dynamics_and_curvature(self, t, q, v, out, curvature),
        }
    }

    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        let asked = parts.iter().fold(Terms::NONE, |sum, part| sum | *part);
        match &self.found {
            Found::Recorded(recorded) if !self.writes_beside_jacobian(recorded, asked) => {
                self.system.domain(t, q, v)?;
                recorded.model.partitioned(parts, t, q, v, out)
            }
            _ => separately::partitioned(self, parts, t, q, v, out),
        }
    }

    fn takes_several(&self) -> bool {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.takes_several(),
            Found::Unrecorded(_) => false,
        }
    }

    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        match &self.found {
            Found::Recorded(recorded) if recorded.model.takes_several() => {
                let n = recorded.model.structure().n().max(1);
                for ((t, q), v) in t.iter().zip(q.chunks_exact(n)).zip(v.chunks_exact(n)) {
                    self.system.domain(*t, q, v)?;
                }
                recorded.model.dynamics_of_several(t, q, v, out)
            }
            _ => separately::dynamics_of_several(self, t, q, v, out),
        }
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        match &self.found {
            Found::Recorded(recorded) => recorded.model.series(along, balance, constraint),
            Found::Unrecorded(numbers) => numbers.series(&self.system, along, balance, constraint),
        }
    }
}
