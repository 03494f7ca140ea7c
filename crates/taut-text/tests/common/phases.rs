//! Runs of models in phases, as the command does them.

use taut::method::Method;
use taut::motion::Motion;
use taut::run::{Nobody, Observer, Output, Snapshot};
use taut::{Error, Happening, Phases, Solver, run_phases};
use taut_text::{Model, ModelPhases, PhaseSystem, Source};

pub struct Run<'m> {
    phases: ModelPhases<'m>,
    method: Method,
    tolerance: f64,
    snapshot_every: Option<usize>,
}

impl Phases for Run<'_> {
    fn solver(&self) -> Solver<'_> {
        let solver = match self.phases.system() {
            PhaseSystem::Mechanical(system) => {
                Solver::mechanical(system).released(&self.phases.released()).held(&self.phases.held())
            }
            PhaseSystem::FirstOrder(system) => Solver::first_order(system),
        };
        let solver =
            solver.method(self.method.clone()).tolerance(self.tolerance).watch(true).max_steps(2_000_000);
        let solver = match self.snapshot_every {
            Some(steps) => solver.snapshot_every(steps),
            None => solver,
        };
        self.phases.events().into_iter().fold(solver.output(Output::Steps), Solver::event)
    }

    fn change(&mut self, happening: &Happening<'_>) -> Result<Vec<f64>, String> {
        self.phases.change(happening)
    }

    fn save(&self) -> Vec<f64> {
        self.phases.save()
    }

    fn restore(&mut self, numbers: &[f64]) -> bool {
        self.phases.restore(numbers)
    }
}

#[allow(dead_code)]
pub fn read(text: &str) -> Model {
    Model::read(&Source::new("model.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

pub fn run(model: &Model, method: &str, tolerance: f64, end: f64) -> Result<Motion, Error> {
    run_with(model, method, tolerance, end, None, &mut Nobody, None)
}

pub fn run_with(
    model: &Model,
    method: &str,
    tolerance: f64,
    end: f64,
    resume: Option<&Snapshot>,
    observer: &mut dyn Observer,
    snapshot_every: Option<usize>,
) -> Result<Motion, Error> {
    let method = Method::named(method).unwrap();
    let mut run = Run { phases: ModelPhases::new(model, false), method, tolerance, snapshot_every };
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    run_phases(&mut run, (model.start.t, end, &start), resume, observer)
}
