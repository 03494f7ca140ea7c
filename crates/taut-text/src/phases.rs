//! A model whose events change it, phase by phase.

use taut::Happening;
use taut::run::Event;
use taut::system::{FirstOrderSystem, MechanicalSystem};

use crate::jumps::Jumps;
use crate::model::{Model, System};
use crate::partition::PartitionedModel;

/// The phases of a model: which constraints are in force, and which branches its formulas take.
#[derive(Clone, Debug)]
pub struct ModelPhases<'m> {
    model: &'m Model,
    /// for each constraint whether it is not in force
    released: Vec<bool>,
    jumps: Option<Jumps>,
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
    /// The first phase of a model. With constant steps (`whole_steps`) formulas jump inside of steps.
    pub fn new(model: &'m Model, whole_steps: bool) -> Self {
        let constraints = model.system.mechanism().map_or(0, |system| system.structure().m());
        let released: Vec<bool> = (0..constraints).map(|k| model.events.released().contains(&k)).collect();
        let jumps = match whole_steps {
            true => None,
            false => Jumps::new(model.compiled(), &model.parameters, &model.system),
        };
        let mut phases = ModelPhases { model, released, jumps };
        let y = [model.start.q.as_slice(), &model.start.v].concat();
        phases.begin(model.start.t, &y, &[]);
        phases
    }

    /// A phase begins, after the switches of these numbers have changed.
    fn begin(&mut self, t: f64, y: &[f64], changed: &[usize]) {
        let released = self.released();
        let began = self.jumps.as_mut().map(|jumps| jumps.begin(t, y, changed, &released));
        if began == Some(None) {
            self.jumps = None;
        }
    }

    /// What a formula is held at by its own jump, which leads back to it from both sides, so that the motion cannot go on.
    pub fn held(&self) -> Option<String> {
        self.jumps.as_ref().and_then(Jumps::held).map(|(_, reason)| reason)
    }

    fn equations(&self) -> &System {
        self.jumps.as_ref().map_or(&self.model.system, Jumps::system)
    }

    /// The equations of this phase as a partitioned system, where they are one.
    pub fn partition(&self) -> Option<&PartitionedModel> {
        match self.equations() {
            System::Partitioned(system) => Some(system),
            _ => None,
        }
    }

    /// The equations of this phase.
    pub fn system(&self) -> PhaseSystem<'_> {
        match self.equations() {
            System::FirstOrder(system) => PhaseSystem::FirstOrder(system),
            System::Partitioned(system) => PhaseSystem::FirstOrder(system.evolution()),
            System::Mechanical(system) => PhaseSystem::Mechanical(system),
            System::Strong(system) => PhaseSystem::Mechanical(system),
            System::Bodies(bodies) => PhaseSystem::Mechanical(bodies.system()),
        }
    }

    /// The constraints, by number, that are not in force.
    pub fn released(&self) -> Vec<usize> {
        (0..self.released.len()).filter(|&k| self.released[k]).collect()
    }

    /// All events, in the same order in all phases. One that would change nothing does not happen.
    pub fn events(&self) -> Vec<Event<'_>> {
        let system = self.equations().mechanism();
        let events = self.model.events.for_solver(system, |event| event.has_effect(&self.released));
        events.chain(self.jumps.iter().flat_map(Jumps::events)).collect()
    }

    /// Events have happened: the state that the next phase begins with.
    ///
    /// # Errors
    /// What an event sets is no number, or a jump holds the motion; why, in words.
    pub fn change(&mut self, happening: &Happening<'_>) -> Result<Vec<f64>, String> {
        let events = &self.model.events;
        let declared = events.events.len();
        let mut y = happening.y.to_vec();
        for &number in happening.events.iter().filter(|&&number| number < declared) {
            events.set(self.equations().mechanism(), number, happening.t, &mut y)?;
            let event = &events.events[number];
            event.remove.iter().for_each(|&k| self.released[k] = true);
            event.add.iter().for_each(|&k| self.released[k] = false);
        }
        y.truncate(y.len() - self.released.len());
        let switches = happening.events.iter().filter(|&&number| number >= declared);
        let switches: Vec<usize> = switches.map(|number| number - declared).collect();
        self.begin(happening.t, &y, &switches);
        // An event may have sent the motion back from a jump that it has just crossed.
        let by_itself = switches.len() == happening.events.len();
        match self.jumps.as_ref().and_then(Jumps::held) {
            Some((held, reason)) if by_itself || !switches.contains(&held) => Err(reason),
            _ => Ok(y),
        }
    }

    /// Numbers that tell this phase from others.
    pub fn save(&self) -> Vec<f64> {
        let released = self.released.iter().map(|&released| f64::from(u8::from(released)));
        released.chain(self.jumps.iter().flat_map(Jumps::save)).collect()
    }

    /// Goes back to the phase that these numbers tell; false when they make no sense.
    pub fn restore(&mut self, numbers: &[f64]) -> bool {
        let Some((released, modes)) = numbers.split_at_checked(self.released.len()) else { return false };
        self.released = released.iter().map(|&x| x == 1.0).collect();
        let known = released.iter().all(|&x| x == 0.0 || x == 1.0);
        let q = &self.model.start.q;
        known && self.jumps.as_mut().map_or(modes.is_empty(), |jumps| jumps.restore(modes, q))
    }
}
