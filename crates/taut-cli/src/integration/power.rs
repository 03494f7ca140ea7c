//! What works on a mechanism: the power of everything that changes its energy.

use taut::system::{Fault, MechanicalSystem, Terms};

/// Differences in time are taken over this share of the time.
const SHORT: f64 = 1e-6;

/// The reactions −Gᵀλ and the power of what changes the energy, at one state after the other.
pub struct Power<'m> {
    system: &'m dyn MechanicalSystem,
    force: Vec<f64>,
    jacobian: Vec<f64>,
    rate: Vec<f64>,
    /// −Gᵀλ of all constraints
    pub reaction: Vec<f64>,
}

impl<'m> Power<'m> {
    /// Of a system.
    pub fn new(system: &'m dyn MechanicalSystem) -> Self {
        let structure = system.structure();
        Power {
            system,
            force: vec![0.0; structure.n()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            rate: vec![0.0; structure.m()],
            reaction: vec![0.0; structure.n()],
        }
    }

    /// dE/dt: applied forces, rigid constraints that move, dampers beside springs, a potential that depends on t.
    pub fn at(&mut self, t: f64, q: &[f64], v: &[f64], lambda: &[f64]) -> Result<f64, Fault> {
        let Power { system, force, jacobian, rate, reaction } = self;
        let structure = system.structure();
        system.force(Terms::APPLIED, t, q, v, force)?;
        let mut power: f64 = force.iter().zip(v).map(|(force, v)| force * v).sum();
        system.jacobian(t, q, v, jacobian)?;
        reaction.fill(0.0);
        for ((row, column), entry) in structure.jacobian.entries().zip(jacobian.iter()) {
            let share = -entry * lambda[row];
            reaction[column] += share;
            if structure.constraints[row].compliance() == 0.0 {
                power += share * v[column];
            }
        }
        system.constraint_rate(t, q, v, rate)?;
        for (constraint, rate) in structure.constraints.iter().zip(rate.iter()) {
            if constraint.relaxation() > 0.0 && constraint.compliance() > 0.0 {
                power -= constraint.relaxation() * rate * rate / constraint.compliance();
            }
        }
        let short = SHORT * t.abs().max(1.0);
        let (before, after) = (system.energy(t - short, q, v)?, system.energy(t + short, q, v)?);
        Ok(power + (after.potential - before.potential) / (2.0 * short))
    }
}
