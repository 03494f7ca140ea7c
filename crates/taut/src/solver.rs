//! The front door: a system, a method, options; out comes a motion.

mod choice;
mod comparison;
mod multistep;
mod target;

use crate::equations::{FirstOrderView, Formulation, Ggl, Layout};
use crate::error::Error;
use crate::method::{Meeting, Method, Scheme, TAKE_SPRINGS_ALONG};
use crate::motion::{Motion, Statistics, Stop};
use crate::options::{Options, Vibrations};
use crate::run::{
    Driver, Event, Nobody, Observer, Output, Pause, Record, RunError, Session, Snapshot, Translation, stiff_since,
};
use crate::springs::{FastestSpring, fastest_spring};
use crate::start::{
    ConsistentStart, StartError, check_length, consistent_partition, consistent_start, consistent_variables,
    find_index, redundant_constraints, smooth_start,
};
use crate::system::{
    Constraint, DamperForces, FirstOrderSystem, Independent, MechanicalSystem, PartitionedSystem,
};
use choice::{choose, choose_for_stiff_motion};
pub use multistep::{LinearMultistep, MultistepError};
use target::Target;

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
    snapshot_every: Option<usize>,
    resume: Option<Snapshot>,
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
            snapshot_every: None,
            resume: None,
        }
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

    /// Relative and absolute tolerance.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.options.rtol = tolerance;
        self.options.atol = tolerance;
        self
    }

    /// Constant steps of this length.
    pub fn step(mut self, h: f64) -> Self {
        self.options.constant_step = Some(h);
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
        check_options(&self.options)?;
        check_time("the start time", t)?;
        check_time("the end time", until)?;
        match self.system {
            System::FirstOrder(system) => {
                check_length("the start", start, system.composition().n())?;
                let index = find_index(system, t, start, self.options.linear)?;
                let (x, _) = consistent_variables(system, &index, t, start, self.options.linear)?;
                let target = Target::FirstOrder { system, index, of: None };
                self.integrate(&target, (t, until, &x), None, None, observer)
            }
            System::Partitioned(system) => {
                let start = consistent_partition(system, t, start, self.options.linear)?;
                let y = [start.q.as_slice(), &start.v, &start.lambda].concat();
                self.integrate(&Target::Partitioned(system), (t, until, &y), Some(start), None, observer)
            }
            System::Mechanical(system) => {
                let partitioned = matches!(self.method.scheme(), Scheme::Spark(_));
                let dampers = if partitioned { DamperForces::of(system) } else { None };
                let system = dampers.as_ref().map_or(system, |dampers| dampers as &dyn MechanicalSystem);
                let n = system.structure().n();
                let (q, v) = start.split_at(n.min(start.len()));
                let linear = self.options.linear;
                if let Some(frame) = system.frame().filter(|_| q.len() == n) {
                    frame.begin(t, q).map_err(StartError::from)?;
                }
                let mut consistent = consistent_start(system, t, q, v, linear)?;
                if let Some(passes) = self.options.smooth_start {
                    let smooth = smooth_start(system, t, &consistent.q, &consistent.v, passes, linear)?;
                    consistent = consistent_start(system, t, &smooth.q, &smooth.v, linear)?;
                    consistent.lambda = smooth.lambda;
                }
                if consistent.redundant.is_empty() {
                    return self.integrate_mechanism(system, None, consistent, (t, until), observer);
                }
                let left_out = redundant_constraints(system, t, &consistent.q, &consistent.v)?;
                let independent = Independent::without(system, &left_out);
                self.integrate_mechanism(&independent, Some(&independent), consistent, (t, until), observer)
            }
        }
    }

    /// Integrates a mechanism whose constraints are independent; `all` knows those that were left out.
    fn integrate_mechanism(
        &self,
        system: &dyn MechanicalSystem,
        all: Option<&Independent<'_>>,
        start: ConsistentStart,
        (t, until): (f64, f64),
        observer: &mut dyn Observer,
    ) -> Result<Motion, Error> {
        let structure = system.structure();
        let outer = Layout::mechanical(structure.n(), start.lambda.len());
        let kept = all.map_or(start.lambda.clone(), |all| all.kept_multipliers(&start.lambda));
        let widen = |q: &[f64], v: &[f64], kept: &[f64]| match all {
            Some(all) => [q, v, &all.all_multipliers(kept)].concat(),
            None => [q, v, kept].concat(),
        };
        if self.options.formulation == Formulation::Ggl
            && structure.constraints.iter().any(Constraint::is_rod)
        {
            let view = FirstOrderView::<Ggl>::new(system);
            let x = view.layout().state(&start.q, &start.v, &start.a, &kept);
            let index = find_index(&view, t, &x, self.options.linear)?;
            let map = |x: &[f64]| {
                let at = view.layout().split(x);
                widen(at.q, at.v, at.lambda)
            };
            let translation = Translation { layout: outer, map: Box::new(map) };
            let target = Target::FirstOrder { system: &view, index, of: Some(system) };
            return self.integrate(&target, (t, until, &x), Some(start), Some(&translation), observer);
        }
        let inner = Layout::mechanical(structure.n(), structure.m());
        let map = |y: &[f64]| {
            let (q, v, kept) = inner.split(y);
            widen(q, v, kept)
        };
        let translation = Translation { layout: outer, map: Box::new(map) };
        let y = [start.q.as_slice(), &start.v, &kept].concat();
        let target = Target::Mechanical(system);
        self.integrate(&target, (t, until, &y), Some(start), all.map(|_| &translation), observer)
    }

    fn integrate(
        &self,
        target: &Target<'_>,
        (t, until, y): (f64, f64, &[f64]),
        start: Option<ConsistentStart>,
        translation: Option<&Translation<'_>>,
        observer: &mut dyn Observer,
    ) -> Result<Motion, Error> {
        let automatic = self.method.scheme() == Scheme::Auto;
        let stiff_since = self.resume.as_ref().and_then(stiff_since);
        let (mut method, mut choice) = match (automatic, stiff_since) {
            (false, _) => (self.method.clone(), None),
            (true, None) => choose(target),
            (true, Some(t)) => choose_for_stiff_motion(t),
        };
        let driver = self.driver(target, &method, t, y, Statistics::default())?;
        let warning = self.vibrations_to_follow(target, &method, (t, until, y))?;
        let mut warning = warning.or_else(|| driver.stepper.warning().map(str::to_owned));
        if let Some(warning) = &warning {
            observer.warning(warning);
        }
        let mut session = Session {
            until: self.next_break(t, until),
            output: &self.output,
            next_output: 0,
            events: &self.events,
            event_values: Vec::new(),
            event_counts: vec![0; self.events.len()],
            watched: target.watched().filter(|_| self.watch),
            translation,
            keep_output: self.keep_output,
            record: Record::default(),
            sampled: vec![0.0; y.len()],
            stiff_since,
            driver,
        };
        if let Some(snapshot) = &self.resume {
            session.restore(snapshot)?;
            session.until = self.next_break(session.driver.stepper.time(), until);
        }
        session.begin(observer, self.resume.is_some());
        if self.resume.is_some()
            && session.driver.has_moved()
            && self.breaks.contains(&session.driver.stepper.time())
        {
            // The method has yet to begin anew here.
            session.until = session.driver.stepper.time();
        }
        let stop = loop {
            let pause = session.advance(observer, self.snapshot_every);
            let at_end = matches!(pause, Pause::Stop(Stop::End)) && session.until == until;
            if self.snapshot_every.is_some() && (at_end || pause.may_go_on_later()) {
                observer.snapshot(&session.save());
            }
            match pause {
                Pause::Stop(Stop::End) if session.until != until => {
                    let (t, y) = (session.driver.stepper.time(), session.driver.stepper.state().to_vec());
                    let kinks = session.driver.stepper.knows_kinks();
                    session.driver = self.driver(target, &method, t, &y, session.driver.count)?;
                    session.until = self.next_break(t, until);
                    if kinks {
                        session.driver.stepper.expect_kinks();
                    }
                }
                Pause::Stop(stop) => break Ok(stop),
                Pause::Error(RunError::StepTooSmall { .. }) if automatic && method.scheme().is_explicit() => {
                    let (t, y) = (session.driver.stepper.time(), session.driver.stepper.state().to_vec());
                    (method, choice) = choose_for_stiff_motion(t);
                    session.stiff_since = Some(t);
                    session.driver = self.driver(target, &method, t, &y, session.driver.count)?;
                }
                Pause::Error(reason) => break Err(reason),
                Pause::Suspicious => {
                    let pays = automatic && self.implicit_steps_pay(target, &mut session.driver, session.until);
                    if pays {
                        let (t, y) = (session.driver.stepper.time(), session.driver.stepper.state().to_vec());
                        (method, choice) = choose_for_stiff_motion(t);
                        session.stiff_since = Some(t);
                        session.driver = self.driver(target, &method, t, &y, session.driver.count)?;
                    } else {
                        session.driver.stepper.dismiss_stiffness();
                    }
                }
                Pause::Snapshot => {}
                Pause::Stiff if !automatic => {
                    session.driver.ignore_stiffness();
                    if warning.is_none() {
                        let (name, t) = (method.name(), session.driver.stepper.time());
                        let text = format!(
                            "before t = {t:.3e} steps of {name} became short for stability only; auto or radau would take \
                             longer ones"
                        );
                        observer.warning(&text);
                        warning = Some(text);
                    }
                }
                Pause::Stiff => {
                    let (t, y) = (session.driver.stepper.time(), session.driver.stepper.state().to_vec());
                    (method, choice) = choose_for_stiff_motion(t);
                    session.stiff_since = Some(t);
                    session.driver = self.driver(target, &method, t, &y, session.driver.count)?;
                }
            }
        };
        let (t, y) = match session.record.ended_at.take() {
            Some((t, y)) => (t, session.outward(&y).into_owned()),
            None => (session.driver.stepper.time(), session.result()),
        };
        let motion = |stop: Stop| Motion {
            method: method.name(),
            stages: session.driver.stepper.stages(),
            choice,
            springs: session.driver.stepper.springs(),
            spring_spans: session.driver.stepper.spring_spans(),
            warning,
            layout: session.layout(),
            t,
            y,
            trajectory: session.record.trajectory,
            crossings: session.record.crossings,
            invariants: session.record.invariants,
            statistics: session.driver.count,
            stop,
            start,
        };
        match stop {
            Ok(stop) => Ok(motion(stop)),
            Err(reason) => Err(Error::Stopped { reason, motion: Box::new(motion(Stop::Observer)) }),
        }
    }

    /// The end of the smooth piece that begins at t.
    fn next_break(&self, t: f64, until: f64) -> f64 {
        let ahead = self.breaks.iter().copied().filter(|&time| (time - t) * (until - time) > 0.0);
        ahead.min_by(|a, b| (a - t).abs().total_cmp(&(b - t).abs())).unwrap_or(until)
    }

    /// The vibrations of stiff springs that the method has to follow: a warning, or an error when they take more steps than
    /// are allowed.
    fn vibrations_to_follow(
        &self,
        target: &Target<'_>,
        method: &Method,
        (t, until, y): (f64, f64, &[f64]),
    ) -> Result<Option<String>, Error> {
        let Target::Mechanical(system) = target else { return Ok(None) };
        let asked = self.options.vibrations == Vibrations::Follow;
        let able = Meeting::takes_springs_along(method).is_ok();
        let implicit = !method.scheme().is_explicit() && !matches!(method.scheme(), Scheme::Spark(_));
        let damped = self.options.vibrations == Vibrations::Damp && implicit;
        if self.options.constant_step.is_some() || damped || (able && !asked) {
            return Ok(None);
        }
        let Some(spring) = fastest_spring(*system, &self.options, t, y) else { return Ok(None) };
        let FastestSpring { name, period, longest_step } = spring;
        let (method, most_steps) = (method.name(), self.options.most_steps);
        let steps = (until - t).abs() / longest_step;
        let instead = if able { "other vibrations than 'follow'" } else { TAKE_SPRINGS_ALONG };
        if steps > most_steps as f64 {
            let instead = instead.to_owned();
            return Err(Error::Vibrations { method, spring: name, period, steps, most_steps, instead });
        }
        Ok((!asked).then(|| {
            format!(
                "{method} follows the vibrations of '{name}', whose period is {period:.2e}: it takes about {steps:.1e} \
                 steps; {instead} would take stiff springs along in smooth motion"
            )
        }))
    }

    fn driver<'b>(
        &self,
        target: &Target<'b>,
        method: &Method,
        t: f64,
        y: &[f64],
        mut count: Statistics,
    ) -> Result<Driver<'b>, Error> {
        let stepper = target.stepper(method, &self.options, t, y, &mut count)?;
        let frame = target.mechanism().and_then(MechanicalSystem::frame);
        Ok(Driver::new(stepper, &self.options, count, frame))
    }
}

fn check_options(options: &Options) -> Result<(), Error> {
    let positive = |name, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(Error::Option { name, value, expected: "a positive number" }),
    };
    positive("rtol", options.rtol)?;
    positive("atol", options.atol)?;
    for (name, value) in [
        ("step", options.constant_step),
        ("first step", options.first_step),
        ("largest step", options.largest_step),
    ] {
        if let Some(value) = value {
            positive(name, value.abs())?;
        }
    }
    Ok(())
}

fn check_time(name: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() { Ok(()) } else { Err(Error::Option { name, value, expected: "a finite number" }) }
}
