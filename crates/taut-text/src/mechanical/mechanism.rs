//! The tapes behind the functions that a solver calls.

use taut::system::{Dynamics, Energy, Evaluation, Fault, Mechanism, Structure, Terms};

use super::MechanicalModel;
use crate::tape::State;

impl Mechanism for MechanicalModel {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        self.mass.evaluate(State { q, ..State::default() }, &mut [mass]);
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        if terms == Terms::ACCELERATING {
            self.force.evaluate(at, &mut [force]);
        } else {
            force.fill(0.0);
            for term in self.terms.iter().filter(|term| terms.contain(term.terms)) {
                term.force.accumulate(at, &mut [force]);
            }
        }
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        self.constraint.evaluate(State { t, q, ..State::default() }, &mut [g]);
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.jacobian.evaluate(State { t, q, v, ..State::default() }, &mut [jacobian]);
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        self.rate.evaluate(State { t, q, v, ..State::default() }, &mut [rate]);
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        self.curvature.evaluate(State { t, q, v, ..State::default() }, &mut [curvature]);
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
        let at = State { t, q, v, a, lambda };
        if terms == Terms::ACCELERATING {
            self.newton.evaluate(at, &mut [stiffness, damping]);
        } else {
            self.load.evaluate(at, &mut [stiffness]);
            damping.fill(0.0);
            for term in self.terms.iter().filter(|term| terms.contain(term.terms)) {
                term.newton.accumulate(at, &mut [stiffness, damping]);
            }
        }
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)?;
        self.structure.finite_block(&self.structure.damping, damping, "the damping", t)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mut energy = [0.0; 2];
        self.energy.evaluate(State { t, q, v, ..State::default() }, &mut [&mut energy]);
        let [kinetic, potential] = energy;
        if (kinetic + potential).is_finite() {
            return Ok(Energy { kinetic, potential });
        }
        let name = if kinetic.is_finite() { "potential" } else { "kinetic" };
        Err(Fault::NotFinite { quantity: "the energy", name: name.into(), t })
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        let Dynamics { mass, force, constraint, jacobian } = out;
        self.dynamics.evaluate(at, &mut [mass, force, constraint, jacobian]);
        let structure = &self.structure;
        structure.finite_block(&structure.mass, mass, "the mass", t)?;
        structure.finite_coordinates(force, "the force", t)?;
        structure.finite_constraints(constraint, "the constraint", t)?;
        structure.finite_block(&structure.jacobian, jacobian, "the constraint Jacobian", t)
    }
}
