//! The pendulum with derivatives written by hand.

use taut::linear::Pattern;
use taut::system::{Dynamics, Energy, Evaluation, Fault, Mechanical, MechanicalSystem, Structure, Terms};

use crate::mechanics;

/// [`mechanics::Pendulum`], all derivatives written out.
#[derive(Clone, Debug)]
pub struct Pendulum {
    parameters: mechanics::Pendulum,
    structure: Structure,
}

impl Pendulum {
    /// The pendulum with these parameters.
    pub fn new(parameters: mechanics::Pendulum) -> Self {
        let structure = Structure {
            mass: Pattern::diagonal(2),
            stiffness: Pattern::diagonal(2),
            damping: Pattern::empty(2, 2),
            constant_mass: true,
            ..Structure::dense(parameters.coordinates(), parameters.constraints())
        };
        Pendulum { parameters, structure }
    }
}

impl MechanicalSystem for Pendulum {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) -> Evaluation {
        mass.fill(self.parameters.mass);
        Ok(())
    }

    fn force(&self, terms: Terms, _t: f64, _q: &[f64], _v: &[f64], force: &mut [f64]) -> Evaluation {
        let weight = self.parameters.mass * self.parameters.gravity;
        force[0] = 0.0;
        force[1] = if terms.contain(Terms::POTENTIAL) { -weight } else { 0.0 };
        Ok(())
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let length = self.parameters.length;
        g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - length * length);
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, _t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        jacobian.copy_from_slice(q);
        Ok(())
    }

    fn constraint_rate(&self, _t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        rate[0] = q[0] * v[0] + q[1] * v[1];
        Ok(())
    }

    fn curvature(&self, _t: f64, _q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        curvature[0] = v[0] * v[0] + v[1] * v[1];
        Ok(())
    }

    fn newton_blocks(
        &self,
        _terms: Terms,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        _damping: &mut [f64],
    ) -> Evaluation {
        stiffness.fill(-lambda[0]);
        Ok(())
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mechanics::Pendulum { mass, gravity, .. } = self.parameters;
        Ok(Energy { kinetic: 0.5 * mass * (v[0] * v[0] + v[1] * v[1]), potential: mass * gravity * q[1] })
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.mass(q, out.mass)?;
        self.force(Terms::ACCELERATING, t, q, v, out.force)?;
        self.jacobian(t, q, v, out.jacobian)?;
        self.constraint(t, q, out.constraint)
    }
}
