//! The front door: a system, a method, options; out comes a motion.

mod building;
mod checks;
mod choice;
mod comparison;
mod multistep;
mod phases;
mod prediction;
mod preparation;
mod series;
mod target;
mod vibrations;

use crate::error::Error;
use crate::method::Method;
use crate::motion::Motion;
use crate::options::Options;
use crate::run::{Event, Nobody, Observer, Output, Snapshot, Steps};
use crate::system::{FirstOrderSystem, MechanicalSystem, PartitionedSystem, VelocityCondition};
pub use multistep::{LinearMultistep, MultistepError};
use phases::Thread;
pub use phases::{Happening, Phases, run_phases};

/// A system as a solver takes it.
#[derive(Clone, Copy)]
enum System<'a> {
    Mechanical(&'a dyn MechanicalSystem),
    FirstOrder(&'a dyn FirstOrderSystem),
    Partitioned(&'a dyn PartitionedSystem),
}

/// Integrates a system.
///
/// ```
/// use taut::Solver;
/// use taut::system::{Differentiated, Scalar, Sketch};
///
/// let pendulum = Sketch::new(["x", "y"])
///     .potential(|q| q[1] * 9.81)
///     .rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0);
/// let pendulum = Differentiated::new(pendulum);
/// let motion = Solver::mechanical(&pendulum).tolerance(1e-9).run(0.0, 10.0, &[1.0, 0.0, 0.0, 0.0])?;
/// let (x, y) = (motion.q()[0], motion.q()[1]);
/// assert!((x.hypot(y) - 1.0).abs() < 1e-15);
/// # Ok::<(), taut::Error>(())
/// ```
pub struct Solver<'a> {
    system: System<'a>,
    method: Method,
    options: Options,
    events: Vec<Event<'a>>,
    output: Output,
    breaks: Vec<f64>,
    watch: bool,
    keep_output: bool,
    keep_inside: bool,
    snapshot_every: Option<usize>,
    resume: Option<Snapshot>,
    released: Vec<usize>,
    held: Vec<&'a dyn VelocityCondition>,
}

impl<'a> Solver<'a> {
    /// A solver for a mechanical system; its state is (q, v).
    pub fn mechanical(system: &'a dyn MechanicalSystem) -> Self {
        Self::new(System::Mechanical(system))
    }

    /// A solver for a first-order system; its state is x.
    pub fn first_order(system: &'a dyn FirstOrderSystem) -> Self {
        Self::new(System::FirstOrder(system))
    }

    /// A solver for a partitioned system, such as a [`Hamiltonian`](crate::system::Hamiltonian) one; its state is (y, z),
    /// that is (q, p). `spark` and `rattle` integrate it.
    pub fn partitioned(system: &'a dyn PartitionedSystem) -> Self {
        Self::new(System::Partitioned(system))
    }

    fn new(system: System<'a>) -> Self {
        Solver {
            system,
            method: Method::default(),
            options: Options::default(),
            events: Vec::new(),
            output: Output::End,
            breaks: Vec::new(),
            watch: false,
            keep_output: true,
            keep_inside: false,
            snapshot_every: None,
            resume: None,
            released: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Constraints of a mechanical system, by number, that are not in force: their multipliers are zero.
    pub fn released(mut self, constraints: &[usize]) -> Self {
        self.released = constraints.to_vec();
        self
    }

    /// Conditions on the velocities of a mechanical system that hold beside its constraints. Their multipliers are not shown.
    pub fn held(mut self, conditions: &[&'a dyn VelocityCondition]) -> Self {
        self.held = conditions.to_vec();
        self
    }

    /// The method; `auto` when none is chosen.
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// All options.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Relative and absolute tolerance; with constant steps that of the stage equations, which are solved to rounding else.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.options.rtol = tolerance;
        self.options.atol = tolerance;
        self.options.stage_tolerance = Some(tolerance);
        self
    }

    /// Constant steps of this length, solved to rounding unless a tolerance is given.
    pub fn constant_step(mut self, h: f64) -> Self {
        self.options.constant_step = Some(h);
        self
    }

    /// The same as [`Solver::constant_step`].
    pub fn step(self, h: f64) -> Self {
        self.constant_step(h)
    }

    /// A run with adaptive steps gives up after so many of them.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.options.most_steps = steps;
        self
    }

    /// An event to look for.
    pub fn event(mut self, event: Event<'a>) -> Self {
        self.events.push(event);
        self
    }

    /// At which times states are recorded.
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Times at which the equations are not smooth: steps end there, and the method begins anew.
    pub fn breaks(mut self, times: &[f64]) -> Self {
        self.breaks = times.to_vec();
        self
    }

    /// Whether energy and residuals of constraints are watched after each step, which costs an evaluation.
    pub fn watch(mut self, watch: bool) -> Self {
        self.watch = watch;
        self
    }

    /// Whether output is kept in the motion; without it, memory does not grow with the length of the run.
    pub fn keep_output(mut self, keep: bool) -> Self {
        self.keep_output = keep;
        self
    }

    /// Whether what is between the steps is kept in the motion, so that [`Motion::at`] knows the state at any time.
    pub fn keep_inside(mut self, keep: bool) -> Self {
        self.keep_inside = keep;
        self
    }

    /// The observer gets a snapshot after every so many accepted steps when it wants one, and where it stops the run, there are
    /// too many steps, or the end is reached: a run can be made longer later.
    pub fn snapshot_every(mut self, steps: usize) -> Self {
        self.snapshot_every = Some(steps.max(1));
        self
    }

    /// Goes on from a snapshot of a run with the same system, method, options, events and breaks, with the same bits.
    pub fn resume(mut self, snapshot: Snapshot) -> Self {
        self.resume = Some(snapshot);
        self
    }

    /// Integrates from t to `until` (which may be earlier), beginning with (q, v) or x.
    pub fn run(&self, t: f64, until: f64, start: &[f64]) -> Result<Motion, Error> {
        self.run_with(t, until, start, &mut Nobody)
    }

    /// Integrates while an observer goes along.
    pub fn run_with(
        &self,
        t: f64,
        until: f64,
        start: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Motion, Error> {
        self.run_in_pieces((t, until, start), observer)
    }

    /// Lets `drive` take the steps of a run one by one: it may look at each, change what it does with them, and stop. The
    /// iterator lives as long as the call, since what it steps with borrows what the call prepares.
    ///
    /// ```
    /// use taut::Solver;
    /// use taut::system::{Differentiated, Scalar, Sketch};
    ///
    /// let oscillator = Differentiated::new(Sketch::new(["x"]).potential(|q| q[0].square() * 0.5));
    /// let longest = Solver::mechanical(&oscillator).steps(0.0, 10.0, &[0.0, 1.0], |steps| {
    ///     steps.map(|step| step.map(|step| step.h)).try_fold(0.0_f64, |longest, h| Ok::<f64, taut::Error>(longest.max(h?)))
    /// })??;
    /// assert!(longest > 0.1 && longest < 10.0);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn steps<R>(
        &self,
        t: f64,
        until: f64,
        start: &[f64],
        drive: impl FnOnce(Steps<'_>) -> R,
    ) -> Result<R, Error> {
        self.prepare((t, until, start), &mut Nobody, &mut Thread::default(), |session, _, start| {
            drive(Steps::new(session, start))
        })
    }
}
