//! The tapes behind the functions that a solver calls. A tape says whether all results are finite; if not, the first that
//! is not gives the fault its name.

use crate::compiled::switches::zeros;
use crate::seen::{
    Dynamics, Energy, Evaluation, Fault, MechanicalExpansion, MechanicalSystem, MotionSeries, Partitioned,
    Structure, Terms, separately,
};
use taut_formula::number::{Scalar, Series};

use super::MechanicalModel;
use taut_formula::tape::{State, States};

impl MechanicalSystem for MechanicalModel {
    fn switching_times(&self, from: f64, to: f64) -> Vec<f64> {
        zeros(&self.tapes.switches, from, to)
    }

    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn expansion(&self) -> Option<MechanicalExpansion> {
        let (recursion, graph, settings) = &self.series;
        self.strong.is_none().then(|| recursion.with(graph, settings))
    }

    fn constraints_move(&self) -> bool {
        self.constraints_move
    }

    fn has_newton_blocks(&self) -> bool {
        self.has_blocks
    }

    fn terms(&self) -> Terms {
        self.tapes.terms.iter().fold(Terms::NONE, |sum, term| sum | term.terms)
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        if self.tapes.mass.evaluate(State { q, ..State::default() }, &mut [mass]) {
            return Ok(());
        }
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        let mut finite = true;
        if terms == Terms::ACCELERATING {
            finite = self.tapes.force.evaluate(at, &mut [force]);
        } else {
            force.fill(0.0);
            for term in self.tapes.terms.iter().filter(|term| terms.contain(term.terms)) {
                finite &= term.force.accumulate(at, &mut [force]);
            }
        }
        if finite {
            return Ok(());
        }
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        if self.tapes.constraint.evaluate(State { t, q, ..State::default() }, &mut [g]) {
            return Ok(());
        }
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        if self.tapes.jacobian.evaluate(State { t, q, v, ..State::default() }, &mut [jacobian]) {
            return Ok(());
        }
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        if self.tapes.rate.evaluate(State { t, q, v, ..State::default() }, &mut [rate]) {
            return Ok(());
        }
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        if self.tapes.curvature.evaluate(State { t, q, v, ..State::default() }, &mut [curvature]) {
            return Ok(());
        }
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
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
        if !self.has_blocks {
            return Err(Fault::raised(t, "the model is too large for the derivatives of its forces"));
        }
        let at = State { t, q, v, a, lambda };
        let mut finite;
        if terms == Terms::ACCELERATING {
            finite = self.tapes.newton.evaluate(at, &mut [stiffness, damping]);
        } else {
            finite = self.tapes.load.evaluate(at, &mut [stiffness]);
            damping.fill(0.0);
            for term in self.tapes.terms.iter().filter(|term| terms.contain(term.terms)) {
                finite &= term.newton.accumulate(at, &mut [stiffness, damping]);
            }
        }
        if finite {
            return Ok(());
        }
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)?;
        self.structure.finite_block(&self.structure.damping, damping, "the damping", t)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let (at, known) = (State { t, q, v, ..State::default() }, self.potential.borrow().at(t, q));
        let mut energy = [0.0, known.unwrap_or(0.0)];
        let finite = match known {
            Some(_) => self.tapes.kinetic.evaluate(at, &mut [&mut energy[..1]]),
            None => self.tapes.energy.evaluate(at, &mut [&mut energy]),
        };
        let [kinetic, potential] = energy;
        if finite {
            return Ok(Energy { kinetic, potential });
        }
        let name = if kinetic.is_finite() { "potential" } else { "kinetic" };
        Err(Fault::NotFinite { quantity: "the energy", name: name.into(), t })
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        let Dynamics { mass, force, constraint, jacobian } = out;
        if self.tapes.dynamics.evaluate(at, &mut [mass, force, constraint, jacobian]) {
            return Ok(());
        }
        self.finite_dynamics(t, out)
    }

    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        let separate = !parts.is_empty() && !parts.iter().any(|part| part.contain(Terms::CORIOLIS));
        let written = separate && (self.write_directly(at, parts, out) || self.distribute(at, parts, out));
        // A tape for each names what is not finite.
        if written { Ok(()) } else { separately::partitioned(self, parts, t, q, v, out) }
    }

    fn takes_several(&self) -> bool {
        self.tapes.dynamics.takes_several()
    }

    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let at = States { t, q, v, ..States::default() };
        let Dynamics { mass, force, constraint, jacobian } = out;
        if self.tapes.dynamics.evaluate_many(at, &mut [mass, force, constraint, jacobian]) {
            return Ok(());
        }
        let structure = &self.structure;
        for (k, t) in t.iter().enumerate() {
            let mut one = Dynamics {
                mass: of_state(k, structure.mass.nnz(), mass),
                force: of_state(k, structure.n(), force),
                constraint: of_state(k, structure.m(), constraint),
                jacobian: of_state(k, structure.jacobian.nnz(), jacobian),
            };
            self.finite_dynamics(*t, &mut one)?;
        }
        Ok(())
    }

    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        let Dynamics { mass, force, constraint, jacobian } = out;
        if self.tapes.dynamics_and_curvature.evaluate(at, &mut [mass, force, constraint, jacobian, curvature])
        {
            return Ok(());
        }
        self.finite_dynamics(t, out)?;
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let structure = &self.structure;
        let at = State { t: along.t, q: along.q, v: along.v, a: &[], lambda: &[] };
        let dynamics = self.tapes.dynamics.evaluate_any(at);
        let (mass, rest) = dynamics.split_at(structure.mass.nnz());
        let (force, rest) = rest.split_at(structure.n());
        let (g, jacobian) = rest.split_at(structure.m());
        constraint.copy_from_slice(g);
        for (balance, force) in balance.iter_mut().zip(force) {
            *balance = -*force;
        }
        for ((i, j), entry) in structure.mass.entries().zip(mass) {
            balance[i] += *entry * along.a[j];
        }
        for ((k, j), entry) in structure.jacobian.entries().zip(jacobian) {
            balance[j] += *entry * along.lambda[k];
        }
        balance.iter().chain(constraint.iter()).all(|row| row.value().is_finite())
    }
}

