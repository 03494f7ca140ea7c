//! What the mechanics keeps, looked at after each step.

use super::Session;
use crate::control::error_norm::{self, larger};
use crate::failure::StepFailure;
use crate::run::plan::Watched;
use crate::system::Fault;

impl Session<'_, '_> {
    pub(super) fn energy(&self) -> Result<f64, Fault> {
        let Some(system) = self.plan.watched else { return Ok(0.0) };
        let state = self.outward(self.driver.stepper.state());
        let (t, (q, v, _)) = (self.driver.stepper.time(), self.layout().split(&state));
        match system {
            Watched::Mechanical(system) => system.energy(t, q, v).map(|energy| energy.total()),
            Watched::Partitioned(system) => {
                system.energy(t, q, v).map(|energy| energy.map_or(0.0, |energy| energy.total()))
            }
        }
    }

    /// The residuals of the constraints; those of a mechanism that is seen as a first-order system are its own.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        let (mechanical, watched) = (self.driver.stepper.layout().is_mechanical(), self.plan.watched);
        let Some(Watched::Mechanical(system)) = watched.filter(|_| !mechanical) else {
            return self.driver.stepper.residuals();
        };
        let t = self.driver.stepper.time();
        let state = self.state();
        let (q, v, _) = self.layout().split(&state);
        let constraints = &system.structure().constraints;
        let mut rows = vec![0.0; constraints.len()];
        let largest = |rows: &[f64]| {
            let rigid = rows.iter().zip(constraints).filter(|(_, c)| c.compliance() == 0.0);
            error_norm::largest(rigid.map(|(row, _)| *row))
        };
        system.constraint(t, q, &mut rows)?;
        let position = largest(&rows);
        system.constraint_rate(t, q, v, &mut rows)?;
        Ok([position, largest(&rows), 0.0])
    }

    /// Keeps the maxima of residuals and energy error.
    pub(super) fn watch(&mut self) {
        if self.plan.watched.is_none() {
            return;
        }
        if let Ok(residuals) = self.residuals() {
            for (largest, residual) in self.record.invariants.residuals.iter_mut().zip(residuals) {
                *largest = larger(*largest, residual);
            }
        }
        if let Ok(energy) = self.energy() {
            let invariants = &mut self.record.invariants;
            invariants.energy.1 = energy;
            invariants.energy_error = larger(invariants.energy_error, (energy - invariants.energy.0).abs());
        }
    }
}
