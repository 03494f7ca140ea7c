//! What the mechanics keeps, looked at after each step.

use super::Session;
use crate::control::error_norm::{self, larger};
use crate::error::RunError;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::run::guard::Guard;
use crate::run::plan::Watched;
use crate::system::Fault;

/// The time at which a constraint is no longer met is found by so many halvings of a step.
const HALVINGS: usize = 30;

/// Explicit methods keep errors rather than damp them: mechanisms are said to be off where those of all steps come to so many
/// tolerances. (Random mechanisms at 1e-6 with sums of 190 to 500 are wrong by 760 to 7800. Of the models that come along those with
/// 1200 steps of `dopri5` at 1e-8 have 180 to 210, and are wrong by 0.2 to 15; the sum is what errors may come to, and not what they do.)
const ADDED_UP: f64 = 180.0;

impl Session<'_, '_> {
    /// Whether a constraint that was left out is not met at the end of a step: then the run ends where that begins.
    pub(super) fn find_contradiction(&mut self, before: f64, t: f64) -> Option<RunError> {
        let state = self.guard.as_ref().map(|_| self.state())?;
        let layout = self.layout();
        let broken = |guard: &mut Guard<'_>, t: f64, state: &[f64]| {
            let (q, v, _) = layout.split(state);
            guard.broken(t, q, v).ok().flatten()
        };
        let mut guard = self.guard.take()?;
        let found = broken(&mut guard, t, &state).map(|(row, gap)| {
            let (mut good, mut bad) = (0.0, 1.0);
            let mut y = std::mem::take(&mut self.sampled);
            for _ in 0..HALVINGS {
                let theta = 0.5 * (good + bad);
                let at = before + theta * (t - before);
                let sampled = self.driver.stepper.sample(theta, &mut y, &mut Statistics::default());
                let holds = sampled.is_ok() && broken(&mut guard, at, &self.outward(at, &y)).is_none();
                if holds { good = theta } else { bad = theta }
            }
            let at = before + good * (t - before);
            if self.driver.stepper.sample(good, &mut y, &mut Statistics::default()).is_ok() {
                self.record.ended_at = Some((at, y.clone()));
            }
            self.sampled = y;
            let (q, v, _) = layout.split(&state);
            RunError::Contradiction { t: at, constraints: guard.names(row, t, q, v), gap }
        });
        self.guard = Some(guard);
        found
    }

    pub(super) fn energy(&self) -> Result<f64, Fault> {
        self.energy_at(self.driver.stepper.time(), self.driver.stepper.state())
    }

    /// The energy at a state of the stepper.
    pub(super) fn energy_at(&self, t: f64, y: &[f64]) -> Result<f64, Fault> {
        let Some(system) = self.plan.watched else { return Ok(0.0) };
        let state = self.outward(t, y);
        let (q, v, _) = self.layout().split(&state);
        match system {
            Watched::Mechanical(system) => system.energy(t, q, v).map(|energy| energy.total()),
            Watched::Partitioned(system) => {
                system.energy(t, q, v).map(|energy| energy.map_or(0.0, |energy| energy.total()))
            }
        }
    }

    /// The residuals of the constraints; those of a mechanism that is seen as a first-order system are its own.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        let imposed = self.imposed_residuals()?;
        if self.guard.is_none() {
            return Ok(imposed);
        }
        let (t, state, layout) = (self.driver.stepper.time(), self.state(), self.layout());
        let (q, v, _) = layout.split(&state);
        let Some(guard) = &mut self.guard else { return Ok(imposed) };
        let [position, velocity] = guard.residuals(t, q, v)?;
        Ok([position, velocity, imposed[2]])
    }

    /// The residuals of the constraints that are imposed.
    fn imposed_residuals(&mut self) -> Result<[f64; 3], StepFailure> {
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

    /// What is said where errors of many steps, each within the tolerance, come to many tolerances together.
    pub(super) fn errors_that_add_up(&mut self) -> Option<String> {
        // Explicit methods are those that look for stiffness.
        self.driver.stepper.stiffness()?;
        let mechanical = self.layout().is_mechanical();
        let Statistics { accepted, local_errors, .. } = self.driver.count;
        (mechanical && local_errors > ADDED_UP).then(|| {
            format!(
                "the tolerance holds for each step, and the errors of {accepted} steps come to {local_errors:.0} tolerances together, which the \
                 motion may make several times as large; a method of higher order takes fewer steps (taylor, dopri8), or take a smaller tolerance"
            )
        })
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
        let energy = match &self.record.ended_at {
            Some((t, y)) => self.energy_at(*t, y),
            None => self.energy(),
        };
        if let Ok(energy) = energy {
            let invariants = &mut self.record.invariants;
            invariants.energy.1 = energy;
            let error = energy - invariants.energy.0 - invariants.by_events;
            invariants.energy_error = larger(invariants.energy_error, error.abs());
        }
    }
}
