//! The phases of a run of a model: what it is integrated with.

use std::fmt::Display;

use taut::method::{Damped, Method};
use taut::options::Controller;
use taut::run::Event;
use taut::system::{FirstOrderSystem, PartitionedSystem};
use taut::{Happening, Phases, Solver};
use taut_text::{ModelPhases, PhaseSystem};

use super::Plan;
use crate::outcome::{Failure, Kind};

/// The phases of a model, with solvers as they were asked for.
pub struct Configured<'e> {
    plan: &'e Plan<'e>,
    method: Method,
    phases: ModelPhases<'e>,
    /// steps go on across jumps
    whole_steps: bool,
    further: &'e dyn Fn() -> Vec<Event<'e>>,
    /// friction has held something
    held: bool,
}

impl<'e> Configured<'e> {
    /// The first phase.
    pub fn new(plan: &'e Plan<'e>, further: &'e dyn Fn() -> Vec<Event<'e>>) -> Result<Self, Failure> {
        let options = plan.settings.options();
        let model = &plan.subject.model;
        let checked = model.events.check_start(model.start.t, &state_of(model));
        checked.map_err(|error| Failure::wrong(error).about(Kind::Model))?;
        // Constant and reversible steps go on across jumps: they are to have the lengths that were asked for.
        let whole_steps = options.constant_step.is_some() || options.controller == Controller::Reversible;
        let (method, phases) = (plan.settings.method()?, ModelPhases::new(&plan.subject.model, whole_steps));
        if let Some(reason) = phases.refused() {
            return Err(cannot_go_on(reason));
        }
        let held = !phases.held().is_empty();
        let configured = Configured { plan, method, phases, whole_steps, further, held };
        match configured.not_along_jumps() {
            Some(reason) => Err(cannot_go_on(reason)),
            None => Ok(configured),
        }
    }

    /// A warning where accelerations were observed while friction held: columns are found from states, which do not tell what
    /// that takes.
    pub fn unknown_accelerations(&self) -> Option<&'static str> {
        let observed = self.plan.subject.model.observers.take_accelerations();
        (self.held && observed).then_some(
            "where friction holds, accelerations in [observe] leave out the force that holds (events know it)",
        )
    }

    /// Steps of partitioned systems go along no jump.
    fn not_along_jumps(&self) -> Option<String> {
        (self.plan.partition().is_some() && self.phases.slides()).then(|| {
            format!("{} does not go along a jump that holds the motion (radau does)", self.method.name())
        })
    }
}

/// The start as a state vector, with multipliers that nobody knows yet.
fn state_of(model: &taut_text::Model) -> Vec<f64> {
    let multipliers = model.system.mechanism().map_or(0, |system| system.structure().m());
    [model.start.q.as_slice(), &model.start.v, &vec![0.0; multipliers]].concat()
}

impl Phases for Configured<'_> {
    fn solver(&self) -> Solver<'_> {
        let Plan { subject, settings, output, share_of_tolerances: share, .. } = self.plan;
        let solver = match (self.plan.partition().and(self.phases.partition()), self.phases.system()) {
            (Some(system), _) => {
                let way = (subject.model.start.t, self.plan.until);
                let breaks = match self.whole_steps {
                    true => Vec::new(),
                    false => system.evolution().switching_times(way.0, way.1),
                };
                Solver::partitioned(system).breaks(&breaks)
            }
            (None, PhaseSystem::Mechanical(system)) => {
                Solver::mechanical(system).released(&self.phases.released()).held(&self.phases.held())
            }
            (None, PhaseSystem::FirstOrder(system)) => Solver::first_order(system),
        };
        let mut options = settings.options();
        options.spark = subject.model.spark.clone();
        options.spark.damping = subject.damping();
        options.spark.damping_of = Damped::Motion;
        options.fixed = subject.model.fixed.clone();
        (options.rtol, options.atol) = (share * options.rtol, share * options.atol);
        options.absolute =
            subject.model.absolute.iter().map(|(number, atol)| (*number, share * atol)).collect();
        let solver = solver.method(self.method.clone()).options(options).output(output.clone());
        let mut solver = solver.watch(true).keep_output(false);
        if let Some(steps) = self.plan.snapshot_every {
            solver = solver.snapshot_every(steps);
        }
        let events = self.phases.events().into_iter().chain((self.further)());
        events.fold(solver, Solver::event)
    }

    fn change(&mut self, happening: &Happening<'_>) -> Result<Vec<f64>, String> {
        let mut y = self.phases.change(happening)?;
        self.held |= !self.phases.held().is_empty();
        if let Some(reason) = self.not_along_jumps() {
            return Err(reason);
        }
        if let Some(system) = self.plan.partition() {
            y.truncate(system.structure().n() + system.structure().p());
        }
        Ok(y)
    }

    fn save(&self) -> Vec<f64> {
        self.phases.save()
    }

    fn restore(&mut self, numbers: &[f64]) -> bool {
        let restored = self.phases.restore(numbers);
        self.held |= !self.phases.held().is_empty();
        restored
    }
}

fn cannot_go_on(reason: impl Display) -> Failure {
    Failure::wrong(format!("at the start the motion cannot go on: {reason}")).about(Kind::Model)
}
