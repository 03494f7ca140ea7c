//! A run: the library's solver, and what goes along with it.

mod collector;
mod distances;
mod energy;
mod interrupt;
mod phases;
pub mod poses;
mod power;
mod recorded;
mod recorder;
mod sampling;
mod second;
mod shares;

pub use collector::Collected;
pub use energy::{Conserved, expectation};
pub use interrupt::Interrupt;
pub use recorded::{Accounts, Recorded, Trouble};
pub use recorder::Recorder;
pub use sampling::{check_constant_steps, output_times};
pub use second::{Apart, SecondRun};

use std::time::Instant;

use taut::method::Scheme;
use taut::motion::Motion;
use taut::options::Vibrations;
use taut::run::{Event, Observer, Output, RunError, Snapshot};
use taut::start::{ConsistentStart, StartError, consistent_partition, consistent_start_with_gap, keep_fixed};
use taut::system::{Independent, MechanicalSystem, PartitionedSystem};
use taut::{Error, run_phases};
use taut_text::PartitionedModel;

use crate::model::Subject;
use crate::outcome::{Failure, Kind};
use crate::settings::Settings;
use phases::Configured;

/// How more steps are allowed.
pub const MORE_STEPS: &str = "--max-steps N";
/// How springs that are stretched too far for smooth motion are taken.
const FOLLOW: &str = "--vibrations follow takes stiff springs from where they are";

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
    /// all tolerances are taken times this
    pub share_of_tolerances: f64,
}

/// How a run ended.
pub struct Ending {
    /// as far as it came
    pub motion: Motion,
    /// why it stopped early
    pub reason: Option<RunError>,
    /// what it took
    pub seconds: f64,
    /// how far a second run is from it
    pub second: Option<Apart>,
}

/// The consistent start of a mechanical model; nothing for a first-order one.
pub fn start_of(subject: &Subject, settings: &Settings) -> Result<Option<ConsistentStart>, Failure> {
    let start = &subject.model.start;
    let options = settings.options();
    if let Some(system) = subject.partition() {
        let given = &subject.start()[..system.structure().n() + system.structure().p()];
        let found = consistent_partition(system, start.t, given, options.linear);
        return found.map(Some).map_err(|error| Failure::wrong(error).about(Kind::Model));
    }
    let Some(whole) = subject.mechanism() else { return Ok(None) };
    let released = subject.model.events.released();
    let held = (!released.is_empty()).then(|| Independent::without(whole, released));
    let system = held.as_ref().map_or(whole, |held| held as &dyn MechanicalSystem);
    let (mut q, mut v) = (start.q.clone(), start.v.clone());
    let refuse = |error: StartError| Failure::wrong(subject.explained(&error)).about(Kind::Model);
    keep_fixed(system, start.t, &mut q, &mut v, &subject.model.fixed).map_err(refuse)?;
    let found = consistent_start_with_gap(system, start.t, (&q, &v), options.accept_gap, options.linear);
    let mut found = found.map_err(refuse)?;
    if let Some(held) = &held {
        found.lambda = held.all_multipliers(&found.lambda);
    }
    Ok(Some(found))
}

impl Plan<'_> {
    /// Integrates.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<Ending, Failure> {
        self.run_with(&Vec::new, observer)
    }

    /// Integrates with further events beside those of the model.
    pub fn run_with<'e>(
        &'e self,
        further: &'e dyn Fn() -> Vec<Event<'e>>,
        observer: &mut dyn Observer,
    ) -> Result<Ending, Failure> {
        let start = &self.subject.model.start;
        let mut phases = Configured::new(self, further)?;
        if let Some(warning) = self.unstable_shares() {
            observer.warning(&warning);
        }
        let doubts = self.subject.doubts();
        doubts.iter().for_each(|doubt| observer.warning(doubt));
        let began = Instant::now();
        let way = (start.t, self.until, &*self.start());
        let result = run_phases(&mut phases, way, self.resume.as_ref(), observer);
        let seconds = began.elapsed().as_secs_f64();
        let (mut motion, reason) = match result {
            Ok(motion) => (motion, None),
            Err(Error::Stopped { reason, motion }) => (*motion, Some(reason)),
            Err(error) => return Err(self.not_begun(&error)),
        };
        if let Some(warning) = phases.unknown_accelerations() {
            observer.warning(warning);
        }
        motion.warning =
            doubts.into_iter().chain(motion.warning.take()).reduce(|all, one| format!("{all}; {one}"));
        Ok(Ending { motion, reason, seconds, second: None })
    }

    /// Why there was no first step.
    fn not_begun(&self, error: &Error) -> Failure {
        match error {
            Error::Vibrations { .. } => {
                Failure::wrong(format!("{error}: {MORE_STEPS}")).about(Kind::Integration)
            }
            Error::Preparation(_) if self.moves_springs() => {
                Failure::wrong(format!("{error}; {FOLLOW}")).about(Kind::Integration)
            }
            Error::Preparation(_) => Failure::wrong(error).about(Kind::Integration),
            Error::Start(error) => Failure::wrong(self.subject.explained(error)).about(Kind::Model),
            _ => Failure::wrong(error),
        }
    }

    /// Whether the start may be moved to where stiff springs do not vibrate.
    fn moves_springs(&self) -> bool {
        let system = self.subject.mechanism().filter(|_| self.settings.vibrations != Vibrations::Follow);
        system.is_some_and(|system| system.structure().constraints.iter().any(|row| row.compliance() > 0.0))
    }

    /// A warning where the model gives a SPARK method shares that are not stable.
    fn unstable_shares(&self) -> Option<String> {
        let method = self.settings.method().ok()?;
        let stages = *method.stages().first().filter(|_| matches!(method.scheme(), Scheme::Spark(_)))?;
        let by_variable = self.partition().and_then(|system| shares::warning_of_variables(system, stages));
        shares::warning(&self.subject.model.spark, stages).or(by_variable)
    }

    /// The start as the solver of this plan takes it: a partitioned system finds its multipliers by itself; they are found
    /// for the same equations as a first-order system.
    fn start(&self) -> Vec<f64> {
        let mut start = self.subject.start();
        let Some(system) = self.subject.partition() else { return start };
        let differential = system.structure().n() + system.structure().p();
        if self.partition().is_some() {
            start.truncate(differential);
            return start;
        }
        let (t, linear) = (self.subject.model.start.t, self.settings.options().linear);
        match consistent_partition(system, t, &start[..differential], linear) {
            Ok(consistent) => [consistent.q, consistent.v, consistent.lambda].concat(),
            Err(_) => start,
        }
    }

    /// The partitioned system, where the method knows such.
    pub(crate) fn partition(&self) -> Option<&PartitionedModel> {
        let is_spark = self.settings.method().is_ok_and(|method| matches!(method.scheme(), Scheme::Spark(_)));
        self.subject.partition().filter(|_| is_spark)
    }
}
