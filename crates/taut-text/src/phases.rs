//! A model whose events change it, phase by phase.

use taut::Happening;
use taut::run::Event;
use taut::system::{FirstOrderSystem, MechanicalSystem};

use crate::model::{Model, System};

/// The phases of a model: which constraints are in force.
#[derive(Clone, Debug)]
pub struct ModelPhases<'m> {
    model: &'m Model,
    /// for each constraint whether it is not in force
    released: Vec<bool>,
}

/// Its equations in one phase.
#[derive(Clone, Copy)]
pub enum PhaseSystem<'s> {
    /// those of a mechanism
    Mechanical(&'s dyn MechanicalSystem),
    /// those of a first-order model
    FirstOrder(&'s dyn FirstOrderSystem),
}

impl<'m> ModelPhases<'m> {
    /// The first phase of a model.
    pub fn new(model: &'m Model) -> Self {
        let constraints = model.system.mechanism().map_or(0, |system| system.structure().m());
        let released = (0..constraints).map(|k| model.events.released().contains(&k)).collect();
        ModelPhases { model, released }
    }

    /// The equations of this phase.
    pub fn system(&self) -> PhaseSystem<'_> {
        match (&self.model.system, self.model.system.mechanism()) {
            (System::FirstOrder(system), _) => PhaseSystem::FirstOrder(system),
            (System::Partitioned(system), _) => PhaseSystem::FirstOrder(system.evolution()),
            (_, Some(system)) => PhaseSystem::Mechanical(system),
            (System::Mechanical(system), None) => PhaseSystem::Mechanical(system),
            (System::Strong(system), None) => PhaseSystem::Mechanical(system),
            (System::Bodies(bodies), None) => PhaseSystem::Mechanical(bodies.system()),
        }
    }

    /// The constraints, by number, that are not in force.
    pub fn released(&self) -> Vec<usize> {
        (0..self.released.len()).filter(|&k| self.released[k]).collect()
    }

    /// All events, in the same order in all phases.
    pub fn events(&self) -> Vec<Event<'_>> {
        self.model.events.for_solver().collect()
    }

    /// Events have happened: the state that the next phase begins with.
    ///
    /// # Errors
    /// What an event sets is no number; why, in words.
    pub fn change(&mut self, happening: &Happening<'_>) -> Result<Vec<f64>, String> {
        let events = &self.model.events;
        let mut y = happening.y.to_vec();
        for &number in happening.events.iter().filter(|&&number| number < events.events.len()) {
            events.set(number, happening.t, &mut y)?;
            let event = &events.events[number];
            event.remove.iter().for_each(|&k| self.released[k] = true);
            event.add.iter().for_each(|&k| self.released[k] = false);
        }
        y.truncate(y.len() - self.released.len());
        Ok(y)
    }

    /// Numbers that tell this phase from others.
    pub fn save(&self) -> Vec<f64> {
        self.released.iter().map(|&released| f64::from(u8::from(released))).collect()
    }

    /// Goes back to the phase that these numbers tell; false when they make no sense.
    pub fn restore(&mut self, numbers: &[f64]) -> bool {
        let fits = numbers.len() == self.released.len() && numbers.iter().all(|&x| x == 0.0 || x == 1.0);
        if fits {
            self.released = numbers.iter().map(|&x| x == 1.0).collect();
        }
        fits
    }
}
