//! A model whose events change it, phase by phase.

use taut::Happening;
use taut::run::Event;
use taut::system::{FirstOrderSystem, MechanicalSystem, VelocityCondition};

use crate::events::Moving;
use crate::jumps::Jumps;
use crate::model::{Model, System};
use taut::system::compiled::PartitionedModel;

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
        phases.begin(model.start.t, &y, (&[], true));
        phases
    }

    /// A phase begins, after the switches of these numbers have changed, by themselves or where an event has set the state.
    fn begin(&mut self, t: f64, y: &[f64], changed: (&[usize], bool)) {
        let released = self.released();
        let began = self.jumps.as_mut().map(|jumps| jumps.begin(t, y, changed, &released));
        if began == Some(None) {
            self.jumps = None;
        }
    }

    /// Why the motion cannot go on, since jumps of formulas lead back to themselves from both sides.
    pub fn refused(&self) -> Option<&str> {
        self.jumps.as_ref().and_then(Jumps::refused)
    }

    /// What holds the velocities of a mechanism beside its constraints: friction that sticks.
    pub fn held(&self) -> Vec<&dyn VelocityCondition> {
        self.jumps.as_ref().map_or(Vec::new(), Jumps::conditions)
    }

    /// Whether a first-order or partitioned model goes along a jump, with equations of its own.
    pub fn slides(&self) -> bool {
        self.jumps.as_ref().is_some_and(|jumps| jumps.blend().is_some())
    }

    fn equations(&self) -> &System {
        self.jumps.as_ref().map_or(&self.model.system, Jumps::system)
    }

    /// What accelerations are found with.
    fn moving(&self) -> Moving<'_> {
        match (&self.jumps, self.equations().mechanism()) {
            (Some(jumps), Some(_)) if !jumps.conditions().is_empty() => Moving::Held(jumps),
            (_, Some(system)) => Moving::Mechanism(system),
            (_, None) => Moving::Nothing,
        }
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
        if let Some(blend) = self.jumps.as_ref().and_then(Jumps::blend) {
            return PhaseSystem::FirstOrder(blend);
        }
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
        let events = self.model.events.for_solver(self.moving(), |event| event.has_effect(&self.released));
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
            events.set(self.moving(), number, happening.t, &mut y)?;
            let event = &events.events[number];
            event.remove.iter().for_each(|&k| self.released[k] = true);
            event.add.iter().for_each(|&k| self.released[k] = false);
        }
        y.truncate(y.len() - self.released.len());
        let switches = happening.events.iter().filter(|&&number| number >= declared);
        let switches = switches.map(|number| number - declared);
        let switches = self.jumps.as_ref().map_or(Vec::new(), |jumps| jumps.switches_of(switches));
        if let Some(jumps) = &mut self.jumps {
            jumps.let_go_of_moved(happening.t, happening.y, &y);
        }
        let by_themselves = happening.events.iter().all(|&number| number >= declared);
        self.begin(happening.t, &y, (&switches, by_themselves));
        match self.refused() {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(y),
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
        let (q, released) = (&self.model.start.q, self.released());
        known && self.jumps.as_mut().map_or(modes.is_empty(), |jumps| jumps.restore(modes, q, &released))
    }
}
