//! A run: the library's solver, and what goes along with it.

mod collector;
mod energy;
mod interrupt;
pub mod poses;
mod power;
mod recorded;
mod recorder;
mod sampling;

pub use collector::Collected;
pub use energy::{Conserved, expectation};
pub use recorded::{Accounts, Recorded, Trouble};
pub use recorder::Recorder;
pub use sampling::{check_constant_steps, output_times};

use std::time::Instant;

use taut::method::Scheme;
use taut::motion::Motion;
use taut::run::{Observer, Output, RunError, Snapshot};
use taut::start::{ConsistentStart, consistent_partition, consistent_start_with_gap, keep_fixed};
use taut::system::PartitionedSystem;
use taut::{Error, Solver};
use taut_text::PartitionedModel;

use crate::model::Subject;
use crate::outcome::Failure;
use crate::settings::Settings;

/// How more steps are allowed.
pub const MORE_STEPS: &str = "--max-steps N";

/// What is integrated, how, and how far.
pub struct Plan<'m> {
    /// the model
    pub subject: &'m Subject,
    /// how
    pub settings: &'m Settings,
    /// the end time
    pub until: f64,
    /// at which times states are wanted
    pub output: Output,
    /// a snapshot after so many steps
    pub snapshot_every: Option<usize>,
    /// where a run that was interrupted goes on
    pub resume: Option<Snapshot>,
}

/// How a run ended.
pub struct Ending {
    /// as far as it came
    pub motion: Motion,
    /// why it stopped early
    pub reason: Option<RunError>,
    /// what it took
    pub seconds: f64,
}

/// The consistent start of a mechanical model; nothing for a first-order one.
pub fn start_of(subject: &Subject, settings: &Settings) -> Result<Option<ConsistentStart>, Failure> {
    let start = &subject.model.start;
    let options = settings.options();
    if let Some(system) = subject.partition() {
        let given = &subject.start()[..system.structure().n() + system.structure().p()];
        let found = consistent_partition(system, start.t, given, options.linear);
        return found.map(Some).map_err(Failure::wrong);
    }
    let Some(system) = subject.mechanism() else { return Ok(None) };
    let (mut q, mut v) = (start.q.clone(), start.v.clone());
    keep_fixed(system, start.t, &mut q, &mut v, &subject.model.fixed).map_err(Failure::wrong)?;
    let found = consistent_start_with_gap(system, start.t, (&q, &v), options.accept_gap, options.linear);
    found.map(Some).map_err(Failure::wrong)
}

impl Plan<'_> {
    /// Integrates.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<Ending, Failure> {
        self.run_with(self.solver()?, observer)
    }

    /// Integrates with a solver that more may have been asked of.
    pub fn run_with(&self, solver: Solver<'_>, observer: &mut dyn Observer) -> Result<Ending, Failure> {
        let start = &self.subject.model.start;
        let began = Instant::now();
        let result = solver.run_with(start.t, self.until, &self.start(), observer);
        let seconds = began.elapsed().as_secs_f64();
        let (motion, reason) = match result {
            Ok(motion) => (motion, None),
            Err(Error::Stopped { reason, motion }) => (*motion, Some(reason)),
            Err(error @ Error::Vibrations { .. }) => {
                return Err(Failure::wrong(format!("{error}: {MORE_STEPS}")));
            }
            Err(error) => return Err(Failure::wrong(error)),
        };
        Ok(Ending { motion, reason, seconds })
    }

    /// The start as the solver of this plan takes it: a partitioned system finds its multipliers by itself.
    fn start(&self) -> Vec<f64> {
        let mut start = self.subject.start();
        if let Some(system) = self.partition() {
            start.truncate(system.structure().n() + system.structure().p());
        }
        start
    }

    /// The partitioned system, where the method knows such.
    fn partition(&self) -> Option<&PartitionedModel> {
        let is_spark = self.settings.method().is_ok_and(|method| matches!(method.scheme(), Scheme::Spark(_)));
        self.subject.partition().filter(|_| is_spark)
    }

    /// The solver of this plan.
    pub fn solver(&self) -> Result<Solver<'_>, Failure> {
        let (subject, method) = (self.subject, self.settings.method()?);
        let solver = match (subject.mechanism(), self.partition(), subject.evolution()) {
            (Some(system), ..) => Solver::mechanical(system),
            (None, Some(system), _) => Solver::partitioned(system),
            (None, None, Some(system)) => Solver::first_order(system),
            (None, None, None) => {
                return Err(Failure::wrong(format!("the model '{}' has no equations", subject.name)));
            }
        };
        let mut options = self.settings.options();
        options.spark = subject.model.spark.clone();
        options.spark.damping = subject.damping();
        options.fixed = subject.model.fixed.clone();
        options.absolute = subject.model.absolute.clone();
        let mut solver =
            solver.method(method).options(options).output(self.output.clone()).watch(true).keep_output(false);
        if let Some(steps) = self.snapshot_every {
            solver = solver.snapshot_every(steps);
        }
        if let Some(snapshot) = &self.resume {
            solver = solver.resume(snapshot.clone());
        }
        Ok(solver)
    }
}
