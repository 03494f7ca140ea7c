//! The tapes behind the functions that a solver calls. A tape says whether all results are finite; if not, the first that
//! is not gives the fault its name.

use taut::system::{
    Dynamics, Energy, Evaluation, Fault, MechanicalSystem, MotionSeries, Scalar, Series, Structure, Terms,
};

use super::MechanicalModel;
use taut_formula::tape::State;

impl MechanicalSystem for MechanicalModel {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn constraints_move(&self) -> bool {
        self.constraints_move
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        if self.mass.evaluate(State { q, ..State::default() }, &mut [mass]) {
            return Ok(());
        }
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        let at = State { t, q, v, ..State::default() };
        let mut finite = true;
        if terms == Terms::ACCELERATING {
            finite = self.force.evaluate(at, &mut [force]);
        } else {
            force.fill(0.0);
            for term in self.terms.iter().filter(|term| terms.contain(term.terms)) {
                finite &= term.force.accumulate(at, &mut [force]);
            }
        }
        if finite {
            return Ok(());
        }
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        if self.constraint.evaluate(State { t, q, ..State::default() }, &mut [g]) {
            return Ok(());
        }
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        if self.jacobian.evaluate(State { t, q, v, ..State::default() }, &mut [jacobian]) {
            return Ok(());
        }
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        if self.rate.evaluate(State { t, q, v, ..State::default() }, &mut [rate]) {
            return Ok(());
        }
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        if self.curvature.evaluate(State { t, q, v, ..State::default() }, &mut [curvature]) {
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
        let at = State { t, q, v, a, lambda };
        let mut finite;
        if terms == Terms::ACCELERATING {
            finite = self.newton.evaluate(at, &mut [stiffness, damping]);
        } else {
            finite = self.load.evaluate(at, &mut [stiffness]);
            damping.fill(0.0);
            for term in self.terms.iter().filter(|term| terms.contain(term.terms)) {
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
        let mut energy = [0.0; 2];
        let finite = self.energy.evaluate(State { t, q, v, ..State::default() }, &mut [&mut energy]);
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
        if self.dynamics.evaluate(at, &mut [mass, force, constraint, jacobian]) {
            return Ok(());
        }
        self.finite_dynamics(t, out)
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
        if self.dynamics_and_curvature.evaluate(at, &mut [mass, force, constraint, jacobian, curvature]) {
            return Ok(());
        }
        self.finite_dynamics(t, out)?;
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let structure = &self.structure;
        let at = State { t: along.t, q: along.q, v: along.v, a: &[], lambda: &[] };
        let dynamics = self.dynamics.evaluate_any(at);
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

impl MechanicalModel {
    fn finite_dynamics(&self, t: f64, out: &Dynamics<'_>) -> Evaluation {
        let structure = &self.structure;
        structure.finite_block(&structure.mass, out.mass, "the mass", t)?;
        structure.finite_coordinates(out.force, "the force", t)?;
        structure.finite_constraints(out.constraint, "the constraint", t)?;
        structure.finite_block(&structure.jacobian, out.jacobian, "the constraint Jacobian", t)
    }
}