/// What belongs to state k.
fn of_state(k: usize, size: usize, all: &mut [f64]) -> &mut [f64] {
    &mut all[k * size..(k + 1) * size]
}

impl MechanicalModel {
    /// Evaluates what partitioned steps ask for straight to its places, where one part has the only term and all else is asked for but
    /// M, perhaps. Whether that was so, and all of it is finite.
    fn write_directly(&self, at: State<'_>, parts: &[Terms], out: &mut Partitioned<'_>) -> bool {
        let mut terms = self.tapes.terms.iter().filter(|term| term.terms != Terms::CORIOLIS);
        let (Some(term), None, [part]) = (terms.next(), terms.next(), parts) else { return false };
        if !part.contain(term.terms) || out.constraint.is_empty() {
            return false;
        }
        let mut known = self.potential.borrow_mut();
        let mut potential = [0.0];
        let of_potential = if known.comes_along { &mut potential[..] } else { &mut [] };
        let Partitioned { mass, forces, constraint, jacobian } = out;
        let mass = mass.as_deref_mut().unwrap_or_default();
        let tape = &self.tapes.partitioned;
        let finite = tape.evaluate(at, &mut [forces, constraint, jacobian, of_potential, mass]);
        // A sum that begins with zero has no negative one.
        forces.iter_mut().for_each(|force| *force += 0.0);
        if finite && known.comes_along {
            known.keep(at.t, at.q, potential[0]);
        }
        finite
    }

    /// Evaluates what partitioned steps ask for; the force of a part is the sum of its terms. Whether all of it is finite.
    fn distribute(&self, at: State<'_>, parts: &[Terms], out: &mut Partitioned<'_>) -> bool {
        let (n, structure) = (self.structure.n(), &self.structure);
        let terms = self.tapes.terms.iter().filter(|term| term.terms != Terms::CORIOLIS);
        let take = |results: &[f64]| {
            let (forces, rest) = results.split_at(n * terms.clone().count());
            out.forces.fill(0.0);
            for (part, sum) in parts.iter().zip(out.forces.chunks_exact_mut(n.max(1))) {
                for (term, force) in terms.clone().zip(forces.chunks_exact(n.max(1))) {
                    if part.contain(term.terms) {
                        sum.iter_mut().zip(force).for_each(|(sum, force)| *sum += force);
                    }
                }
            }
            let (constraint, rest) = rest.split_at(structure.m());
            let (jacobian, rest) = rest.split_at(structure.jacobian.nnz());
            if !out.constraint.is_empty() {
                out.constraint.copy_from_slice(constraint);
                out.jacobian.copy_from_slice(jacobian);
            }
            let (potential, mass) = rest.split_at(rest.len() - structure.mass.nnz());
            if let Some(place) = &mut out.mass {
                place.copy_from_slice(mass);
            }
            if let [potential] = potential {
                self.potential.borrow_mut().keep(at.t, at.q, *potential);
            }
        };
        self.tapes.partitioned.evaluate_with(at, take).is_some()
    }

    fn finite_dynamics(&self, t: f64, out: &mut Dynamics<'_>) -> Evaluation {
        let structure = &self.structure;
        structure.finite_block(&structure.mass, out.mass, "the mass", t)?;
        structure.finite_coordinates(out.force, "the force", t)?;
        structure.finite_constraints(out.constraint, "the constraint", t)?;
        structure.finite_block(&structure.jacobian, out.jacobian, "the constraint Jacobian", t)
    }
}
