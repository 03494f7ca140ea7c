//! A run from start to end: the only loop over time, and what goes along with it.

mod crossing;
mod events;
mod interruption;
mod output;
mod phase;
mod stiff;
mod watch;

use std::borrow::Cow;

use super::driver::Driver;
use super::event::Event;
use super::guard::Guard;
use super::observer::{Observer, View};
use super::plan::Plan;
use crate::equations::Layout;
use crate::error::{Error, RunError};
use crate::motion::{
    Change, Crossing, Inside, Invariants, Motion, Redundant, SpringSpan, Statistics, Stop, Trajectory,
};
use crate::start::ConsistentStart;
pub(crate) use interruption::Interruption;
pub(crate) use phase::Carried;
use phase::Tally;
pub(crate) use stiff::Stiff;

/// Where a run gets its steppers from.
pub(crate) trait Steppers<'a> {
    /// The one of the method in use, at a state.
    fn driver(&mut self, t: f64, y: &[f64], count: Statistics) -> Result<Driver<'a>, Error>;

    /// The one that crosses singular configurations, with accelerations where the state is one itself.
    fn crossing(
        &mut self,
        t: f64,
        y: &[f64],
        branch: Option<&[f64]>,
        count: Statistics,
    ) -> Result<Driver<'a>, Error>;

    /// Steppers that are made from now on go on where the vibrations of these springs are followed.
    fn keep_following(&mut self, springs: Vec<String>);

    /// The motion is stiff from t on, or a rate is too steep for explicit steps: takes another method, with what the user should know, or
    /// says why steps stay short.
    fn meet_stiffness(&mut self, t: f64, steepest: Option<usize>) -> Result<Option<String>, String>;

    /// Whether an implicit method would come further than this explicit one for the same work.
    fn implicit_steps_pay(&mut self, explicit: &mut Driver<'a>, until: f64) -> bool;

    /// Whether another method may be taken where explicit steps can be made no shorter.
    fn may_change(&self) -> bool;

    /// When `auto` found the motion stiff, and in which way.
    fn stiff(&self) -> Option<Stiff>;

    /// The method in use, and why `auto` took it.
    fn method(&self) -> (&'static str, Option<String>);
}

/// A run in progress.
pub(crate) struct Session<'a, 's> {
    driver: Driver<'a>,
    steppers: &'s mut dyn Steppers<'a>,
    plan: Plan<'a, 's>,
    /// where the smooth piece ends
    until: f64,
    next_output: usize,
    event_values: Vec<f64>,
    /// what values of events that have just happened are counted from, in the first step of a phase
    event_offsets: Vec<f64>,
    /// the largest values around the last step
    event_scales: Vec<f64>,
    tallies: Vec<Tally>,
    /// the state before the last step, where events act
    before_step: Vec<f64>,
    /// events that have ended the phase
    acted: Vec<usize>,
    /// what came before this phase
    changed: Option<Changed>,
    /// values and offsets of events in a snapshot
    restored: Option<(Vec<f64>, Vec<f64>)>,
    warning: Option<String>,
    record: Record,
    sampled: Vec<f64>,
    /// looks after constraints that are not imposed as they are
    guard: Option<Guard<'s>>,
    /// when this phase began
    phase_began: f64,
    /// whether the phase has ended for other constraints to be left out
    rechooses: bool,
    /// when the run began, and at which state
    began: (f64, Vec<f64>),
}

/// What has ended the phase before.
struct Changed {
    acted: Vec<usize>,
    /// the energy then
    energy: Option<f64>,
    silent: bool,
}

/// What a run has recorded so far.
#[derive(Clone, Debug, Default)]
struct Record {
    trajectory: Trajectory,
    inside: Inside,
    crossings: Vec<Crossing>,
    changes: Vec<Change>,
    invariants: Invariants,
    /// constraints that were left out, and when
    left_out: Vec<Redundant>,
    /// singular configurations that were passed, with the constraints that depended on others
    passages: Vec<(f64, Vec<String>)>,
    /// time and state where a terminal event ended the run
    ended_at: Option<(f64, Vec<f64>)>,
    /// how springs were treated by steppers before this one
    spring_spans: Vec<SpringSpan>,
}

impl<'a, 's> Session<'a, 's> {
    /// A run that has yet to begin.
    pub(crate) fn new(
        driver: Driver<'a>,
        steppers: &'s mut dyn Steppers<'a>,
        plan: Plan<'a, 's>,
        warning: Option<String>,
    ) -> Self {
        let size = driver.stepper.state().len();
        let began = driver.stepper.time();
        Session {
            until: plan.next_break(driver.stepper.time()),
            driver,
            steppers,
            plan,
            next_output: 0,
            event_values: vec![0.0; plan.events.len()],
            event_offsets: vec![0.0; plan.events.len()],
            event_scales: vec![0.0; plan.events.len()],
            tallies: vec![Tally::default(); plan.events.len()],
            before_step: Vec::new(),
            acted: Vec::new(),
            changed: None,
            restored: None,
            warning,
            record: Record::default(),
            sampled: vec![0.0; size],
            guard: None,
            phase_began: began,
            rechooses: false,
            began: (began, Vec::new()),
        }
    }

    /// Somebody looks after constraints that are not imposed as they are.
    pub(crate) fn guarded_by(mut self, guard: Option<Guard<'s>>) -> Self {
        self.guard = guard;
        self
    }

    /// Goes on to the end, the only loop over time.
    pub(crate) fn run(&mut self, observer: &mut dyn Observer) -> Result<Stop, Interruption> {
        loop {
            if self.prefers_other_constraints() {
                self.rechooses = true;
                return Ok(Stop::Observer);
            }
            self.stay_before_dependence();
            if let Some(stop) = self.advance(observer)? {
                return Ok(stop);
            }
        }
    }

    /// One accepted step with everything that goes along; why the run ended, if it did.
    pub(crate) fn advance(&mut self, observer: &mut dyn Observer) -> Result<Option<Stop>, Interruption> {
        while self.driver.reached(self.until) {
            if self.until == self.plan.end {
                self.offer_snapshot(true, observer);
                return Ok(Some(Stop::End));
            }
            self.begin_anew()?;
        }
        match self.driver.stepper.stiffness() {
            Some(watch) if watch.finds_stiffness() => self.meet_stiffness(observer)?,
            Some(watch) if watch.wants_a_look() => self.compare_methods(observer)?,
            _ => {}
        }
        let before = self.driver.stepper.time();
        if self.plan.events.iter().any(Event::ends_phase) {
            self.before_step.clear();
            self.before_step.extend_from_slice(self.driver.stepper.state());
        }
        if let Err(reason) = self.take_step() {
            if matches!(reason, RunError::StepTooSmall { .. }) && self.steppers.may_change() {
                self.meet_stiffness(observer)?;
                return self.advance(observer);
            }
            self.offer_snapshot(matches!(reason, RunError::TooManySteps { .. }), observer);
            return Err(self.driver.explained(reason).into());
        }
        let stop = self.follow_step(before, observer)?;
        self.end_crossing();
        let due = |every: usize| self.driver.count.accepted.is_multiple_of(every);
        let snapshot = match &stop {
            None => self.plan.snapshot_every.is_some_and(due) && observer.wants_snapshot(),
            Some(stop) => *stop == Stop::Observer,
        };
        self.offer_snapshot(snapshot, observer);
        Ok(stop)
    }

    /// Events, output and observer after the step that began at `before`.
    fn follow_step(
        &mut self,
        before: f64,
        observer: &mut dyn Observer,
    ) -> Result<Option<Stop>, Interruption> {
        let t = self.driver.stepper.time();
        let inside = |failure| RunError::of_failure(t, failure, |cause| RunError::Inside { t, cause });
        if let Some(passage) = self.driver.stepper.passage() {
            self.record.passages.append(&mut passage.passed);
        }
        let broken = self.find_contradiction(before, t);
        let ended = self.look_for_events(before, t)?;
        let end = self.record.ended_at.as_ref().map_or(t, |(t, _)| *t);
        self.write_output(before, t, end, observer).map_err(inside)?;
        self.show_inside(before, end, observer).map_err(inside)?;
        if self.plan.keep_inside {
            self.keep_inside(before, end).map_err(inside)?;
        }
        if let Some(error) = broken {
            return Err(error.into());
        }
        self.watch();
        if let Some(name) = ended {
            if self.ends_phase() {
                // A run that is to stop does so after the first step of the next phase.
                self.show_step(before, observer);
            }
            return Ok(Some(Stop::Event(name)));
        }
        Ok((!self.show_step(before, observer)).then_some(Stop::Observer))
    }

    /// Shows an observer the step that began at `before`; whether the run should go on.
    fn show_step(&self, before: f64, observer: &mut dyn Observer) -> bool {
        let (t, y) = match &self.record.ended_at {
            Some((t, y)) => (*t, y.as_slice()),
            None => (self.driver.stepper.time(), self.driver.stepper.state()),
        };
        let invariants = &self.record.invariants;
        observer.step(&View {
            t,
            y: &self.outward(t, y),
            h: t - before,
            stages: self.driver.stages,
            energy_error: invariants.energy.1 - invariants.energy.0 - invariants.by_events,
            invariants,
            released: self.plan.released,
            statistics: &self.driver.count,
        })
    }

    /// The method begins anew at the end of a smooth piece.
    fn begin_anew(&mut self) -> Result<(), Error> {
        let kinks = self.driver.stepper.knows_kinks();
        let (t, until) = self.plan.next_piece(self.driver.stepper.time());
        self.renew(t)?;
        self.until = until;
        if kinks {
            self.driver.stepper.expect_kinks();
        }
        Ok(())
    }

    /// Steps may be short for stability only: compares how far implicit ones would come.
    fn compare_methods(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.steppers.implicit_steps_pay(&mut self.driver, self.until) {
            return self.meet_stiffness(observer);
        }
        self.driver.stepper.stiffness().into_iter().for_each(|watch| watch.dismiss());
        Ok(())
    }

    /// Steps are short for stability only: another method, or a warning, once.
    fn meet_stiffness(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let (t, h) = (self.driver.stepper.time(), self.driver.proposed());
        let steepest = self.driver.stepper.stiffness().and_then(|watch| watch.steepest());
        let met = self.steppers.meet_stiffness(t, steepest);
        match met {
            Ok(_) => {
                // A guess from one state knows less than the steps so far.
                self.renew(t)?;
                self.driver.propose(h);
            }
            Err(_) => self.driver.stepper.stiffness().into_iter().for_each(|watch| watch.end()),
        }
        if let (Err(text) | Ok(Some(text)), None) = (met, &self.warning) {
            observer.warning(&text);
            self.warning = Some(text);
        }
        Ok(())
    }

    /// Hands a snapshot over, where they are asked for and one is due.
    fn offer_snapshot(&mut self, due: bool, observer: &mut dyn Observer) {
        if due && self.plan.snapshot_every.is_some() {
            observer.snapshot(&self.save());
        }
    }

    /// A state as it looks from outside.
    fn outward<'y>(&self, t: f64, y: &'y [f64]) -> Cow<'y, [f64]> {
        match self.plan.translation {
            Some(translation) => Cow::Owned((translation.map)(t, y)),
            None => Cow::Borrowed(y),
        }
    }

    /// Where everything lies in a state as it looks from outside.
    fn layout(&self) -> Layout {
        self.plan.translation.map_or(self.driver.stepper.layout(), |translation| translation.layout)
    }

    /// The time that was reached.
    pub(crate) fn time(&self) -> f64 {
        self.driver.stepper.time()
    }

    /// What it cost so far.
    pub(crate) fn statistics(&self) -> Statistics {
        self.driver.count
    }

    /// The state that was reached, as it looks from outside.
    pub(crate) fn state(&self) -> Vec<f64> {
        self.outward(self.time(), self.driver.stepper.state()).into_owned()
    }

    /// The state that was reached as it is given away at the end of a run.
    fn result(&mut self) -> Vec<f64> {
        let mut y = self.driver.stepper.state().to_vec();
        self.driver.give_away(&mut y);
        self.outward(self.time(), &y).into_owned()
    }

    /// After a snapshot that was taken at a break the method has yet to begin anew.
    pub(crate) fn look_for_break(&mut self) {
        let t = self.driver.stepper.time();
        if self.driver.has_moved() && self.plan.breaks.contains(&t) {
            self.until = t;
        }
    }

    /// What the run gives back.
    pub(crate) fn motion(&mut self, stop: Stop, start: Option<ConsistentStart>) -> Motion {
        let (t, y) = match self.record.ended_at.take() {
            Some((t, y)) => (t, self.outward(t, &y).into_owned()),
            None => (self.driver.stepper.time(), self.result()),
        };
        let redundant = self.redundant(t, start.as_ref());
        let record = std::mem::take(&mut self.record);
        let (method, choice) = self.steppers.method();
        let told = self.warning.take().or_else(|| self.driver.stepper.warning().map(str::to_owned));
        let warning = told.or_else(|| self.errors_that_add_up());
        Motion {
            method,
            stages: self.driver.stepper.stages(),
            choice,
            springs: self.driver.stepper.springs().and_then(|springs| springs.report()),
            spring_spans: record.spring_spans.into_iter().chain(self.driver.spring_spans()).collect(),
            warning,
            layout: self.layout(),
            t,
            y,
            trajectory: record.trajectory,
            inside: record.inside,
            crossings: record.crossings,
            events: self.event_counts(),
            changes: record.changes,
            redundant,
            began: std::mem::take(&mut self.began.1),
            invariants: record.invariants,
            statistics: self.driver.count,
            stop,
            start,
        }
    }
}
